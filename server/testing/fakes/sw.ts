/**
 * A fake of SW on loopback, with the SAT's public question behind it. The sandbox's PAC does what the SAT does: it checks structure, seal,
 * certificate and matrix, keeps the books and decides about cancellations. This adds what SW has of its own: tokens that end after two
 * hours, customid, stamps that are used up, its shapes and codes.
 */
import { createHash } from 'node:crypto'
import { belongTogether, readCertificate, readKey } from '#server/adapters/pac/certificate.ts'
import type { PacFact } from '#server/adapters/pac/port.ts'
import type { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { findChild, listChildren, parse } from '#server/adapters/pac/xml.ts'
import { type Answer, Fake, type FakeOptions, newId, type RecordedRequest, type WebhookEvent } from './fake.ts'

export const SW_FAKE_USER = 'estudio@ejemplo.mx'
export const SW_FAKE_PASSWORD = 'Clave$123%'

const TWO_HOURS_MS = 7_200_000
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const ok = (data: object): Answer => ({ status: 200, body: { data, status: 'success' } })
const no = (message: string, messageDetail: string | null = null, data: object | null = null, status = 400): Answer => ({
  status,
  body: { message, messageDetail, data, status: 'error' },
})
const tfdOf = (xml: string) => /<tfd:TimbreFiscalDigital[^>]*\/>/.exec(xml)?.[0] ?? ''

export class SwFake extends Fake {
  readonly #sat: PacSandbox
  readonly #tokens = new Map<string, number>()
  readonly #customids = new Map<string, string>()
  readonly #stamps = new Map<string, Promise<PacFact>>()
  readonly #receipts = new Map<string, string>()
  stampsLeft = 1_000
  /** Answers to repeated documents have the stamp alone. */
  onlyStamps = false

  constructor(options: FakeOptions & { sat: PacSandbox }) {
    super(options)
    this.#sat = options.sat
  }

  /** Every token stops counting, before its time. */
  forgetTokens(): void {
    this.#tokens.clear()
  }

  /** How many documents it stamped. */
  async stamped(): Promise<number> {
    const facts = await Promise.all(this.#stamps.values())
    return facts.filter(({ state }) => state === 'valid').length
  }

  protected async answer(request: RecordedRequest): Promise<Answer> {
    await this.pause()
    const { method, path } = request
    if (method === 'POST' && path === '/ConsultaCFDIService.svc') return this.#consult(request)
    if (method === 'POST' && path === '/security/authenticate') return this.#authenticate(request)
    const file = /^\/archivos\/acuse\/([\w-]+)$/.exec(path)?.[1]
    if (method === 'GET' && file) return { status: 200, body: null, text: this.#receipts.get(file) ?? '' }
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if ((this.#tokens.get(bearer) ?? 0) <= this.now().getTime()) return { status: 401, body: null, text: '' }
    if (method === 'POST' && path === '/v4/cfdi33/stamp/v4') return this.#stamp(request)
    if (method === 'POST' && path === '/cfdi33/cancel/csd') return this.#cancel(request)
    const uuid = /^\/datawarehouse\/v1\/live\/([\w-]+)$/.exec(path)?.[1]
    if (method === 'GET' && uuid) {
      const urlAckCancellation = this.#receipts.has(uuid) ? `${this.url}/archivos/acuse/${uuid}` : null
      return ok({ records: [{ urlXml: null, urlPdf: null, urlAckCfdi: null, urlAckCancellation }] })
    }
    this.complain(`${method} ${path} does not exist`)
    return { status: 404, body: { message: 'Not Found' } }
  }

  #authenticate({ headers, raw }: RecordedRequest): Answer {
    if (raw !== '') this.complain('the authentication has a body')
    if (headers.user !== SW_FAKE_USER || headers.password !== SW_FAKE_PASSWORD)
      return no('AU2000 - El usuario y/o contraseña son inválidos, no se puede autenticar el servicio.', null, null, 400)
    const value = newId('T2lY', 40)
    const end = this.now().getTime() + TWO_HOURS_MS
    this.#tokens.set(value, end)
    return ok({ token: value, expires_in: Math.floor(end / 1000), tokeny_type: 'Bearer' })
  }

  async #stamp({ headers, raw }: RecordedRequest): Promise<Answer> {
    const { customid } = headers
    if (!customid || customid.length > 100) return no('El CustomId no es válido o no se especificó.', 'Requerido')
    const form = await new Response(raw, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData().catch(() => null)
    const file = form?.get('xml')
    if (!(file instanceof Blob)) {
      this.complain('no file called xml')
      return no('301 - El XML no fue enviado.', 'xml')
    }
    const xml = await file.text()
    const digest = digestOf(xml)
    const used = this.#customids.get(customid)
    const earlier = this.#stamps.get(used ?? digest)
    const before = earlier ? await earlier : undefined
    if (before?.state === 'valid') {
      const both = { tfd: tfdOf(before.xml), ...(this.onlyStamps ? {} : { cfdi: before.xml, uuid: before.uuid }) }
      return used !== undefined && used !== digest
        ? no('CFDI3307 - Timbre duplicado. El customId proporcionado está duplicado.', null, { tfd: both.tfd })
        : no('307. El comprobante contiene un timbre previo.', null, both)
    }
    if (this.stampsLeft <= 0) return no('No cuentas con timbres disponibles.', 'Compra un paquete.')
    const stamped = this.#sat.stamp({ xml, key: digest })
    this.#stamps.set(digest, stamped)
    this.#customids.set(customid, digest)
    const fact = await stamped
    if (fact.state === 'refused') {
      this.#stamps.delete(digest)
      this.#customids.delete(customid)
      return no(`${fact.refusal.code} - ${fact.refusal.message}`, 'Detalle del SAT.')
    }
    if (fact.state !== 'valid') throw new Error(`The books said ${fact.state}.`)
    this.stampsLeft -= 1
    const stamp = findChild(findChild(parse(fact.xml), 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')?.attributes ?? {}
    return ok({
      cadenaOriginalSAT: '||…||',
      noCertificadoSAT: stamp.NoCertificadoSAT,
      uuid: fact.uuid.toLowerCase(),
      selloSAT: stamp.SelloSAT,
      fechaTimbrado: stamp.FechaTimbrado,
      qrCode: 'iVBOR',
      cfdi: fact.xml,
    })
  }

  async #cancel({ raw }: RecordedRequest): Promise<Answer> {
    const { uuid, rfc, motivo, folioSustitucion, password, b64Cer, b64Key } = JSON.parse(raw) as Record<string, string>
    if (!uuid || !rfc || !motivo || !password || !b64Cer || !b64Key)
      return no('CACFDI33 - Problemas con los campos.', 'Son necesarios todos.')
    const certificate = readCertificate(Buffer.from(b64Cer, 'base64'))
    const key = readKey(Buffer.from(b64Key, 'base64'), password)
    if (!certificate || !key || !belongTogether(certificate, key) || certificate.rfc !== rfc)
      return no('CACFDI33 - Problemas con el xml.', 'CA305 - Certificado Inválido.')
    if (!/^0[1-4]$/.test(motivo) || (motivo === '01') !== (folioSustitucion !== undefined)) return this.#code(uuid, '207')
    const before = await this.#sat.read({ uuid: uuid.toUpperCase() })
    if (before.state === 'absent') return this.#code(uuid, '205')
    if (before.state === 'cancelled') return this.#code(uuid, '202')
    const fact = await this.#sat.cancel({ uuid: uuid.toUpperCase(), rfc, motive: motivo, substitute: folioSustitucion?.toUpperCase() })
    if (fact.state === 'refused') return this.#code(uuid, fact.refusal.code === '203' ? '203' : '204')
    return this.#code(uuid, '201')
  }

  #code(uuid: string, code: string): Answer {
    const acuse = `<Acuse xmlns="http://cancelacfd.sat.gob.mx"><Folios UUID="${uuid.toUpperCase()}" EstatusUUID="${code}"/></Acuse>`
    if (code === '201') this.#receipts.set(uuid.toUpperCase(), acuse)
    return ok({ acuse, uuid: { [uuid.toUpperCase()]: code } })
  }

  /** The SAT's public question: every part of the expression has to be the document's. */
  async #consult({ raw, headers }: RecordedRequest): Promise<Answer> {
    if (!/IConsultaCFDIService\/Consulta/.test(headers.soapaction ?? '')) this.complain('no SOAPAction')
    const expression = /<!\[CDATA\[\?(.*?)\]\]>/.exec(raw)?.[1] ?? ''
    const part = (name: string) => new RegExp(`(?:^|&)${name}=((?:[^&]|&amp;)*)`).exec(expression)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const fact = await this.#sat.read({ uuid: part('id') })
    const xml = fact.state === 'valid' || fact.state === 'cancelled' ? fact.xml : ''
    const root = xml === '' ? undefined : parse(xml)
    const rfc = (name: string) => findChild(root, name)?.attributes.Rfc
    const isThis =
      root !== undefined &&
      rfc('cfdi:Emisor') === part('re') &&
      rfc('cfdi:Receptor') === part('rr') &&
      Number(root.attributes.Total) === Number(part('tt')) &&
      root.attributes.Sello?.slice(-8) === part('fe')
    if (!isThis)
      return this.#sentence({
        CodigoEstatus: 'N - 602: Comprobante no encontrado.',
        EsCancelable: '',
        Estado: 'No Encontrado',
        EstatusCancelacion: '',
      })
    const isCancelled = fact.state === 'cancelled'
    const cancellation = fact.state === 'valid' ? fact.cancellation : 'none'
    return this.#sentence({
      CodigoEstatus: 'S - Comprobante obtenido satisfactoriamente.',
      EsCancelable: (await this.#isBlocked(part('id'))) ? 'No cancelable' : 'Cancelable con aceptación',
      Estado: isCancelled ? 'Cancelado' : 'Vigente',
      EstatusCancelacion: isCancelled
        ? 'Cancelado sin aceptación'
        : { none: '', accepted: '', requested: 'En proceso', rejected: 'Solicitud rechazada' }[cancellation],
    })
  }

  async #isBlocked(uuid: string): Promise<boolean> {
    for (const stamp of this.#stamps.values()) {
      const fact = await stamp
      if (fact.state !== 'valid' || (await this.#sat.read({ uuid: fact.uuid })).state !== 'valid') continue
      const root = parse(fact.xml)
      const related = listChildren(root, 'cfdi:CfdiRelacionados').filter(({ attributes }) => attributes.TipoRelacion === '01')
      if (
        root.attributes.TipoDeComprobante === 'E' &&
        related.some((element) => listChildren(element, 'cfdi:CfdiRelacionado').some(({ attributes }) => attributes.UUID === uuid))
      )
        return true
    }
    return false
  }

  #sentence(elements: Record<string, string>): Answer {
    const inside = Object.entries(elements)
      .map(([name, content]) => (content === '' ? `<a:${name}/>` : `<a:${name}>${content}</a:${name}>`))
      .join('')
    const text = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ConsultaResponse xmlns="http://tempuri.org/"><ConsultaResult xmlns:a="http://schemas.datacontract.org/2004/07/Sat.Cfdi.Negocio.ConsultaCfdi.Servicio">${inside}</ConsultaResult></ConsultaResponse></s:Body></s:Envelope>`
    return { status: 200, body: null, text, headers: { 'content-type': 'text/xml; charset=utf-8' } }
  }

  protected sign(): Promise<WebhookEvent> {
    throw new Error('SW sends no events.')
  }
  protected typeOf(): string {
    return ''
  }
  protected failure(status: number): unknown {
    return { message: String(status), messageDetail: 'Service Unavailable', status: 'error' }
  }
}
