/**
 * POST to an address that others named. The host's name is resolved first, every address checked, and the connection made to a checked
 * address: a name that resolves differently the second time (DNS rebinding) reaches nothing else. Redirects are not followed.
 */
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf, mayReach } from './public-address.ts'

interface Address {
  address: string
  family: number
}
export type Resolve = (host: string) => Promise<Address[]>

/** How much of a response is read. */
const RESPONSE_BYTES = 2_048

/** A reason not to send, as a log shows it. */
export class Unreachable extends Error {}

interface Posted {
  headers: Record<string, string | number>
  body: string | Buffer
  /** Ends it, from resolving to the end of the response. */
  signal: AbortSignal
}

export type PublicPost = (url: URL, posted: Posted) => Promise<{ status: number; response: string }>

/** `allowLoopback`: development and tests only. `resolve`: replaced in tests. */
export function publicPost({ allowLoopback, resolve = resolveAll }: { allowLoopback: boolean; resolve?: Resolve | undefined }): PublicPost {
  /** The checked address to connect to. */
  async function addressOf(url: URL): Promise<Address> {
    const host = hostOf(url)
    const kind = isIP(host)
    const found = kind ? [{ address: host, family: kind }] : await resolve(host)
    const [first] = found
    if (!first) throw new Unreachable('El nombre no tiene dirección.')
    // All of them: which one a receiver answers on is its own choice.
    if (!found.every(({ address }) => mayReach(address, allowLoopback))) throw new Unreachable('La dirección es de una red privada.')
    return first
  }
  return async (url, posted) => post(url, await Promise.race([addressOf(url), abortOf(posted.signal)]), posted)
}

const resolveAll: Resolve = (host) => lookup(host, { all: true })

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

function post(url: URL, address: Address, { headers, body, signal }: Posted): Promise<{ status: number; response: string }> {
  // Answers every question for the host with the checked address, in the form of a single result or of a list.
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [address])
    else done(null, address.address, address.family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, lookup: pinned, agent: false }, (answer) => {
      readBeginning(answer).then((response) => resolve({ status: answer.statusCode ?? 0, response }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The first bytes of a response; the rest is not received. */
async function readBeginning(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes >= RESPONSE_BYTES) break
  }
  answer.destroy()
  // PostgreSQL stores no NUL.
  return Buffer.concat(parts).subarray(0, RESPONSE_BYTES).toString('utf8').replaceAll('\u0000', '')
}

const CODES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'El nombre no existe.',
  EAI_AGAIN: 'No se pudo buscar el nombre.',
  ECONNREFUSED: 'No acepta conexiones.',
  ECONNRESET: 'Cortó la conexión.',
  ETIMEDOUT: 'No respondió a tiempo.',
}

/** Why an attempt failed, as a sentence. */
export function toReason(error: unknown): string {
  if (error instanceof Unreachable) return error.message
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return 'No respondió a tiempo.'
  return (
    CODES[code ?? ''] ??
    (/CERT|SSL|TLS/.test(code ?? '') ? 'Su certificado no es válido.' : `No se pudo enviar${code ? ` (${code})` : ''}.`)
  )
}
