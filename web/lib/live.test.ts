import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LiveListeners, listenLive } from './live.ts'

class Source extends EventTarget {
  readyState = 1
  close() {
    this.readyState = 2
  }
  say(kind: string, data?: string) {
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
function ear() {
  const heard: string[] = []
  const ears: LiveListeners = {
    onClass: (news) => heard.push(`class ${news.single_class_id}: ${news.places_left}`),
    onResync: () => heard.push('resync'),
  }
  return { heard, ears }
}

beforeEach(() => {
  sources = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const listen = (ears: LiveListeners, shown = page()) => listenLive(ears, '/api/live?start_date=2026-11-16&end_date=2026-11-22', open, shown)
const news = { single_class_id: 7, taken: 11, places_left: 1, cancelled: false, class_date: '2026-11-20T18:00:00.000Z' }

test('a class whose places changed is heard, until one leaves', () => {
  const { heard, ears } = ear()
  const leave = listen(ears)
  sources[0]?.say('open')
  sources[0]?.say('class', JSON.stringify(news))
  expect(heard).toEqual(['class 7: 1'])
  leave()
  expect(sources[0]?.readyState).toBe(2)
})

test('the first connection resyncs nothing; a connection after a gap resyncs', () => {
  const { heard, ears } = ear()
  listen(ears)
  sources[0]?.say('open')
  expect(heard).toEqual([])
  sources[0]?.say('error')
  sources[0]?.say('open')
  expect(heard).toEqual(['resync'])
})

test('a source that closed for good is opened again, later and later', () => {
  listen(ear().ears)
  const fail = () => {
    const last = sources.at(-1)
    last?.close()
    last?.say('error')
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

test('a page out of sight listens to nothing and catches up when it is seen again', () => {
  const shown = page()
  const { heard, ears } = ear()
  listen(ears, shown)
  sources[0]?.say('open')
  shown.show(false)
  expect(sources[0]?.readyState).toBe(2)
  shown.show(true)
  sources[1]?.say('open')
  expect(heard).toEqual(['resync'])
})

test('a message that nobody can read is passed over', () => {
  const { heard, ears } = ear()
  listen(ears)
  for (const data of ['', 'null', '{}', '[]', '7', JSON.stringify({ ...news, places_left: '1' })]) sources[0]?.say('class', data)
  expect(heard).toEqual([])
})

test('who left hears nothing more, even when its connection comes back', () => {
  const { heard, ears } = ear()
  const leave = listen(ears)
  sources[0]?.close()
  sources[0]?.say('error')
  leave()
  vi.advanceTimersByTime(120_000)
  expect(sources.length).toBe(1)
  expect(heard).toEqual([])
})
