/**
 * The API without our client: raw requests, the contract's declarations, and checks of responses. Typed clients cannot send most of what an
 * attacker can.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type * as z from 'zod'
import type { EndpointMeta } from '#contract/endpoint.ts'
import { type ErrorData, errors, isErrorCode, sentence } from '#contract/errors.ts'
import { contract } from '#contract/index.ts'

export interface RawRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer | undefined
  /** Sends the body without Content-Length. */
  chunked?: boolean
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends one request exactly as written; `path` is not normalised. */
export function send(base: string, input: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const headers = { ...input.headers }
    if (input.chunked) headers['transfer-encoding'] = 'chunked'
    else if (input.body !== undefined) headers['content-length'] = String(Buffer.byteLength(input.body))
    const outgoing = request({ hostname, port, method: input.method, path: input.path, headers, agent }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (part: string) => {
        text += part
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }))
      incoming.on('error', reject)
    })
    // A server that refuses a body early may close the connection while it is sent: the response counts, if there is one.
    outgoing.on('error', (error) => setTimeout(reject, 50, error))
    outgoing.end(input.body)
  })
}

/** An endpoint as the contract declares it. */
export interface Declared extends EndpointMeta {
  /** `bookings.reserve` */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Under /api. */
  path: string
  /** Names of all inputs, path parameters included. */
  fields: string[]
  params: string[]
  codes: string[]
  schema: z.ZodObject | undefined
}

interface Definition {
  '~orpc': {
    route: { method: Declared['method']; path: string }
    meta: EndpointMeta
    inputSchema?: z.ZodObject
    errorMap: Record<string, unknown>
  }
}

/** Every endpoint of the contract. */
export function endpoints(): Declared[] {
  const found: Declared[] = []
  const collect = (at: object, name: string) => {
    if ('~orpc' in at) {
      const { route, meta, inputSchema, errorMap } = (at as unknown as Definition)['~orpc']
      found.push({
        name,
        method: route.method,
        path: route.path,
        ...meta,
        fields: Object.keys(inputSchema?.shape ?? {}),
        params: [...route.path.matchAll(/\{\+?(\w+)\}/g)].map(([, param]) => param ?? ''),
        codes: Object.keys(errorMap),
        schema: inputSchema,
      })
    } else for (const [key, inner] of Object.entries(at)) collect(inner as object, name ? `${name}.${key}` : key)
  }
  collect(contract, '')
  return found
}

const LEAKS: Record<string, RegExp> = {
  'a stack': /\n\s+at |\bat \S+ \(|\.[cm]?[jt]s:\d+/,
  'a path of the server': /node_modules|file:\/\/|#server\//,
  SQL: /\b(select|insert|update|delete)\b[^"]{0,80}\b(from|into|set|where)\b|SQLSTATE|pg_catalog|violates|syntax error/i,
  'an error of a library': /\b(TypeError|RangeError|SyntaxError|ReferenceError|ZodError|ORPCError|FST_ERR|ECONN)/,
  English: /\b(invalid|expected|received|required|must be|should|too (big|small|large)|not found|bad request|unrecognized|unexpected)\b/i,
}

/** Everything that is wrong with a response that should be a refusal; empty = a well-formed refusal. */
export function faultsOf(answer: Answer): string[] {
  const faults: string[] = []
  const { status, text } = answer
  if (status < 400) return [`status ${status} is no refusal`]
  if (status >= 500 && status !== 503) faults.push(`status ${status}`)
  for (const [what, pattern] of Object.entries(LEAKS)) {
    // Codes and paths of fields are in English; sentences must be in Spanish.
    const found = pattern.exec(text.replace(/"code":"[A-Z_]+"/g, '').replace(/"path":"[^"]*"/g, ''))
    if (found) faults.push(`${what}: ${found[0]}`)
  }
  let body: { code?: unknown; message?: unknown; status?: unknown; data?: ErrorData }
  try {
    body = JSON.parse(text)
  } catch {
    return [...faults, `no JSON: ${text.slice(0, 200)}`]
  }
  const { code, message } = body
  if (typeof code !== 'string' || !isErrorCode(code)) return [...faults, `unknown code ${JSON.stringify(code)}`]
  if (errors[code].status !== status) faults.push(`${code} with status ${status}`)
  if (status === 503 && !['BUSY', 'PAYMENT_TRY_LATER'].includes(code)) faults.push(`503 ${code}`)
  if (message !== sentence(code, body.data ?? {})) faults.push(`message ${JSON.stringify(message)}`)
  if (!String(answer.headers['content-type']).startsWith('application/json')) faults.push(`type ${answer.headers['content-type']}`)
  return faults
}
