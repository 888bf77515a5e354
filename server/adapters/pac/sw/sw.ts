/**
 * SW Sapien: stamps what the studio sealed (REST).  Where the facts are from. Documentation (developers.sw.com.mx): "Timbrado V4 –
 * CustomID" and "Servicio de timbrado customID" (path, header `customid` of at most 100 characters that counts for 72 hours; the same
 * document again is the error 307 with the first stamp in `data`, another one under a used customid is CFDI3307), "Cancelación CFDI" and
 * "Cancelación CFDI con estatus" (path, `data.uuid` with a code by UUID: 201 taken, 202 already cancelled, 203 of another issuer, 205
 * unknown, 207 wrong motive; `data.acuse`). SDKs: lunasoft/sw-sdk-nodejs and sw-sdk-net6 (authentication by the headers `user` and
 * `password`, a token of two hours with `expires_in`, body of a cancellation by CSD, AU2000 and an HTTP 401 without a valid token,
 * `datawarehouse/v1/live/{uuid}` with `urlAckCancellation`), python-satcfdi (hosts, `v4/cfdi33/stamp/v4`).  What was not found, and is done
 * carefully: there is no look-up by customid, so `find` sends the document again; whether the check for a former stamp precedes that of the
 * 72 hours is not documented, so a refusal for its date does not count as an answer there. The message for used up stamps is not published:
 * an error without a code of the SAT leaves the document waiting. There is no list of cancellations, so the SAT's status of each document
 * is read. Nothing here was tried against SW itself.
 */
import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { PacFact, PacPort, StampedDocument } from '#server/adapters/pac/port.ts'
import { findChild, parse } from '#server/adapters/pac/xml.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { fetchSatStatus, type SatStatus } from './sat-status.ts'

export type SwEnvironment = 'produccion' | 'pruebas'

export interface SwOptions {
  user: string
  password: string
  environment: SwEnvironment
  now: () => Date
  /** Other addresses; only tests set them. */
  bases?: { services?: string | undefined; storage?: string | undefined; sat?: string | undefined }
  timeoutMs?: number
}

const HOSTS = {
  produccion: {
    services: 'https://services.sw.com.mx',
    storage: 'https://api.sw.com.mx',
    sat: 'https://consultaqr.facturaelectronica.sat.gob.mx',
  },
  pruebas: {
    services: 'https://services.test.sw.com.mx',
    storage: 'https://api.test.sw.com.mx',
    sat: 'https://consultaqrfacturaelectronicatest.sw.com.mx',
  },
} as const

const TIMEOUT_MS = 30_000
/** A token is valid for two hours; a new one is requested before. */
const TOKEN_MS = 110 * 60_000
const TOKEN_LIFE_S = 7_200
const MARGIN_MS = 60_000

const envelope = z.object({
  status: z.string(),
  message: z.string().nullish(),
  messageDetail: z.string().nullish(),
  data: z.unknown().optional(),
})
type Envelope = z.infer<typeof envelope>
const token = z.object({ token: z.string().min(1), expires_in: z.number().optional() })
const stamped = z.object({ cfdi: z.string().nullish(), tfd: z.string().nullish() })
const cancelled = z.object({ acuse: z.string().nullish(), uuid: z.record(z.string(), z.string()) })
const storage = z.object({ data: z.object({ records: z.array(z.object({ urlAckCancellation: z.string().nullish() })) }) })

/** An account as stored with documents: without its user name, which is an email address. */
export const swAccount = (user: string, environment: SwEnvironment): string =>
  createHash('sha256').update(`${environment} ${user.toLowerCase()}`).digest('hex').slice(0, 16)

/** No answer that counts. */
class NoAnswer extends Error {}
class KeysRefused extends NoAnswer {}

