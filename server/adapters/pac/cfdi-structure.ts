/**
 * The structure of a CFDI 4.0 (Anexo 20) as far as a studio's invoices use it: elements in their order, attributes in the order of the
 * cadena original, which of them are required, and the format of their values.
 */
import { PAYMENT_FORMS, REGIME_CODES } from '#contract/sat-catalogues.ts'
import type { Element } from './xml.ts'

export const CFDI_NAMESPACE = 'http://www.sat.gob.mx/cfd/4'
export const TFD_NAMESPACE = 'http://www.sat.gob.mx/TimbreFiscalDigital'
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'
export const CFDI_SCHEMA = `${CFDI_NAMESPACE} http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd`
export const TFD_SCHEMA = `${TFD_NAMESPACE} http://www.sat.gob.mx/sitio_internet/cfd/TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd`

export interface AttributeShape {
  name: string
  required: boolean
  /** The whole value, once blanks are collapsed. */
  pattern: RegExp
  /** Not part of the cadena original: the seal itself and the certificate. */
  isUnsigned?: true
  /** A wall clock, which has to exist: a pattern lets the 30th of February pass. */
  isClock?: true
}
interface ChildShape {
  name: string
  min: 0 | 1
  many: boolean
}
export interface ElementShape {
  attributes: readonly AttributeShape[]
  children: readonly ChildShape[]
}

const text = (most: number) => new RegExp(`^[^|]{1,${most}}$`, 'u')
const oneOf = (codes: readonly string[]) => new RegExp(`^(?:${codes.join('|')})$`)
const AMOUNT = /^\d{1,18}(?:\.\d{1,6})?$/
/** More than nothing. */
const POSITIVE = /^(?!0+(?:\.0+)?$)\d{1,18}(?:\.\d{1,6})?$/
const RATE = /^\d+(?:\.\d{1,6})?$/
const RFC = /^[A-Z&Ñ]{3,4}\d{2}(?:0[1-9]|1[012])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/
const COMPANY_RFC = /^[A-Z&Ñ]{3}\d{2}(?:0[1-9]|1[012])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/
const INSTANT = /^20[1-9]\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const UUID = /^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const SERIAL = /^\d{20}$/
const POSTAL_CODE = /^\d{5}$/
const REGIME = oneOf(REGIME_CODES)
const USE = /^(?:G0[1-3]|I0[1-8]|D0[1-9]|D10|S01|CP01|CN01)$/
const TAX = /^00[123]$/
const FACTOR = /^(?:Tasa|Cuota|Exento)$/
const COUNTRY = /^[A-Z]{3}$/

const needed = (name: string, pattern: RegExp): AttributeShape => ({ name, pattern, required: true })
const clock = (name: string): AttributeShape => ({ ...needed(name, INSTANT), isClock: true })
const optional = (name: string, pattern: RegExp): AttributeShape => ({ name, pattern, required: false })
const unsigned = (name: string, pattern: RegExp): AttributeShape => ({ name, pattern, required: true, isUnsigned: true })
const item = (name: string): ChildShape => ({ name, min: 1, many: false })
const maybe = (name: string): ChildShape => ({ name, min: 0, many: false })
const several = (name: string, min: 0 | 1 = 1): ChildShape => ({ name, min, many: true })
const shape = (attributes: readonly AttributeShape[], children: readonly ChildShape[] = []): ElementShape => ({ attributes, children })

