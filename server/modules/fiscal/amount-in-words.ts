/** "MIL CUATROCIENTOS CINCUENTA PESOS 00/100 M.N.": amounts as invoices write them. Pure. */

const SMALL = [
  '',
  'UN',
  'DOS',
  'TRES',
  'CUATRO',
  'CINCO',
  'SEIS',
  'SIETE',
  'OCHO',
  'NUEVE',
  'DIEZ',
  'ONCE',
  'DOCE',
  'TRECE',
  'CATORCE',
  'QUINCE',
  'DIECISÉIS',
  'DIECISIETE',
  'DIECIOCHO',
  'DIECINUEVE',
  'VEINTE',
  'VEINTIÚN',
  'VEINTIDÓS',
  'VEINTITRÉS',
  'VEINTICUATRO',
  'VEINTICINCO',
  'VEINTISÉIS',
  'VEINTISIETE',
  'VEINTIOCHO',
  'VEINTINUEVE',
]
const TENS = ['', '', '', 'TREINTA', 'CUARENTA', 'CINCUENTA', 'SESENTA', 'SETENTA', 'OCHENTA', 'NOVENTA']
const HUNDREDS = [
  '',
  'CIENTO',
  'DOSCIENTOS',
  'TRESCIENTOS',
  'CUATROCIENTOS',
  'QUINIENTOS',
  'SEISCIENTOS',
  'SETECIENTOS',
  'OCHOCIENTOS',
  'NOVECIENTOS',
]

function below1000(n: number): string {
  if (n === 100) return 'CIEN'
  const rest = n % 100
  const tens = rest < 30 ? (SMALL[rest] ?? '') : [TENS[Math.floor(rest / 10)], SMALL[rest % 10]].filter(Boolean).join(' Y ')
  return [HUNDREDS[Math.floor(n / 100)], tens].filter(Boolean).join(' ')
}

function numberInWords(n: number): string {
  if (n === 0) return 'CERO'
  const [millions, thousands, rest] = [Math.floor(n / 1_000_000), Math.floor(n / 1000) % 1000, n % 1000]
  return [
    millions === 0 ? '' : millions === 1 ? 'UN MILLÓN' : `${numberInWords(millions)} MILLONES`,
    thousands === 0 ? '' : thousands === 1 ? 'MIL' : `${below1000(thousands)} MIL`,
    below1000(rest),
  ]
    .filter(Boolean)
    .join(' ')
}

/** `amount` as on the wire: "1450.00". */
export function amountInWords(amount: string): string {
  const [whole = '0', cents = '00'] = amount.split('.')
  const n = Number(whole)
  const words = numberInWords(n)
  return `${words}${n >= 1_000_000 && n % 1_000_000 === 0 ? ' DE' : ''} ${n === 1 ? 'PESO' : 'PESOS'} ${cents}/100 M.N.`
}