/** Error codes about the document: of the SAT's matrix, of its seal and certificate, of its date and issuer. */
const OF_DOCUMENT = /^(?:CFDI\d{4,6}|30[1-8]|40[12])$/
const CODE = /^\s*(CFDI\d{3,6}|\d{3}|[A-Z]{2,8}\d{1,5})\b[\s.:–-]*/
const TOO_OLD = new Set(['401', 'CFDI40101'])
const UNANSWERED: Readonly<Record<string, string>> = {
  '203': 'El folio fiscal no corresponde al emisor.',
  '204': 'El SAT no permite cancelar este comprobante.',
  '205': 'El SAT todavía no conoce este folio fiscal. Inténtalo más tarde.',
  '207': 'El motivo de cancelación no es válido.',
}

export class SwPac implements PacPort {
  readonly id: string
  readonly account: string
  readonly isSandbox: boolean
  readonly #options: SwOptions
  readonly #bases: { services: string; storage: string; sat: string }
  readonly #timeoutMs: number
  #token: { value: string; until: number } | null = null
  #signingIn: Promise<string> | null = null

  constructor(options: SwOptions) {
    const { environment, bases = {}, timeoutMs = TIMEOUT_MS } = options
    this.id = environment === 'pruebas' ? 'sw-pruebas' : 'sw'
    this.account = swAccount(options.user, environment)
    this.isSandbox = environment === 'pruebas'
    this.#options = options
    const known = HOSTS[environment]
    this.#bases = { services: bases.services ?? known.services, storage: bases.storage ?? known.storage, sat: bases.sat ?? known.sat }
    this.#timeoutMs = timeoutMs
  }

  async stamp({ xml, key }: { xml: string; key: string }): Promise<PacFact> {
    assertNotInTransaction('SW')
    const form = () => {
      const form = new FormData()
      form.append('xml', new Blob([xml], { type: 'text/xml' }), 'cfdi.xml')
      return form
    }
    return orUnknown(async () => {
      const answer = await this.#request('/v4/cfdi33/stamp/v4', () => ({ headers: { customid: key }, body: form() }))
      const { code, message } = problemOf(answer)
      if (answer.status === 'success' || code === '307') return stampOf(answer, xml)
      if (!OF_DOCUMENT.test(code)) throw new NoAnswer(`SW said ${code || 'no code'}: ${message}`)
      return { state: 'refused', refusal: { code, message } }
    })
  }

  async find(input: { xml: string; key: string }): Promise<PacFact> {
    const fact = await this.stamp(input)
    if (fact.state !== 'refused') return fact
    const { code, message } = fact.refusal
    const why = `SW said ${code}: ${message}`
    if (TOO_OLD.has(code)) return { state: 'unknown', why, isOver: true }
    return code === 'CFDI3307' ? { state: 'unknown', why } : fact
  }

