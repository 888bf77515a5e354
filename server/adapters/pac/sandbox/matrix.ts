/**
 * The rules of the SAT's matrix of errors for CFDI 4.0 that the documents of a studio can break, by its codes. The document's structure is
 * already checked (cfdi-structure.ts). Pure.
 */
import { FOREIGN_RFC, GENERIC_RFC, isCompany } from '#contract/rfc.ts'
import { REGIMES, type RegimeCode, usesOf } from '#contract/sat-catalogues.ts'
import type { PacRefusal, TestTaxpayer } from '#server/adapters/pac/port.ts'
import { type Element, findChild, listChildren } from '#server/adapters/pac/xml.ts'
import { type Decimal, decimal, decimalsOf, isTax, round, sum } from './decimal.ts'

export interface MatrixFacts {
  /** The registry of taxpayers: null for an RFC that it does not have. */
  taxpayer(rfc: string): TestTaxpayer | null
}

const no = (code: string, message: string): PacRefusal => ({ code, message })
const of = (on: Element | undefined, name: string): string => on?.attributes[name] ?? ''
const value = (on: Element | undefined, name: string): Decimal => decimal(of(on, name) || '0')
const PUBLIC_NAME = 'PUBLICO EN GENERAL'
/** First two digits of a c_ClaveProdServ, and the keys without a segment. */
const SEGMENTS = /^(?:0101|1[0-5]|2[0-7]|3[0-2]|39|4[0-9]|5[0-6]|60|64|7[0-3]|7[6-8]|8[0-6]|9[0-5])/
const UNITS = new Set(['E48', 'ACT', 'H87', 'C62', 'EA', 'XUN', 'KGM', 'LTR', 'MTR', 'HUR', 'DAY', 'MON'])
const IVA = new Set(['0.000000', '0.080000', '0.160000'])

interface Row {
  base: Decimal
  tax: Decimal
}

/** The first rule that a document breaks; null when it breaks none. */
export function brokenRule(root: Element, facts: MatrixFacts): PacRefusal | null {
  for (const rule of [money, payment, global, parties, lines, totals]) {
    const refusal = rule(root, facts)
    if (refusal) return refusal
  }
  return null
}

function money(root: Element): PacRefusal | null {
  for (const name of ['SubTotal', 'Descuento', 'Total'] as const)
    if (root.attributes[name] !== undefined && decimalsOf(of(root, name)) > 2)
      return no(name === 'Descuento' ? 'CFDI40111' : 'CFDI40107', `${name} tiene más decimales de los que soporta la moneda.`)
  const concepts = listChildren(findChild(root, 'cfdi:Conceptos'), 'cfdi:Concepto')
  if (value(root, 'SubTotal') !== round(sum(concepts.map((row) => value(row, 'Importe'))), 2))
    return no('CFDI40108', 'SubTotal no es igual a la suma de los importes de los conceptos.')
  const discounts = concepts.filter((row) => row.attributes.Descuento !== undefined)
  if ((root.attributes.Descuento === undefined) !== (discounts.length === 0))
    return no('CFDI40110', 'Descuento debe existir solo si algún concepto lo tiene.')
  if (value(root, 'Descuento') !== round(sum(discounts.map((row) => value(row, 'Descuento'))), 2))
    return no('CFDI40112', 'Descuento no es igual a la suma de los descuentos de los conceptos.')
  if (of(root, 'Moneda') === 'MXN' && root.attributes.TipoCambio !== undefined && of(root, 'TipoCambio') !== '1')
    return no('CFDI40114', 'TipoCambio no tiene el valor "1" y la moneda indicada es MXN.')
  const taxes = findChild(root, 'cfdi:Impuestos')
  const expected =
    value(root, 'SubTotal') - value(root, 'Descuento') + value(taxes, 'TotalImpuestosTrasladados') - value(taxes, 'TotalImpuestosRetenidos')
  return value(root, 'Total') === expected
    ? null
    : no('CFDI40119', 'Total no corresponde con la suma del subtotal, menos descuentos, más impuestos trasladados, menos los retenidos.')
}

function payment(root: Element): PacRefusal | null {
  const kind = of(root, 'TipoDeComprobante')
  if (kind !== 'I' && kind !== 'E') return no('CFDI40120', 'Este proveedor de pruebas solo timbra ingresos y egresos.')
  if (!root.attributes.FormaPago || !root.attributes.MetodoPago)
    return no('CFDI40124', 'FormaPago y MetodoPago son requeridos en ingresos y egresos.')
  if (of(root, 'MetodoPago') === 'PPD' && of(root, 'FormaPago') !== '99')
    return no('CFDI40105', 'Si el método de pago es PPD, la forma de pago debe ser 99.')
  if (of(root, 'MetodoPago') === 'PUE' && of(root, 'FormaPago') === '99')
    return no('CFDI40105', 'La forma de pago 99 solo se usa con el método de pago PPD.')
  if (kind === 'E' && of(root, 'MetodoPago') !== 'PUE') return no('CFDI40125', 'Un egreso se paga en una sola exhibición.')
  return of(root, 'Exportacion') === '01' ? null : no('CFDI40122', 'Exportacion distinta de 01 requiere su complemento.')
}

