/**
 * Our handler answers as oRPC's own does, but for what it leaves out on purpose: it is put together from parts of oRPC that a new
 * version may move.
 */
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { ORPCError, os } from '@orpc/server'
import { FetchHandler } from '@orpc/server/fetch'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ApiHandler } from './api-handler.ts'

const router = {
  read: os
    .route({ method: 'GET', path: '/thing/{thing_id}' })
    .input(z.object({ thing_id: z.coerce.number(), tags: z.array(z.string()).optional() }))
    .handler(({ input }) => ({ ...input, nested: { list: [1, 'two', null, true], empty: {} } })),
  write: os
    .route({ method: 'POST', path: '/thing', successStatus: 201 })
    .input(z.object({ name: z.string() }))
    .handler(({ input }) => input),
  file: os.route({ method: 'GET', path: '/file' }).handler(() => new File(['á,b\n1,2\n'], 'lista.csv', { type: 'text/csv' })),
  refuse: os.route({ method: 'GET', path: '/refuse' }).handler(() => {
    throw new ORPCError('CLASS_FULL', { status: 412, message: 'No hay lugares.', data: { left: 0 } })
  }),
}
const ours = new FetchHandler(new ApiHandler(router))
const theirs = new OpenAPIHandler(router)

async function answerOf(handler: { handle: typeof theirs.handle }, path: string, init?: RequestInit) {
  const { matched, response } = await handler.handle(new Request(`http://studio.test/api${path}`, init), { prefix: '/api', context: {} })
  if (!matched) return 'no such endpoint'
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, body: await response.text(), type: header('content-type'), disposition: header('content-disposition') }
}

describe('responds like oRPC’s handler', () => {
  test.each<[string, RequestInit | undefined]>([
    ['/thing/7?tags=a&tags=b', undefined],
    ['/thing/7?tags[0]=a&tags[1]=b', undefined],
    ['/thing/seven', undefined],
    ['/thing', { method: 'POST', body: '{"name":"Ána"}', headers: { 'content-type': 'application/json' } }],
    ['/thing', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['/file', undefined],
    ['/refuse', undefined],
    ['/nothing', undefined],
  ])('%s %j', async (path, init) => {
    const answer = await answerOf(ours as typeof theirs, path, init)
    expect(answer).toEqual(await answerOf(theirs, path, init))
  })
})

test('HEAD is answered as GET, and the methods of a path are listed', async () => {
  const handler = new ApiHandler(router)
  expect(await answerOf(new FetchHandler(handler) as typeof theirs, '/thing/7', { method: 'HEAD' })).toMatchObject({ status: 200 })
  expect([await handler.methodsOf('/thing/7'), await handler.methodsOf('/thing'), await handler.methodsOf('/nothing')]).toEqual([
    ['GET'],
    ['POST'],
    [],
  ])
})