  async cancel(input: Parameters<PacPort['cancel']>[0]): Promise<PacFact> {
    const { uuid, xml, rfc, motive, substitute, seal } = input
    assertNotInTransaction('SW')
    const no = (code: string, message: string): PacFact => ({ state: 'refused', refusal: { code, message } })
    if (!/^0[1-4]$/.test(motive)) return no('207', 'El motivo de cancelación no es válido.')
    if ((motive === '01') !== (substitute !== undefined))
      return no('207', 'El motivo 01 lleva el folio fiscal que sustituye, y los demás no.')
    return orUnknown(async () => {
      const before = await this.#status({ uuid, xml })
      if (before?.state === 'cancelled') return this.#cancelled({ uuid, xml }, before, null)
      if (before?.isBlocked) return no('CANC108', 'No es cancelable: otro comprobante vigente está relacionado con él.')
      const { certificate, key } = await seal()
      // The key leaves with a password of its own, as the SAT encrypts it.
      const password = randomBytes(12).toString('hex')
      const encrypted = key.export({ format: 'der', type: 'pkcs8', cipher: 'des-ede3-cbc', passphrase: password })
      const request = {
        uuid,
        rfc,
        motivo: motive,
        password,
        b64Cer: certificate,
        b64Key: encrypted.toString('base64'),
        ...(substitute === undefined ? {} : { folioSustitucion: substitute }),
      }
      const answer = await this.#request('/cfdi33/cancel/csd', () => ({
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }))
      if (answer.status !== 'success') {
        const { code, message } = problemOf(answer)
        return no(code || 'SW', message)
      }
      const read = cancelled.safeParse(answer.data)
      const code = read.data ? (read.data.uuid[uuid.toUpperCase()] ?? read.data.uuid[uuid.toLowerCase()] ?? '') : ''
      if (!read.success || code === '') throw new NoAnswer('SW took the cancellation without a code.')
      if (code !== '201' && code !== '202') return no(code, UNANSWERED[code] ?? `El SAT respondió ${code}.`)
      const after = await this.#status({ uuid, xml })
      if (after?.state === 'cancelled') return this.#cancelled({ uuid, xml }, after, read.data.acuse ?? null)
      return { state: 'valid', uuid, xml, cancellation: after?.cancellation === 'rejected' ? 'rejected' : 'requested' }
    })
  }

  async read({ uuid, xml, isCancelling }: StampedDocument & { isCancelling: boolean }): Promise<PacFact> {
    assertNotInTransaction('SW')
    const status = await this.#status({ uuid, xml })
    if (!status || status.state === 'unknown') return { state: 'unknown', why: `The SAT said ${status?.text ?? 'nothing'}.` }
    if (status.state === 'cancelled') return orUnknown(() => this.#cancelled({ uuid, xml }, status, null))
    // The SAT shows an accepted request with a delay: until then the state is unknown.
    if (isCancelling && status.cancellation === 'none') return { state: 'unknown', why: 'The SAT does not show the request yet.' }
    return { state: 'valid', uuid, xml, cancellation: status.cancellation }
  }

  async cancelledSince({ candidates }: { candidates: () => AsyncIterable<StampedDocument> }): Promise<string[]> {
    assertNotInTransaction('SW')
    const found: string[] = []
    for await (const { uuid, xml } of candidates()) {
      const status = await this.#status({ uuid, xml })
      // When the SAT does not answer for one it does not for the next: the rest is checked in a later run.
      if (!status) break
      if (status.state === 'cancelled') found.push(uuid)
    }
    return found
  }

  async check(): Promise<'ok' | 'refused' | 'silent'> {
    assertNotInTransaction('SW')
    this.#token = null
    try {
      await this.#signIn()
      return 'ok'
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      return error instanceof KeysRefused ? 'refused' : 'silent'
    }
  }

  #status = (of: StampedDocument): Promise<SatStatus | null> => fetchSatStatus(this.#bases.sat, of, this.#timeoutMs)

  async #cancelled({ uuid, xml }: StampedDocument, status: SatStatus, acknowledgement: string | null): Promise<PacFact> {
    const receipt = acknowledgement ?? (await this.#receipt(uuid)) ?? `<ConsultaSAT UUID="${uuid}" Estado="${status.text}"/>`
    return { state: 'cancelled', uuid, xml, receipt }
  }

  /** The SAT's receipt of a cancellation, where SW keeps one. */
  async #receipt(uuid: string): Promise<string | null> {
    try {
      const headers = { authorization: `Bearer ${await this.#signIn()}` }
      const known = await this.#fetch(`${this.#bases.storage}/datawarehouse/v1/live/${uuid}`, { method: 'GET', headers })
      const address = storage.safeParse(await known.json()).data?.data.records[0]?.urlAckCancellation
      if (!address || (!address.startsWith('https://') && !address.startsWith(this.#bases.storage))) return null
      const file = await this.#fetch(address, { method: 'GET' })
      const text = file.ok ? await file.text() : ''
      return text.includes(uuid.toUpperCase()) ? text : null
    } catch {
      return null
    }
  }

  /** A request with a token; one that is no longer accepted is replaced once. NoAnswer where nothing that counts came back. */
  async #request(path: string, request: () => { headers: Record<string, string>; body: BodyInit }): Promise<Envelope> {
    for (let attempt = 1; ; attempt++) {
      const value = await this.#signIn()
      const { headers, body } = request()
      const answer = await this.#fetch(`${this.#bases.services}${path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${value}` },
        body,
      })
      if (answer.status === 401 && attempt === 1) {
        if (this.#token?.value === value) this.#token = null
        continue
      }
      if (answer.status === 401) throw new KeysRefused('SW accepts no token of this account.')
      return readEnvelope(answer)
    }
  }

  async #signIn(): Promise<string> {
    const now = this.#options.now().getTime()
    if (this.#token && this.#token.until > now) return this.#token.value
    this.#signingIn ??= this.#newToken().finally(() => {
      this.#signingIn = null
    })
    return this.#signingIn
  }

  async #newToken(): Promise<string> {
    const { user, password, now } = this.#options
    const answer = await this.#fetch(`${this.#bases.services}/security/authenticate`, {
      method: 'POST',
      headers: { user, password, 'content-type': 'application/json' },
    })
    if (answer.status === 401 || answer.status === 403) throw new KeysRefused('SW does not accept the user or its password.')
    const content = await readEnvelope(answer)
    const read = token.safeParse(content.data)
    if (content.status !== 'success' || !read.success) {
      if (problemOf(content).code.startsWith('AU')) throw new KeysRefused('SW does not accept the user or its password.')
      throw new NoAnswer('SW gave no token.')
    }
    // A timestamp or a number of seconds: whatever it is, two hours at most.
    const { expires_in = TOKEN_LIFE_S } = read.data
    const end = expires_in > 10 * TOKEN_LIFE_S ? expires_in * 1000 : now().getTime() + expires_in * 1000
    this.#token = { value: read.data.token, until: Math.min(end - MARGIN_MS, now().getTime() + TOKEN_MS) }
    return read.data.token
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(this.#timeoutMs) })
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw new NoAnswer(isLate ? 'SW did not answer in time.' : 'SW could not be reached.', { cause: error })
    }
  }
}

