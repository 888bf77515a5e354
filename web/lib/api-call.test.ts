import { createORPCClient } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { describe, expect, test } from 'vitest'
import { customerEndpoints, type EndpointTree, staffEndpoints } from '#contract/endpoints-by-access.ts'
import { contract } from '#contract/index.ts'
import { branches, buildRequest, CallError, parseResponse } from './api-call.ts'

const BASE = 'https://estudio.test/api'

/** The same call by oRPC's own client: its request, and what it makes of an answer. */
async function byOrpc(
  path: readonly string[],
  input: unknown,
  answer = new Response('{}', { headers: { 'content-type': 'application/json' } }),
) {
  let sent: Request | undefined
  const link = new OpenAPILink(contract, {
    url: BASE,
    fetch: async (request) => {
      sent = request
      return answer
    },
  })
  let call: unknown = createORPCClient(link)
  for (const name of path) call = (call as Record<string, unknown>)[name]
  const outcome = await (call as (input: unknown) => Promise<unknown>)(input).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  return { sent, ...outcome }
}

/** What a request carries; a form as its entries, because its boundary is chosen anew each time. */
async function contents(request: Request) {
  const type = request.headers.get('content-type')?.split(';')[0] ?? null
  const entries = async (form: FormData) =>
    Promise.all(
      [...form].map(async ([name, value]) => (value instanceof File ? [name, value.name, value.type, await value.text()] : [name, value])),
    )
  const body = type === 'multipart/form-data' ? await entries(await request.formData()) : await request.text()
  return { method: request.method, url: request.url, type, body }
}

function flat(tree: EndpointTree, path: readonly string[] = []): { path: readonly string[]; endpoint: string }[] {
  return Object.entries(tree).flatMap(([name, node]) =>
    typeof node === 'string' ? [{ path: [...path, name], endpoint: node }] : flat(node, [...path, name]),
  )
}
const ALL = [...flat(customerEndpoints()), ...flat(staffEndpoints())]

describe('a request equals that of oRPC', () => {
  const file = new File(['hola'], 'año "1".txt', { type: 'text/plain' })
  const INPUTS = [
    {},
    { name: 'Ñandú & Co', page: 2, active: false, none: null, missing: undefined },
    { ids: [3, 5, 8], range: { from: '2026-01-01', to: '2026-02-01' }, 'odd[key]': 'x', rows: [{ a: 1 }, { a: undefined }], empty: [] },
    { file, data: '{"is_public":true}' },
  ]
  test('for every endpoint of the contract and inputs of every kind', async () => {
    expect(ALL.length).toBeGreaterThan(400)
    for (const { path, endpoint } of ALL) {
      const parameters = Object.fromEntries([...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name], at) => [name, at ? `a/ñ ${at}` : 7]))
      for (const input of INPUTS) {
        if (endpoint.startsWith('GET') && 'file' in input) continue
        const { sent } = await byOrpc(path, { ...parameters, ...input })
        if (!sent) throw new Error(`${endpoint} was not sent`)
        const request = buildRequest(endpoint, { ...parameters, ...input }, { base: BASE, headers: {} })
        expect([endpoint, await contents(request)]).toEqual([endpoint, await contents(sent)])
      }
      if (Object.keys(parameters).length === 0) {
        const { sent } = await byOrpc(path, undefined)
        if (!sent) throw new Error(`${endpoint} was not sent`)
        expect(await contents(buildRequest(endpoint, undefined, { base: BASE, headers: {} }))).toEqual(await contents(sent))
      }
    }
  })

  test('with the given headers, and aborted with the signal', () => {
    const aborting = new AbortController()
    const request = buildRequest('POST /x', { a: 1 }, { base: BASE, headers: { 'idempotency-key': 'k' }, signal: aborting.signal })
    expect(request.headers.get('idempotency-key')).toBe('k')
    aborting.abort()
    expect(request.signal.aborted).toBe(true)
  })
})

describe('an answer', () => {
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

  test('carries JSON, nothing, or a file with its name', async () => {
    expect(await parseResponse(json({ rows: [1, null] }))).toEqual({ rows: [1, null] })
    expect(await parseResponse(new Response(null, { status: 204 }))).toBeUndefined()
    for (const [disposition, name] of [
      [`attachment; filename="a\\"b.csv"`, 'a"b.csv'],
      [`attachment; filename="a.csv"; filename*=UTF-8''a%C3%B1o.csv`, 'año.csv'],
      ['inline', 'blob'],
    ] as const) {
      const answer = () => new Response('a,b', { headers: { 'content-disposition': disposition, 'content-type': 'text/csv' } })
      const file = (await parseResponse(answer())) as File
      expect([file.name, file.type, await file.text()]).toEqual([name, 'text/csv', 'a,b'])
      const { value } = (await byOrpc(['credits', 'list'], undefined, answer())) as { value: File }
      expect(value.name).toBe(name)
    }
  })

  test('that refuses throws its code, status, sentence and data, as by oRPC', async () => {
    const body = { defined: true, code: 'CLASS_FULL', status: 412, message: 'La clase está llena.', data: { spots: 0 } }
    const refusal = await parseResponse(json(body, 412)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CallError)
    const { error } = (await byOrpc(['credits', 'list'], undefined, json(body, 412))) as unknown as { error: object }
    for (const key of ['code', 'status', 'message', 'data'] as const)
      expect((refusal as Record<string, unknown>)[key]).toEqual((error as Record<string, unknown>)[key])
  })

  test('of a proxy or a captive portal is an unknown failure with its status', async () => {
    const html = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
    for (const answer of [html(200), html(413), html(502), json({ error: 'x' }, 502), json(undefined, 404)]) {
      const { status } = answer
      await expect(parseResponse(answer)).rejects.toMatchObject({ code: 'UNKNOWN', status, message: '' })
    }
  })

  test('that ends halfway is no answer at all', async () => {
    const cut = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
    await expect(parseResponse(new Response(cut, { headers: { 'content-type': 'application/json' } }))).rejects.toBeInstanceOf(TypeError)
  })
})

test('no name of the contract hides a helper of the tree', () => {
  const tree = branches<Record<string, unknown>>((path) => Object.assign(() => path, { key: path, queryKey: path, queryOptions: path }))
  for (const { path } of ALL) {
    let node: unknown = tree
    for (const name of path) node = (node as Record<string, unknown>)[name]
    expect((node as () => unknown)()).toEqual(path)
  }
})
