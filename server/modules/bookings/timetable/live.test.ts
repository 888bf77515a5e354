import { afterAll, beforeAll, expect, test } from 'vitest'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import type { LiveClass } from './live.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

/** An open calendar stream: the events received so far, and a way to wait for the next one. */
async function listen(url: string, query = '') {
  const stop = new AbortController()
  const answer = await fetch(`${url}/api/live${query}`, { signal: stop.signal })
  const received: LiveClass[] = []
  let text = ''
  const ended = (async () => {
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) return
      text += value
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: class\ndata: (.*)$/.exec(event)?.[1]
        if (data) received.push(JSON.parse(data))
      }
    }
  })().catch(() => {})
  return { answer, heard: received, ended, stop: () => stop.abort() }
}

const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 2_000) throw new Error('It did not happen within twenty seconds.')
    await new Promise((resume) => setTimeout(resume, 10))
  }
}

test('a booking and a cancellation reach open calendars, without names (H7)', async () => {
  const [ana, cls] = await Promise.all([s.make.customer(), s.make.class({ spot_map: '5,5' })])
  await s.make.lot(ana)
  const calendar = await listen(s.url)
  expect(calendar.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(calendar.answer.headers.get('cache-control')).toBe('no-store')
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1' })
  await until(() => calendar.heard.length === 1)
  expect(calendar.heard[0]).toEqual({
    single_class_id: cls.single_class_id,
    taken: 1,
    places_left: 9,
    class_date: '2026-11-20T10:00:00.000Z',
    cancelled: false,
  })
  await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
  await until(() => calendar.heard.length === 2)
  expect(calendar.heard[1]).toMatchObject({ taken: 0, places_left: 10 })
  calendar.stop()
})

test('sends only the days that are shown, and a burst in one message (H7)', async () => {
  const [near, busy, last, far] = await Promise.all([
    s.make.class(),
    s.make.class(),
    s.make.class(),
    s.make.class({ starts_at: new Date('2026-12-10T16:00:00Z') }),
  ])
  const people = await Promise.all(Array.from({ length: 5 }, () => s.make.customer()))
  for (const person of people) await s.make.lot(person)
  const [thisWeek, december] = [
    await listen(s.url, '?start_date=2026-11-16&end_date=2026-11-22'),
    await listen(s.url, '?start_date=2026-12-07&end_date=2026-12-13'),
  ]
  await Promise.all(people.map((person) => s.as(person).bookings.reserve({ single_class_id: near.single_class_id })))
  await until(() => thisWeek.heard.at(-1)?.taken === 5)
  const changed = ({ single_class_id }: { single_class_id: number }) =>
    s.studio.events.publish([{ topic: 'class', single_class_id, class_date: '2026-11-20' }])
  const countReceived = (cls: { single_class_id: number }) =>
    thisWeek.heard.filter((liveClass) => liveClass.single_class_id === cls.single_class_id).length
  for (let n = 0; n < 5; n++) changed(busy)
  await until(() => countReceived(busy) > 0)
  changed(last)
  await until(() => countReceived(last) > 0)
  expect(countReceived(busy)).toBe(1)
  expect(december.heard).toEqual([])
  await s.as(people[0] ?? null).bookings.reserve({ single_class_id: far.single_class_id })
  await until(() => december.heard.length === 1)
  expect(december.heard[0]?.single_class_id).toBe(far.single_class_id)
  expect(thisWeek.heard.some((cls) => cls.single_class_id === far.single_class_id)).toBe(false)
  thisWeek.stop()
  december.stop()
})

test('refuses invalid days with a message', async () => {
  const answer = await fetch(`${s.url}/api/live?start_date=2026-02-30`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'INVALID_INPUT' })
})

test('limits connections per address', async () => {
  const open = await Promise.all(Array.from({ length: 100 }, () => listen(s.url)))
  const refused = await fetch(`${s.url}/api/live`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('30')
  await refused.body?.cancel()
  for (const calendar of open) calendar.stop()
  await Promise.all(open.map((calendar) => calendar.ended))
  // The server notices closed connections with a delay.
  let status = 0
  for (let tries = 0; status !== 200 && tries < 100; tries++) {
    const again = await listen(s.url)
    status = again.answer.status
    again.stop()
  }
  expect(status).toBe(200)
})

test('receives events of other processes, and shutdown ends the connections', async () => {
  const other = await studio({ database: s.database })
  const [ana, cls] = await Promise.all([s.make.customer(), s.make.class()])
  await s.make.lot(ana)
  const calendar = await listen(other.url)
  await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
  await until(() => calendar.heard.some((liveClass) => liveClass.single_class_id === cls.single_class_id && liveClass.taken === 1))
  await other.close()
  await calendar.ended
})
