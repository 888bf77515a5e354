import { describe, expect, test } from 'vitest'
import { newIdempotencyKey, sendSigned, type Transport } from './api.ts'
import { createRefreshRhythm, type RenewalNote } from './refresh-rhythm.ts'

/** A server that answers with the given statuses in turn, and an identity service that returns numbered tokens. */
function fake(statuses: number[], tokens: (string | null)[] = ['token-1', 'token-2']) {
  const seen: { auth: string | null; body: string }[] = []
  const done: string[] = []
  const by: Transport = {
    async fetch(request) {
      seen.push({ auth: request.headers.get('authorization'), body: await request.text() })
      return new Response('{}', { status: statuses.shift() ?? 200 })
    },
    async bearer(renew) {
      if (renew) done.push('renew')
      return tokens[renew ? 1 : 0] ?? null
    },
    callSucceeded: () => done.push('succeeded'),
    endSession: async () => void done.push('end'),
  }
  return { by, seen, done }
}
const bookingRequest = () => new Request('http://estudio.test/api/class_reservations', { method: 'POST', body: '{"single_class_id":7}' })

describe('signed calls', () => {
  test('a visitor sends no token', async () => {
    const { by, seen, done } = fake([200], [null])
    await sendSigned(bookingRequest(), by)
    expect(seen).toEqual([{ auth: null, body: '{"single_class_id":7}' }])
    expect(done).toEqual([])
  })

  test('a customer sends the token, and a success starts the 15-second interval', async () => {
    const { by, seen, done } = fake([200])
    await sendSigned(bookingRequest(), by)
    expect(seen[0]?.auth).toBe('Bearer token-1')
    expect(done).toEqual(['succeeded'])
  })

  test('a refusal does not start the 15-second interval', async () => {
    const { by, done } = fake([412])
    expect((await sendSigned(bookingRequest(), by)).status).toBe(412)
    expect(done).toEqual([])
  })

  test('a 401 renews the token once and sends the same body again', async () => {
    const { by, seen, done } = fake([401, 200])
    expect((await sendSigned(bookingRequest(), by)).status).toBe(200)
    expect(seen).toEqual([
      { auth: 'Bearer token-1', body: '{"single_class_id":7}' },
      { auth: 'Bearer token-2', body: '{"single_class_id":7}' },
    ])
    expect(done).toEqual(['renew', 'succeeded'])
  })

  test('a second 401 ends the session', async () => {
    const { by, seen, done } = fake([401, 401])
    expect((await sendSigned(bookingRequest(), by)).status).toBe(401)
    expect(seen.length).toBe(2)
    expect(done).toEqual(['renew', 'end'])
  })

  test('a refused renewal ends the session without a second call', async () => {
    const { by, seen, done } = fake([401], ['token-1', null])
    expect((await sendSigned(bookingRequest(), by)).status).toBe(401)
    expect(seen.length).toBe(1)
    expect(done).toEqual(['renew', 'end'])
  })

  test('a renewal that gets no answer does not end the session', async () => {
    const { by, done } = fake([401])
    const offline = {
      ...by,
      bearer: async (renew?: boolean) =>
        renew ? Promise.reject(Object.assign(new Error('x'), { code: 'auth/network-request-failed' })) : 'token-1',
    }
    expect((await sendSigned(bookingRequest(), offline)).status).toBe(401)
    expect(done).toEqual([])
  })

  test('each idempotency key is unique and valid in a header', () => {
    const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey))
    expect(keys.size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^[\w-]{24}$/)
  })
})

describe('the token is renewed at most once every 15 seconds after a success (S1-4.05)', () => {
  function memory(): RenewalNote {
    let noted: number | null = null
    return {
      read: () => noted,
      write: (at) => {
        noted = at
      },
    }
  }
  function rhythmAt(note = memory(), start = 1_000) {
    let now = start
    let renewals = 0
    const rhythm = createRefreshRhythm(
      () => now,
      async () => {
        renewals++
      },
      note,
    )
    return { rhythm, pass: (ms: number) => (now += ms), renewals: () => renewals }
  }

  test('many successes in a row renew it once', () => {
    const { rhythm, pass, renewals } = rhythmAt()
    for (let n = 0; n < 50; n++) {
      rhythm.succeeded()
      pass(299)
    }
    expect(renewals()).toBe(1)
  })

  test('exactly 15 seconds later it is renewed again, not a millisecond before', () => {
    const { rhythm, pass, renewals } = rhythmAt()
    rhythm.succeeded()
    pass(14_999)
    rhythm.succeeded()
    expect(renewals()).toBe(1)
    pass(1)
    rhythm.succeeded()
    expect(renewals()).toBe(2)
  })

  test('a renewal by a sign-in or a 401 also starts the interval', () => {
    const { rhythm, pass, renewals } = rhythmAt()
    rhythm.renewed()
    pass(10_000)
    rhythm.succeeded()
    expect(renewals()).toBe(0)
  })

  test('the interval is shared by the pages of a browser and survives a full load', () => {
    const note = memory()
    rhythmAt(note, 1_000).rhythm.succeeded()
    const later = rhythmAt(note, 15_999)
    later.rhythm.succeeded()
    expect(later.renewals()).toBe(0)
    later.pass(1)
    later.rhythm.succeeded()
    expect(later.renewals()).toBe(1)
  })

  test('renewals continue after the clock was set back', () => {
    const note = memory()
    note.write(9_000_000)
    const { rhythm, renewals } = rhythmAt(note, 1_000)
    rhythm.succeeded()
    expect(renewals()).toBe(1)
  })

  test('without a successful call the token is never renewed', () => {
    const { pass, renewals } = rhythmAt()
    pass(3_600_000)
    expect(renewals()).toBe(0)
  })

  test('a failed renewal does not fail the call', async () => {
    const rhythm = createRefreshRhythm(
      () => 0,
      () => Promise.reject(new Error('offline')),
      memory(),
    )
    expect(() => rhythm.succeeded()).not.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 1))
  })
})
