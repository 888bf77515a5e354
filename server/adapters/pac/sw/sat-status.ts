/**
 * The SAT's public status service of one CFDI (SOAP, "ConsultaCFDIService"): address, envelope, and the words of its answer as
 * nodecfdi/sat-estado-cfdi, python-satcfdi and SW's own SDKs (StatusCfdi) use them. It needs no credentials.
 */
import { findChild, parse } from '#server/adapters/pac/xml.ts'
import { escapeXml } from '#server/platform/escape.ts'

export interface SatStatus {
  state: 'valid' | 'cancelled' | 'unknown'
  cancellation: 'none' | 'requested' | 'rejected'
  /** Another valid document is related to it. */
  isBlocked: boolean
  /** The text of the answer, stored where there is no receipt. */
  text: string
}

/** What identifies a document there: issuer, receiver, total, UUID, and the end of its seal. */
export function satExpression(xml: string, uuid: string): string {
  const root = parse(xml)
  const [issuer, receiver] = [findChild(root, 'cfdi:Emisor'), findChild(root, 'cfdi:Receptor')]
  const rfc = (of: typeof issuer) => escapeXml(of?.attributes.Rfc ?? '')
  const seal = root.attributes.Sello?.slice(-8) ?? ''
  return `?re=${rfc(issuer)}&rr=${rfc(receiver)}&tt=${root.attributes.Total ?? ''}&id=${uuid}&fe=${seal}`
}

const textOf = (answer: string, name: string): string => new RegExp(`<(?:\\w+:)?${name}>([^<]*)</`).exec(answer)?.[1]?.trim() ?? ''

/** Reads the answer; null: it is none. */
export function parseSatStatus(answer: string): SatStatus | null {
  const [code, estado] = [textOf(answer, 'CodigoEstatus'), textOf(answer, 'Estado')]
  if (code === '' || estado === '') return null
  const cancellation = textOf(answer, 'EstatusCancelacion')
  return {
    state: estado === 'Vigente' ? 'valid' : estado === 'Cancelado' ? 'cancelled' : 'unknown',
    cancellation: /en proceso/i.test(cancellation) ? 'requested' : /rechazada/i.test(cancellation) ? 'rejected' : 'none',
    isBlocked: /^no cancelable/i.test(textOf(answer, 'EsCancelable')),
    text: `${estado}${cancellation ? `, ${cancellation}` : ''}`,
  }
}

/** Asks about a document; null: no answer. */
export async function fetchSatStatus(
  base: string,
  { xml, uuid }: { xml: string; uuid: string },
  timeoutMs: number,
): Promise<SatStatus | null> {
  const body =
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:tem="http://tempuri.org/"><soapenv:Header/><soapenv:Body>' +
    `<tem:Consulta><tem:expresionImpresa><![CDATA[${satExpression(xml, uuid)}]]></tem:expresionImpresa></tem:Consulta>` +
    '</soapenv:Body></soapenv:Envelope>'
  try {
    const response = await fetch(`${base}/ConsultaCFDIService.svc`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: 'http://tempuri.org/IConsultaCFDIService/Consulta' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    return response.ok ? parseSatStatus(await response.text()) : null
  } catch {
    return null
  }
}