async function orUnknown(work: () => Promise<PacFact>): Promise<PacFact> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { state: 'unknown', why: error.message, ...(error instanceof KeysRefused ? { isUnsent: true } : {}) }
  }
}

async function readEnvelope(answer: Response): Promise<Envelope> {
  if (answer.status === 429 || answer.status >= 500) throw new NoAnswer(`SW answered ${answer.status}.`)
  let body: unknown
  try {
    body = await answer.json()
  } catch (cause) {
    throw new NoAnswer(`SW answered ${answer.status} with nothing that can be read.`, { cause })
  }
  const read = envelope.safeParse(body)
  if (!read.success) throw new NoAnswer(`SW answered ${answer.status} in another form.`)
  return read.data
}

/** "CFDI40145 - El campo…" apart. */
function problemOf({ message, messageDetail }: Envelope): { code: string; message: string } {
  const whole = message ?? ''
  const code = CODE.exec(whole)?.[1] ?? ''
  const text = [whole.replace(CODE, ''), messageDetail ?? ''].filter((part) => part.trim() !== '').join(' ')
  return { code, message: text.replace(/\s+/g, ' ').trim().slice(0, 400) || 'El proveedor de timbrado no dijo por qué.' }
}

/** The stamp of an answer, with this document's seal in it: what belongs to another document never counts as this one's. */
function stampOf(answer: Envelope, sealed: string): PacFact {
  const { cfdi, tfd } = stamped.safeParse(answer.data).data ?? {}
  const declaration = /^\uFEFF?\s*<\?xml[^>]*\?>\s*/
  const xml =
    cfdi ||
    (tfd
      ? sealed.replace(
          /<\/cfdi:Comprobante>\s*$/,
          `<cfdi:Complemento>${tfd.replace(declaration, '')}</cfdi:Complemento></cfdi:Comprobante>`,
        )
      : '')
  try {
    const [root, sent] = [parse(xml), parse(sealed)]
    const stamp = findChild(findChild(root, 'cfdi:Complemento'), 'tfd:TimbreFiscalDigital')
    const { UUID: uuid, SelloCFD } = stamp?.attributes ?? {}
    if (uuid && SelloCFD === sent.attributes.Sello && root.attributes.Sello === sent.attributes.Sello)
      return { state: 'valid', uuid: uuid.toUpperCase(), xml, cancellation: 'none' }
  } catch {
    // Not a document.
  }
  throw new NoAnswer('SW says that it is stamped, without a stamp of this document.')
}
