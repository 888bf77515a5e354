import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLive } from './live.ts'

/** A stream that the test opens, breaks and sends events on. */
class FakeStream {
  readonly address: string
  isClosed = false
  readonly #listeners = new Map<string, (event: Event) => void>()
  constructor(address: string) {
    this.address = address
  }
  addEventListener(name: string, listener: unknown) {
    this.#listeners.set(name, listener as (event: Event) => void)
  }
  close() {
    this.isClosed = true
  }
  emit(name: string, data?: unknown) {
    this.#listeners.get(name)?.({ data: JSON.stringify(data) } as MessageEvent)
  }
}

function setUp({ refuses = 0 } = {}) {
  const streams: FakeStream[] = []
  const events: string[] = []
  const states: boolean[] = []
  let tickets = 0
  const page = Object.assign(new EventTarget(), { hidden: false })
  const end = openLive(
    {
      ticket: async () => {
        tickets++
        if (tickets <= refuses) throw new Error('no connection')
        return { ticket: `t/${tickets}` }
      },
      open: (address) => {
        const stream = new FakeStream(address)
        streams.push(stream)
        return stream as unknown as EventSource
      },
      page: page as unknown as Document,
    },
    { onEvent: (name) => void events.push(name), onState: (isOpen) => void states.push(isOpen) },
  )
  const hide = (hidden: boolean) => {
    page.hidden = hidden
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { streams, events, states, end, hide, tickets: () => tickets }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each connection has a ticket of its own; after a broken one everything is read again', async () => {
  const { streams, events, states, end } = setUp()
  await vi.advanceTimersByTimeAsync(0)
  expect(streams.map(({ address }) => address)).toEqual(['/api/admin/live?ticket=t%2F1'])
  streams[0]?.emit('open')
  streams[0]?.emit('purchase', { purchase_id: 7 })
  expect(events).toEqual(['purchase'])
  streams[0]?.emit('error')
  expect([streams[0]?.isClosed, states.at(-1)]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(streams[1]?.address).toBe('/api/admin/live?ticket=t%2F2')
  streams[1]?.emit('open')
  expect(events).toEqual(['purchase', 'reload'])
  // A late error of the connection before ends nothing.
  streams[0]?.emit('error')
  expect(streams[1]?.isClosed).toBe(false)
  end()
  expect(streams[1]?.isClosed).toBe(true)
})

test('without a connection the pauses grow to a minute, and end when it is back', async () => {
  const { streams, tickets } = setUp({ refuses: 8 })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(tickets()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(tickets()).toBe(2)
  await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000 + 16_000 + 32_000)
  const before = tickets()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(tickets() - before).toBeLessThanOrEqual(1)
  await vi.advanceTimersByTimeAsync(240_000)
  expect(streams).toHaveLength(1)
})

test('a hidden tab has no connection, and reads everything again when it is shown', async () => {
  const { streams, events, hide } = setUp()
  await vi.advanceTimersByTimeAsync(0)
  streams[0]?.emit('open')
  hide(true)
  expect(streams[0]?.isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(streams).toHaveLength(1)
  hide(false)
  await vi.advanceTimersByTimeAsync(0)
  streams[1]?.emit('open')
  expect(events).toEqual(['reload'])
})