function global(root: Element): PacRefusal | null {
  const [information, receiver] = [findChild(root, 'cfdi:InformacionGlobal'), findChild(root, 'cfdi:Receptor')]
  const isPublic = of(receiver, 'Rfc') === GENERIC_RFC && of(receiver, 'Nombre') === PUBLIC_NAME
  const isIncome = of(root, 'TipoDeComprobante') === 'I'
  if ((information !== undefined) !== (isIncome && isPublic))
    return no('CFDI40130', 'InformacionGlobal debe existir solo cuando el receptor es XAXX010101000 con nombre PUBLICO EN GENERAL.')
  if (!information) return null
  const [period, months, year] = [of(information, 'Periodicidad'), of(information, 'Meses'), Number(of(information, 'Año'))]
  if (period === '05' && of(findChild(root, 'cfdi:Emisor'), 'RegimenFiscal') !== '621')
    return no('CFDI40132', 'La periodicidad bimestral es solo del régimen 621.')
  if ((period === '05') !== Number(months) > 12) return no('CFDI40134', 'Meses no corresponde con la periodicidad.')
  const issued = Number(of(root, 'Fecha').slice(0, 4))
  return year === issued || year === issued - 1 ? null : no('CFDI40136', 'Año debe ser el año en curso o el inmediato anterior.')
}

function parties(root: Element, { taxpayer }: MatrixFacts): PacRefusal | null {
  const [issuer, receiver] = [findChild(root, 'cfdi:Emisor'), findChild(root, 'cfdi:Receptor')]
  const sender = taxpayer(of(issuer, 'Rfc'))
  if (!sender) return no('402', 'El RFC del emisor no se encuentra en el régimen de contribuyentes.')
  if (of(issuer, 'Nombre') !== sender.name) return no('CFDI40139', 'El nombre del emisor no pertenece a su RFC.')
  const senderRegime = of(issuer, 'RegimenFiscal') as RegimeCode
  if (!fits(of(issuer, 'Rfc'), senderRegime)) return no('CFDI40140', 'El régimen del emisor no corresponde con su tipo de persona.')
  if (!sender.regimes.includes(senderRegime)) return no('CFDI40141', 'El régimen del emisor no es uno de los que tiene en el SAT.')

  const [rfc, name, regime, use] = [
    of(receiver, 'Rfc'),
    of(receiver, 'Nombre'),
    of(receiver, 'RegimenFiscalReceptor') as RegimeCode,
    of(receiver, 'UsoCFDI'),
  ] as [string, string, RegimeCode, string]
  const postalCode = of(receiver, 'DomicilioFiscalReceptor')
  const isGeneric = rfc === GENERIC_RFC || rfc === FOREIGN_RFC
  if (isGeneric) {
    if (rfc === GENERIC_RFC && name !== PUBLIC_NAME && of(root, 'TipoDeComprobante') === 'I')
      return no('CFDI40146', 'El RFC genérico nacional solo se usa para el público en general.')
    if (postalCode !== of(root, 'LugarExpedicion'))
      return no('CFDI40149', 'El código postal de un RFC genérico debe ser el del lugar de expedición.')
    if (regime !== '616') return no('CFDI40159', 'El régimen de un RFC genérico debe ser 616.')
    if (receiver?.attributes.ResidenciaFiscal !== undefined) return no('CFDI40150', 'ResidenciaFiscal requiere comercio exterior.')
  } else {
    const known = taxpayer(rfc)
    if (!known) return no('CFDI40143', 'El RFC del receptor no existe en la lista de RFC inscritos no cancelados del SAT.')
    if (name !== known.name) return no('CFDI40145', 'El nombre del receptor no pertenece a su RFC.')
    if (postalCode !== known.postalCode) return no('CFDI40148', 'El código postal no es el del domicilio fiscal del receptor.')
    if (!fits(rfc, regime)) return no('CFDI40158', 'El régimen no corresponde con el tipo de persona del receptor.')
    if (!known.regimes.includes(regime)) return no('CFDI40158', 'El régimen no es uno de los que tiene el receptor en el SAT.')
  }
  if (of(root, 'TipoDeComprobante') === 'E') {
    const allowed = usesOf(regime).includes('G03') || regime === '616'
    return use === 'G02' && allowed ? null : use === 'S01' ? null : no('CFDI40161', 'El uso no corresponde con el régimen del receptor.')
  }
  return (usesOf(regime) as readonly string[]).includes(use) ? null : no('CFDI40161', 'El uso no corresponde con el régimen del receptor.')
}

