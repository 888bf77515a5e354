/** The entries of the SAT's catalogues (Anexo 20) that invoices of a studio use. Free of schemas: pages load it with their form. */
import { isCompany } from './rfc.ts'

interface Regime {
  label: string
  /** Whether natural persons, and whether companies, may have it. */
  person: boolean
  company: boolean
  /** Whether expenses can be deducted, so that "Gastos en general" is allowed. */
  deducts: boolean
}

const of = (label: string, taxpayer: 'person' | 'company' | 'both', deducts: boolean): Regime => ({
  label,
  person: taxpayer !== 'company',
  company: taxpayer !== 'person',
  deducts,
})

/** c_RegimenFiscal. */
export const REGIMES = {
  '601': of('General de Ley Personas Morales', 'company', true),
  '603': of('Personas Morales con Fines no Lucrativos', 'company', true),
  '605': of('Sueldos y Salarios e Ingresos Asimilados a Salarios', 'person', false),
  '606': of('Arrendamiento', 'person', true),
  '607': of('Régimen de Enajenación o Adquisición de Bienes', 'person', false),
  '608': of('Demás ingresos', 'person', false),
  '610': of('Residentes en el Extranjero sin Establecimiento Permanente en México', 'both', false),
  '611': of('Ingresos por Dividendos (socios y accionistas)', 'person', false),
  '612': of('Personas Físicas con Actividades Empresariales y Profesionales', 'person', true),
  '614': of('Ingresos por intereses', 'person', false),
  '615': of('Régimen de los ingresos por obtención de premios', 'person', false),
  '616': of('Sin obligaciones fiscales', 'person', false),
  '620': of('Sociedades Cooperativas de Producción que optan por diferir sus ingresos', 'company', true),
  '621': of('Incorporación Fiscal', 'person', true),
  '622': of('Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras', 'company', true),
  '623': of('Opcional para Grupos de Sociedades', 'company', true),
  '624': of('Coordinados', 'company', true),
  '625': of('Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas', 'person', true),
  '626': of('Régimen Simplificado de Confianza', 'both', true),
} as const satisfies Record<string, Regime>

export type RegimeCode = keyof typeof REGIMES
export const REGIME_CODES = Object.keys(REGIMES) as RegimeCode[]

/** Regimes that a taxpayer with this RFC may have. */
export const regimesOf = (rfc: string): RegimeCode[] =>
  REGIME_CODES.filter((code) => (isCompany(rfc) ? REGIMES[code].company : REGIMES[code].person))

/** c_UsoCFDI, as far as a class is one of these. G02 is for credit notes only. */
export const USES = {
  G03: 'Gastos en general',
  S01: 'Sin efectos fiscales',
  G02: 'Devoluciones, descuentos o bonificaciones',
} as const
export type UseCode = keyof typeof USES
export const USE_CODES = ['G03', 'S01'] as const satisfies readonly UseCode[]

/** The uses that a receiver with this regime may choose, the usual one first. */
export const usesOf = (regime: RegimeCode): (typeof USE_CODES)[number][] => (REGIMES[regime].deducts ? ['G03', 'S01'] : ['S01'])

/** c_FormaPago. */
export const PAYMENT_FORMS = {
  '01': 'Efectivo',
  '02': 'Cheque nominativo',
  '03': 'Transferencia electrónica de fondos',
  '04': 'Tarjeta de crédito',
  '05': 'Monedero electrónico',
  '06': 'Dinero electrónico',
  '08': 'Vales de despensa',
  '12': 'Dación en pago',
  '13': 'Pago por subrogación',
  '14': 'Pago por consignación',
  '15': 'Condonación',
  '17': 'Compensación',
  '23': 'Novación',
  '24': 'Confusión',
  '25': 'Remisión de deuda',
  '26': 'Prescripción o caducidad',
  '27': 'A satisfacción del acreedor',
  '28': 'Tarjeta de débito',
  '29': 'Tarjeta de servicios',
  '30': 'Aplicación de anticipos',
  '31': 'Intermediario pagos',
  '99': 'Por definir',
} as const
export type PaymentForm = keyof typeof PAYMENT_FORMS

/** Why an invoice is cancelled. */
export const CANCEL_MOTIVES = {
  '01': 'Tiene errores y otra factura la sustituye',
  '02': 'Tiene errores y ninguna la sustituye',
  '03': 'La operación no se llevó a cabo',
  '04': 'La operación está en la factura global',
} as const
export type CancelMotive = keyof typeof CANCEL_MOTIVES
export const CANCEL_MOTIVE_CODES = Object.keys(CANCEL_MOTIVES) as CancelMotive[]

/** Rates of IVA, in hundredths of a percent, that an invoice can have. */
export const IVA_RATES: readonly number[] = [0, 800, 1600]
/** c_ClaveProdServ of exercise classes, of tickets and things, and of credit notes. */
export const CLASSES_KEY = '91101504'
export const GOODS_KEY = '01010101'
export const CREDIT_NOTE_KEY = '84111506'