/** Shapes by the path of the element below the Comprobante. */
export const SHAPES: Readonly<Record<string, ElementShape>> = {
  'cfdi:Comprobante': shape(
    [
      needed('Version', /^4\.0$/),
      optional('Serie', text(25)),
      optional('Folio', text(40)),
      clock('Fecha'),
      unsigned('Sello', BASE64),
      optional('FormaPago', oneOf(Object.keys(PAYMENT_FORMS))),
      needed('NoCertificado', SERIAL),
      unsigned('Certificado', BASE64),
      optional('CondicionesDePago', text(1000)),
      needed('SubTotal', AMOUNT),
      optional('Descuento', AMOUNT),
      // XXX is the catalogue's own code for a document without money (payments, transfers).
      needed('Moneda', /^(?:MXN|XXX|USD|EUR)$/),
      optional('TipoCambio', POSITIVE),
      needed('Total', AMOUNT),
      needed('TipoDeComprobante', /^[IETNP]$/),
      needed('Exportacion', /^0[1-4]$/),
      optional('MetodoPago', /^(?:PUE|PPD)$/),
      needed('LugarExpedicion', POSTAL_CODE),
      optional('Confirmacion', /^[0-9a-zA-Z]{5}$/),
    ],
    [
      maybe('cfdi:InformacionGlobal'),
      several('cfdi:CfdiRelacionados', 0),
      item('cfdi:Emisor'),
      item('cfdi:Receptor'),
      item('cfdi:Conceptos'),
      maybe('cfdi:Impuestos'),
      maybe('cfdi:Complemento'),
      maybe('cfdi:Addenda'),
    ],
  ),
  'cfdi:Comprobante/cfdi:InformacionGlobal': shape([
    needed('Periodicidad', /^0[1-5]$/),
    needed('Meses', /^(?:0[1-9]|1[0-8])$/),
    needed('Año', /^(?:20(?:19|[2-9]\d)|2[1-9]\d{2})$/),
  ]),
  'cfdi:Comprobante/cfdi:CfdiRelacionados': shape([needed('TipoRelacion', /^0[1-7]$/)], [several('cfdi:CfdiRelacionado')]),
  'cfdi:Comprobante/cfdi:CfdiRelacionados/cfdi:CfdiRelacionado': shape([needed('UUID', UUID)]),
  'cfdi:Comprobante/cfdi:Emisor': shape([
    needed('Rfc', RFC),
    needed('Nombre', text(300)),
    needed('RegimenFiscal', REGIME),
    optional('FacAtrAdquirente', /^\d{10}$/),
  ]),
  'cfdi:Comprobante/cfdi:Receptor': shape([
    needed('Rfc', RFC),
    needed('Nombre', text(300)),
    needed('DomicilioFiscalReceptor', POSTAL_CODE),
    optional('ResidenciaFiscal', COUNTRY),
    optional('NumRegIdTrib', text(40)),
    needed('RegimenFiscalReceptor', REGIME),
    needed('UsoCFDI', USE),
  ]),
  'cfdi:Comprobante/cfdi:Conceptos': shape([], [several('cfdi:Concepto')]),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto': shape(
    [
      needed('ClaveProdServ', /^\d{8}$/),
      optional('NoIdentificacion', text(100)),
      needed('Cantidad', POSITIVE),
      needed('ClaveUnidad', /^[A-Z0-9]{2,3}$/),
      optional('Unidad', text(20)),
      needed('Descripcion', text(1000)),
      needed('ValorUnitario', AMOUNT),
      needed('Importe', AMOUNT),
      optional('Descuento', AMOUNT),
      needed('ObjetoImp', /^0[1-8]$/),
    ],
    [maybe('cfdi:Impuestos')],
  ),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto/cfdi:Impuestos': shape([], [maybe('cfdi:Traslados'), maybe('cfdi:Retenciones')]),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto/cfdi:Impuestos/cfdi:Traslados': shape([], [several('cfdi:Traslado')]),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto/cfdi:Impuestos/cfdi:Traslados/cfdi:Traslado': shape([
    needed('Base', POSITIVE),
    needed('Impuesto', TAX),
    needed('TipoFactor', FACTOR),
    optional('TasaOCuota', RATE),
    optional('Importe', AMOUNT),
  ]),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto/cfdi:Impuestos/cfdi:Retenciones': shape([], [several('cfdi:Retencion')]),
  'cfdi:Comprobante/cfdi:Conceptos/cfdi:Concepto/cfdi:Impuestos/cfdi:Retenciones/cfdi:Retencion': shape([
    needed('Base', POSITIVE),
    needed('Impuesto', TAX),
    needed('TipoFactor', FACTOR),
    needed('TasaOCuota', RATE),
    needed('Importe', AMOUNT),
  ]),
  'cfdi:Comprobante/cfdi:Impuestos': shape(
    [optional('TotalImpuestosRetenidos', AMOUNT), optional('TotalImpuestosTrasladados', AMOUNT)],
    [maybe('cfdi:Retenciones'), maybe('cfdi:Traslados')],
  ),
  'cfdi:Comprobante/cfdi:Impuestos/cfdi:Retenciones': shape([], [several('cfdi:Retencion')]),
  'cfdi:Comprobante/cfdi:Impuestos/cfdi:Retenciones/cfdi:Retencion': shape([needed('Impuesto', TAX), needed('Importe', AMOUNT)]),
  'cfdi:Comprobante/cfdi:Impuestos/cfdi:Traslados': shape([], [several('cfdi:Traslado')]),
  'cfdi:Comprobante/cfdi:Impuestos/cfdi:Traslados/cfdi:Traslado': shape([
    needed('Base', AMOUNT),
    needed('Impuesto', TAX),
    needed('TipoFactor', FACTOR),
    optional('TasaOCuota', RATE),
    optional('Importe', AMOUNT),
  ]),
  'cfdi:Comprobante/cfdi:Complemento': shape([], [maybe('tfd:TimbreFiscalDigital')]),
  'cfdi:Comprobante/cfdi:Complemento/tfd:TimbreFiscalDigital': shape([
    needed('Version', /^1\.1$/),
    needed('UUID', UUID),
    clock('FechaTimbrado'),
    needed('RfcProvCertif', COMPANY_RFC),
    optional('Leyenda', /^[A-Za-z0-9 Ññ!"%&'´\-:;>=<@_,{}`~áéíóúÁÉÍÓÚüÜ]{12,150}$/u),
    needed('SelloCFD', BASE64),
    needed('NoCertificadoSAT', SERIAL),
    { ...needed('SelloSAT', BASE64), isUnsigned: true },
  ]),
}

export const collapse = (value: string): string => value.replace(/[\t\n\r ]+/g, ' ').trim()

/** Values of the attributes in their order, as a cadena original lists them. */
const signed = (path: string, { attributes }: Element): string[] =>
  (SHAPES[path]?.attributes ?? [])
    .filter(({ name, isUnsigned }) => !isUnsigned && attributes[name] !== undefined)
    .map(({ name }) => collapse(attributes[name] ?? ''))

const SUMMARY = 'cfdi:Comprobante/cfdi:Impuestos'

function valuesOf(path: string, of: Element): string[] {
  const below = (name: string) => of.children.filter((child) => child.name === name).flatMap((child) => valuesOf(`${path}/${name}`, child))
  // The totals of the summary come after the rows that they add up.
  if (path === SUMMARY)
    return [
      ...below('cfdi:Retenciones'),
      ...signed(path, { ...of, attributes: pick(of.attributes, 'TotalImpuestosRetenidos') }),
      ...below('cfdi:Traslados'),
      ...signed(path, { ...of, attributes: pick(of.attributes, 'TotalImpuestosTrasladados') }),
    ]
  return [...signed(path, of), ...(SHAPES[path]?.children ?? []).flatMap(({ name }) => (isSigned(name) ? below(name) : []))]
}

const pick = (from: Readonly<Record<string, string>>, name: string): Record<string, string> =>
  from[name] === undefined ? {} : { [name]: from[name] }
const isSigned = (name: string) => name !== 'cfdi:Complemento' && name !== 'cfdi:Addenda'

/** The cadena original: what the issuer's seal signs. */
export const originalChain = (comprobante: Element): string => `||${valuesOf('cfdi:Comprobante', comprobante).join('|')}||`

/** The cadena original of the stamp: what the PAC's seal signs. */
export const stampChain = (stamp: Element): string =>
  `||${signed('cfdi:Comprobante/cfdi:Complemento/tfd:TimbreFiscalDigital', stamp).join('|')}||`

/** What is wrong with the structure of a document, as "path: problem"; empty when nothing is. */
export function structureProblems(root: Element): string[] {
  const { attributes } = root
  const problems = [
    ...(attributes['xmlns:xsi'] === XSI_NAMESPACE ? [] : ['cfdi:Comprobante: xmlns:xsi is missing']),
    ...(attributes['xsi:schemaLocation']?.split(' ').slice(0, 2).join(' ') === CFDI_SCHEMA
      ? []
      : ['cfdi:Comprobante: xsi:schemaLocation is not that of CFDI 4.0']),
  ]
  if (root.name !== 'cfdi:Comprobante') return [`${root.name}: is not a Comprobante`]
  return [...problems, ...below(root.name, root, {})]
}

/** The namespace that each prefix must be declared for; an element needs the declaration of its own. */
const NAMESPACES: Readonly<Record<string, string>> = {
  'xmlns:cfdi': CFDI_NAMESPACE,
  'xmlns:tfd': TFD_NAMESPACE,
  'xmlns:xsi': XSI_NAMESPACE,
}

const isClockTime = (value: string): boolean => {
  const at = new Date(`${value}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === value
}

function below(path: string, of: Element, outer: Readonly<Record<string, string>>): string[] {
  const known = SHAPES[path]
  if (!known) return [`${path}: unknown element`]
  const problems: string[] = []
  const declared = { ...outer, ...of.attributes }
  const own = `xmlns:${of.name.split(':')[0]}`
  for (const name of Object.keys(NAMESPACES))
    if ((name === own || name in of.attributes) && declared[name] !== NAMESPACES[name])
      problems.push(`${path}@${name}: is not that of CFDI 4.0`)
  for (const { name, required, pattern, isClock } of known.attributes) {
    const value = of.attributes[name]
    if (value === undefined) {
      if (required) problems.push(`${path}@${name}: missing`)
    } else if (!pattern.test(collapse(value)) || (isClock && !isClockTime(collapse(value))))
      problems.push(`${path}@${name}: has another form`)
  }
  const names = new Set(known.attributes.map(({ name }) => name))
  for (const name of Object.keys(of.attributes))
    if (!names.has(name) && !/^xmlns(?::|$)|^xsi:schemaLocation$/.test(name)) problems.push(`${path}@${name}: unknown attribute`)
  let at = 0
  for (const { name, min, many } of known.children) {
    let count = 0
    while (of.children[at]?.name === name && (many || count === 0)) {
      problems.push(...below(`${path}/${name}`, of.children[at] as Element, declared))
      at++
      count++
    }
    if (count < min) problems.push(`${path}/${name}: missing`)
  }
  if (at < of.children.length) problems.push(`${path}/${of.children[at]?.name}: is not allowed here`)
  return problems
}
