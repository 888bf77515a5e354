/**
 * How a call of the contract is sent and its answer read: what `OpenAPILink` of oRPC does with the compact inputs, the JSON and the files
 * of this contract, without its event streams and tracing, which would be 8 kB on every signed-in page (decision 006). api-call.test.ts
 * compares both.
 */
import { isRecord } from './errors.ts'

/** A refusal of the server, or an answer that is not the server's (then `code` is 'UNKNOWN' and `message` is empty). */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  readonly data: unknown
  constructor(code: string, status: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** The leaves of an input by their names in a query or a form: `ids[0]`, `range[from]`. */
function leaves(value: unknown, name = '', found: [string, string | Blob][] = []): [string, string | Blob][] {
  if (isRecord(value) && !(value instanceof Blob))
    for (const [key, item] of Object.entries(value)) {
      const part = key.replace(/[\\[\]]/g, String.raw`\$&`)
      leaves(item, name ? `${name}[${part}]` : part, found)
    }
  else if (value !== undefined && value !== null) found.push([name, value instanceof Blob ? value : String(value)])
  return found
}

/** The request of a call. `endpoint`: its method and path, "GET /videos/{video_id}"; parameters of the path are taken out of the input. */
export function buildRequest(
  endpoint: string,
  input: unknown,
  { base, headers, signal }: { base: string; headers: HeadersInit; signal?: AbortSignal | undefined },
): Request {
  const [method = '', path = ''] = endpoint.split(' ')
  let rest = input
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const { [name]: value, ...others } = rest as Record<string, unknown>
    rest = Object.keys(others).length ? others : undefined
    return encodeURIComponent(String(value))
  })
  const request = { method, headers: new Headers(headers), signal: signal ?? null }
  if (rest === undefined) return new Request(base + filled, request)
  if (method === 'GET') {
    const query = new URLSearchParams(leaves(rest) as [string, string][]).toString()
    return new Request(base + filled + (query && `?${query}`), request)
  }
  if (isRecord(rest) && Object.values(rest).some((value) => value instanceof Blob)) {
    const form = new FormData()
    for (const [name, value] of leaves(rest)) form.append(name, value)
    return new Request(base + filled, { ...request, body: form })
  }
  request.headers.set('content-type', 'application/json')
  return new Request(base + filled, { ...request, body: JSON.stringify(rest) })
}

/** The name of an answered file, by RFC 6266. */
function fileName(disposition: string): string {
  const encoded = /filename\*=(?:UTF-8'')?([^;]*)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="((?:\\"|[^"])*)"/i.exec(disposition)?.[1]?.replaceAll(String.raw`\"`, '"') ?? 'blob'
}

/**
 * What an answer carries: JSON, or a file. Throws a CallError for a refusal, and for an answer of something in between (a proxy, a
 * captive portal).
 */
export async function parseResponse(response: Response): Promise<unknown> {
  const { ok, status, headers } = response
  const disposition = headers.get('content-disposition')
  if (ok && disposition) {
    const content = await response.blob()
    return new File([content], fileName(disposition), { type: content.type })
  }
  const text = await response.text()
  const isJson = /^(?:application\/json|$)/.test(headers.get('content-type') ?? '')
  const body: unknown = isJson && text ? JSON.parse(text) : undefined
  if (ok && isJson) return body
  if (!ok && isRecord(body) && typeof body.code === 'string' && typeof body.message === 'string')
    throw new CallError(body.code, status, body.message, body.data)
  throw new CallError('UNKNOWN', status, '')
}

/**
 * Creates the value at a path of the contract (`['bookings', 'reserve']`) when it is read. Properties of the object that `make` returns
 * come first.
 */
export function branches<Tree>(make: (path: readonly string[]) => object, path: readonly string[] = []): Tree {
  return new Proxy(make(path), {
    get: (object, name) =>
      typeof name === 'symbol' || Object.hasOwn(object, name) ? Reflect.get(object, name) : branches(make, [...path, name]),
  }) as Tree
}
