/** Tu semana: on Monday morning, once, to the owners, with the figures of the reports (RE27). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { generateStudio } from '#server/testing/generated-studio.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { isEmailTime, sendWeeklyEmail } from './weekly-email.ts'

const MONDAY = '2026-11-16T08:05:00-06:00'
let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  s.clock.set(START)
  await generateStudio(s, 'ordinary', 5)
  owner = await s.make.staff('owner')
  await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(MONDAY))

const emails = () =>
  s.sql<{ staff_id: number; channel: string; words: { title: string; lines: string[] } }>(
    `select staff_id, channel, words from message where event = 'weekly_email' order by message_id`,
  )

test('it is time from Monday at 7 on the clocks of the studio', () => {
  const at = (text: string, zone = 'America/Mexico_City') => isEmailTime(new Date(text), zone)
  expect([
    at('2026-11-16T06:59:00-06:00'),
    at('2026-11-16T07:00:00-06:00'),
    at('2026-11-16T23:59:00-06:00'),
    at('2026-11-17T07:00:00-06:00'),
  ]).toEqual([false, true, true, false])
  // 07:30 in Mexico City is 05:30 in Tijuana.
  expect(at('2026-11-16T07:30:00-06:00', 'America/Tijuana')).toBe(false)
})

test('nothing is sent on another day or while the switch is off', async () => {
  s.clock.set('2026-11-17T08:05:00-06:00')
  await sendWeeklyEmail(s.system())
  s.clock.set(MONDAY)
  await s.having({ weekly_email: false }, () => sendWeeklyEmail(s.system()))
  expect(await emails()).toEqual([])
})

test('each owner gets one email, however often the job runs, with the figures of the week', async () => {
  await Promise.all([sendWeeklyEmail(s.system()), sendWeeklyEmail(s.system())])
  s.clock.advance({ hours: 3 })
  await sendWeeklyEmail(s.system())
  const sent = await emails()
  const owners = await s.sql<{ staff_id: number }>(`select staff_id from staff where role = 'owner' order by 1`)
  expect([sent.map(({ staff_id }) => staff_id).sort(), new Set(sent.map(({ channel }) => channel))]).toEqual([
    owners.map(({ staff_id }) => staff_id).sort(),
    new Set(['mail']),
  ])
  const { words } = sent[0] ?? { words: { title: '', lines: [] } }
  const week = { from: '2026-11-09', to: '2026-11-15' }
  const collected = (await s.as(owner).reports.read({ key: 'cobrado', ...week })).figures[0]?.value ?? 0
  expect(words.title).toMatch(/^Tu semana en /)
  expect(words.lines[0]).toBe('Del 09 nov al 15 nov, contra la semana anterior.')
  expect(words.lines[1]).toContain(`Cobrado: $${collected.toLocaleString('en-US', { minimumFractionDigits: 2 })}`)
  expect(words.lines.filter((line) => /^\d\. /.test(line)).length).toBeLessThanOrEqual(3)
})

test('a studio in which nothing happened gets none', async () => {
  const empty = await studio({ at: MONDAY })
  await empty.make.staff('owner')
  await sendWeeklyEmail(empty.system())
  expect(await empty.sql(`select 1 from message where event = 'weekly_email'`)).toEqual([])
  await empty.close()
})