const fits = (rfc: string, regime: RegimeCode): boolean => (isCompany(rfc) ? REGIMES[regime].company : REGIMES[regime].person)

function lines(root: Element): PacRefusal | null {
  const isGlobal = findChild(root, 'cfdi:InformacionGlobal') !== undefined
  for (const row of listChildren(findChild(root, 'cfdi:Conceptos'), 'cfdi:Concepto')) {
    const refusal = line(row, isGlobal)
    if (refusal) return refusal
  }
  return null
}

function line(row: Element, isGlobal: boolean): PacRefusal | null {
  const key = of(row, 'ClaveProdServ')
  if (!SEGMENTS.test(key)) return no('CFDI40162', 'ClaveProdServ no existe en el catálogo.')
  if (!UNITS.has(of(row, 'ClaveUnidad'))) return no('CFDI40165', 'ClaveUnidad no existe en el catálogo.')
  if (
    isGlobal &&
    (key !== '01010101' || of(row, 'ClaveUnidad') !== 'ACT' || of(row, 'Descripcion') !== 'Venta' || of(row, 'Cantidad') !== '1')
  )
    return no('CFDI40163', 'Los conceptos de una factura global llevan 01010101, ACT, cantidad 1 y "Venta".')
  if (isGlobal && (row.attributes.Unidad !== undefined || !row.attributes.NoIdentificacion))
    return no('CFDI40164', 'Los conceptos de una factura global llevan el folio de su comprobante y no llevan unidad.')
  if (value(row, 'ValorUnitario') <= 0n) return no('CFDI40166', 'ValorUnitario debe ser mayor que cero.')
  if (!isTax(of(row, 'Importe'), of(row, 'ValorUnitario'), of(row, 'Cantidad')))
    return no('CFDI40167', 'Importe no es el producto de cantidad y valor unitario.')
  const discount = row.attributes.Descuento
  if (discount !== undefined && value(row, 'Descuento') > value(row, 'Importe')) return no('CFDI40168', 'Descuento es mayor que Importe.')
  if (discount !== undefined && decimalsOf(discount) > decimalsOf(of(row, 'Importe')))
    return no('CFDI40169', 'Descuento tiene más decimales que Importe.')
  const taxes = findChild(row, 'cfdi:Impuestos')
  if ((of(row, 'ObjetoImp') === '02') !== (taxes !== undefined))
    return no('CFDI40172', 'El nodo Impuestos del concepto debe existir solo con ObjetoImp 02.')
  if (!taxes) return null
  const transfers = listChildren(findChild(taxes, 'cfdi:Traslados'), 'cfdi:Traslado')
  if (transfers.length + listChildren(findChild(taxes, 'cfdi:Retenciones'), 'cfdi:Retencion').length === 0)
    return no('CFDI40173', 'El nodo Impuestos del concepto está vacío.')
  for (const tax of transfers) {
    if (value(tax, 'Base') <= 0n) return no('CFDI40174', 'Base debe ser mayor que cero.')
    const isExempt = of(tax, 'TipoFactor') === 'Exento'
    if (isExempt !== (tax.attributes.TasaOCuota === undefined) || isExempt !== (tax.attributes.Importe === undefined))
      return no('CFDI40177', 'Exento no lleva TasaOCuota ni Importe; los demás llevan los dos.')
    if (isExempt) continue
    if (of(tax, 'Impuesto') !== '002' || of(tax, 'TipoFactor') !== 'Tasa' || !IVA.has(of(tax, 'TasaOCuota')))
      return no('CFDI40179', 'TasaOCuota no existe en el catálogo para este impuesto.')
    if (!isTax(of(tax, 'Importe'), of(tax, 'Base'), of(tax, 'TasaOCuota')))
      return no('CFDI40180', 'El importe del impuesto no está en el rango de su base por su tasa.')
  }
  for (const tax of listChildren(findChild(taxes, 'cfdi:Retenciones'), 'cfdi:Retencion'))
    if (!isTax(of(tax, 'Importe'), of(tax, 'Base'), of(tax, 'TasaOCuota')))
      return no('CFDI40185', 'El importe de la retención no está en el rango de su base por su tasa.')
  return null
}

