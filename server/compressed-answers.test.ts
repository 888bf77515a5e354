/** Responses of the API are sent in the smallest encoding that the client accepts, with the same content in each. */
import { get as ask, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, type Target, target } from '#server/testing/target.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

/** The bytes of an answer as they travel. */
function bytes(path: string, accept: string | null): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = { ...bearer(t.people.ana.token), ...(accept === null ? {} : { 'accept-encoding': accept }) }
  return new Promise((resolve, reject) => {
    ask(new URL(path, t.s.url), { headers, agent: false }, async (answer) => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      resolve({ headers: answer.headers, body: Buffer.concat(parts) })
    }).on('error', reject)
  })
}

const LONG = '/api/single_class?start_date=2026-11-16&end_date=2026-12-20'

test('compresses a long response as the client accepts, with the same content', async () => {
  const plain = await bytes(LONG, null)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body.length).toBeGreaterThan(2_048)
  for (const [accept, encoding, open] of [
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br, zstd;q=0', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const { headers, body } = await bytes(LONG, accept)
    expect([headers['content-encoding'], headers.vary], accept).toEqual([encoding, 'accept-encoding'])
    expect(Number(headers['content-length']), accept).toBe(body.length)
    expect(body.length, accept).toBeLessThan(plain.body.length)
    expect(JSON.parse(open(body).toString()), accept).toEqual(JSON.parse(plain.body.toString()))
  }
  // A client that accepts neither, and one that a cache in between might give another encoding.
  for (const accept of ['deflate', 'identity', 'gzip;q=0, br;q=0, zstd;q=0']) {
    const { headers, body } = await bytes(LONG, accept)
    expect([headers['content-encoding'], headers.vary, body.length], accept).toEqual([undefined, 'accept-encoding', plain.body.length])
  }
})

test('compresses on another thread what would hold up other answers, with the same content', async () => {
  // As many classes as make the answer longer than what is compressed at once.
  const { rows } = await t.s.studio.db.pool.query<{ n: number }>(
    `with made as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
       select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '5 min', 12
       from generate_series(0, 999) i, lateral (select timestamptz '2031-03-03 13:00Z' + i * interval '10 minutes' as at) t returning 1)
     select count(*)::int as n from made`,
  )
  expect(rows).toEqual([{ n: 1000 }])
  const path = '/api/single_class?start_date=2031-03-03&end_date=2031-03-10'
  const plain = await bytes(path, null)
  expect(plain.body.length).toBeGreaterThan(262_144)
  for (const [accept, open] of [
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)
    expect(JSON.parse(open((await bytes(path, accept)).body).toString()), accept).toEqual(JSON.parse(plain.body.toString()))
})

test('short responses and files are not compressed', async () => {
  const short = await bytes('/api/class_reservations/999999', 'br')
  expect([short.headers['content-encoding'], JSON.parse(short.body.toString()).code]).toEqual([undefined, 'RESERVATION_NOT_FOUND'])
  const [{ purchase_id } = { purchase_id: 0 }] = await t.s.sql<{ purchase_id: number }>(
    'select purchase_id from purchase where customer_id = $1',
    [t.people.ana.customer_id],
  )
  const receipt = await bytes(`/api/purchases/${purchase_id}/receipt`, 'gzip, br')
  expect([receipt.headers['content-encoding'], receipt.body.subarray(0, 5).toString()]).toEqual([undefined, '%PDF-'])
})
