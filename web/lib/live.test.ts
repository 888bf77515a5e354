import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LiveListeners, listenLive } from './live.ts'

class Source extends EventTarget {
  readyState = 1
  close() {
    this.readyState = 2
  }
  emit(kind: string, data?: string) {
    this.dispatchEvent(data === undefined ? new Event(kind) : new MessageEvent(kind, { data }))
  }
}

class Page extends EventTarget {
  hidden = false
  show(visible: boolean) {
    this.hidden = !visible
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let sources: Source[] = []
const page = () => new Page() as Page & Document
const open = () => {
  const source = new Source()
  sources.push(source)
  return source as unknown as EventSource
}
function recorder() {
  const received: string[] = []
  const listeners: LiveListeners = {
    onClass: (event) => received.push(`class ${event.single_class_id}: ${event.places_left}`),
    onResync: () => received.push('resync'),
  }
  return { received, listeners }
}

beforeEach(() => {
  sources = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const listen = (listeners: LiveListeners, shown = page()) =>
  listenLive(listeners, '/api/live?start_date=2026-11-16&end_date=2026-11-22', open, shown)
const event = { single_class_id: 7, taken: 11, places_left: 1, cancelled: false, class_date: '2026-11-20T18:00:00.000Z' }

test('a change of a class is delivered until the listener is removed', () => {
  const { received, listeners } = recorder()
  const leave = listen(listeners)
  sources[0]?.emit('open')
  sources[0]?.emit('class', JSON.stringify(event))
  expect(received).toEqual(['class 7: 1'])
  leave()
  expect(sources[0]?.readyState).toBe(2)
})

test('a connection after a gap resyncs, the first one does not', () => {
  const { received, listeners } = recorder()
  listen(listeners)
  sources[0]?.emit('open')
  expect(received).toEqual([])
  sources[0]?.emit('error')
  sources[0]?.emit('open')
  expect(received).toEqual(['resync'])
})

test('a source that closed for good is reopened with growing delays', () => {
  listen(recorder().listeners)
  const fail = () => {
    const last = sources.at(-1)
    last?.close()
    last?.emit('error')
  }
  fail()
  vi.advanceTimersByTime(1_999)
  expect(sources.length).toBe(1)
  vi.advanceTimersByTime(1)
  expect(sources.length).toBe(2)
  fail()
  vi.advanceTimersByTime(3_999)
  expect(sources.length).toBe(2)
  vi.advanceTimersByTime(1)
  expect(sources.length).toBe(3)
})

test('a hidden page closes the connection and resyncs when it is shown again', () => {
  const shown = page()
  const { received, listeners } = recorder()
  listen(listeners, shown)
  sources[0]?.emit('open')
  shown.show(false)
  expect(sources[0]?.readyState).toBe(2)
  shown.show(true)
  sources[1]?.emit('open')
  expect(received).toEqual(['resync'])
})

test('a malformed message is ignored', () => {
  const { received, listeners } = recorder()
  listen(listeners)
  for (const data of ['', 'null', '{}', '[]', '7', JSON.stringify({ ...event, places_left: '1' })]) sources[0]?.emit('class', data)
  expect(received).toEqual([])
})

test('a removed listener gets nothing, even when its connection comes back', () => {
  const { received, listeners } = recorder()
  const leave = listen(listeners)
  sources[0]?.close()
  sources[0]?.emit('error')
  leave()
  vi.advanceTimersByTime(120_000)
  expect(sources.length).toBe(1)
  expect(received).toEqual([])
})