function totals(root: Element): PacRefusal | null {
  const concepts = listChildren(findChild(root, 'cfdi:Conceptos'), 'cfdi:Concepto')
  const groups = new Map<string, Row>()
  const retained = new Map<string, Decimal>()
  for (const row of concepts) {
    const taxes = findChild(row, 'cfdi:Impuestos')
    for (const tax of listChildren(findChild(taxes, 'cfdi:Traslados'), 'cfdi:Traslado')) {
      const key = `${of(tax, 'Impuesto')}|${of(tax, 'TipoFactor')}|${of(tax, 'TasaOCuota')}`
      const before = groups.get(key) ?? { base: 0n, tax: 0n }
      groups.set(key, { base: before.base + value(tax, 'Base'), tax: before.tax + value(tax, 'Importe') })
    }
    for (const tax of listChildren(findChild(taxes, 'cfdi:Retenciones'), 'cfdi:Retencion'))
      retained.set(of(tax, 'Impuesto'), (retained.get(of(tax, 'Impuesto')) ?? 0n) + value(tax, 'Importe'))
  }
  const summary = findChild(root, 'cfdi:Impuestos')
  if ((summary !== undefined) !== groups.size + retained.size > 0)
    return no('CFDI40201', 'El resumen de impuestos debe existir solo cuando los conceptos los tienen.')
  if (!summary) return null
  const rows = listChildren(findChild(summary, 'cfdi:Traslados'), 'cfdi:Traslado')
  const keys = rows.map((row) => `${of(row, 'Impuesto')}|${of(row, 'TipoFactor')}|${of(row, 'TasaOCuota')}`)
  if (new Set(keys).size !== keys.length || keys.length !== groups.size || keys.some((key) => !groups.has(key)))
    return no('CFDI40215', 'Debe haber un solo registro por impuesto, factor y tasa.')
  for (const [at, row] of rows.entries()) {
    const expected = groups.get(keys[at] ?? '')
    if (decimalsOf(of(row, 'Base')) > 2 || value(row, 'Base') !== round(expected?.base ?? 0n, 2))
      return no('CFDI40218', 'Base no es la suma de las bases de los conceptos.')
    if (row.attributes.Importe === undefined) continue
    if (decimalsOf(of(row, 'Importe')) > 2) return no('CFDI40220', 'Importe tiene más decimales de los que soporta la moneda.')
    if (value(row, 'Importe') !== round(expected?.tax ?? 0n, 2))
      return no('CFDI40221', 'Importe no es la suma de los impuestos de los conceptos.')
  }
  const total = sum(rows.map((row) => value(row, 'Importe')))
  const isTaxed = rows.some((row) => row.attributes.Importe !== undefined)
  if ((summary.attributes.TotalImpuestosTrasladados !== undefined) !== isTaxed)
    return no('CFDI40204', 'TotalImpuestosTrasladados debe existir solo cuando hay impuestos trasladados.')
  if (decimalsOf(of(summary, 'TotalImpuestosTrasladados')) > 2)
    return no('CFDI40205', 'TotalImpuestosTrasladados tiene más decimales de los que soporta la moneda.')
  if (value(summary, 'TotalImpuestosTrasladados') !== total)
    return no('CFDI40204', 'TotalImpuestosTrasladados no es la suma de los traslados.')
  const retentions = listChildren(findChild(summary, 'cfdi:Retenciones'), 'cfdi:Retencion')
  if (
    retentions.length !== retained.size ||
    retentions.some((row) => value(row, 'Importe') !== round(retained.get(of(row, 'Impuesto')) ?? -1n, 2))
  )
    return no('CFDI40212', 'Las retenciones no son la suma de las de los conceptos.')
  if (value(summary, 'TotalImpuestosRetenidos') !== sum(retentions.map((row) => value(row, 'Importe'))))
    return no('CFDI40202', 'TotalImpuestosRetenidos no es la suma de las retenciones.')
  return withheld(root, retentions)
}

/** A natural person in RESICO who invoices a company: ISR of 1.25 % (CFDI140225). */
function withheld(root: Element, retentions: readonly Element[]): PacRefusal | null {
  const [issuer, receiver] = [findChild(root, 'cfdi:Emisor'), findChild(root, 'cfdi:Receptor')]
  const mustWithhold = of(issuer, 'RegimenFiscal') === '626' && !isCompany(of(issuer, 'Rfc')) && isCompany(of(receiver, 'Rfc'))
  const isWithheld = retentions.some((row) => of(row, 'Impuesto') === '001')
  if (mustWithhold && !isWithheld) return no('CFDI140225', 'Falta la retención de ISR de 1.25 % a una persona moral.')
  return isWithheld && !mustWithhold ? no('CFDI140224', 'La retención de ISR no corresponde a estas personas.') : null
}
