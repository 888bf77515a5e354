/**
 * Staff of one location read nothing of another (docs/domain.md E4, E14, Y4, L1, N1, RE1): every reading of the administration is called
 * with the ids and days of a location where the caller does not work, and no word and no number of its records is in an answer.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from '#server/testing/studio.ts'
import { bearer } from '#server/testing/target.ts'
import { type Ids, MARK, type TwoLocations, twoLocations } from '#server/testing/two-locations.ts'
import { type Declared, endpoints, send } from '#server/testing/wire.ts'

let s: TwoLocations['s']
let owner: TwoLocations['owner']
let boss: TwoLocations['boss']
let locations: TwoLocations['locations']
let there: Ids

beforeAll(async () => {
  const world = await twoLocations()
  s = world.s
  owner = world.owner
  boss = world.boss
  locations = world.locations
  there = world.there
})
afterAll(() => s.close())

/** Everything that may be read of all locations, and why. */
const OF_NO_LOCATION: Record<string, string> = {
  'messages.log': 'messages belong to no location (E4)',
  'messages.outbox': 'mails that were not sent, for who may change code',
  'messageTemplates.samples': 'messages belong to no location (E4)',
  'listExports.messages': 'messages belong to no location (E4)',
  'customerRecords.timeline': 'the titles of messages to the customer (E4)',
  'customerFile.creditMovements': 'credits belong to no location (E4)',
}
/** Fields that name what is of all locations: the class of a movement of credits is in the customer's file. */
const COMMON = new Set(['location_id', 'customer_id', 'instructor_id', 'class_type_id', 'class_package_id', 'product_id'])
/** What a reading needs to be answered. */
const NEEDED: Record<string, [string, string][]> = {
  'fiscal.month': [['month', '2026-11']],
  'holidays.official': [['year', '2026']],
  'studioSchedule.read': [
    ['start_date', '2026-11-16'],
    ['end_date', '2026-12-31'],
  ],
}
const DAYS: [string, string][] = [
  ['from', '2026-11-01'],
  ['to', '2026-12-31'],
]

/** The addresses of a reading: with the other location's ids and word, and with many days. */
function addressesOf(endpoint: Declared, reports: readonly string[]): string[] {
  const names = endpoint.fields.filter((field) => !endpoint.params.includes(field))
  const base: [string, string][] = [
    ...(NEEDED[endpoint.name] ?? []),
    ...(names.includes('format') ? ([['format', 'csv']] as [string, string][]) : []),
  ]
  const days = names.includes('from') && names.includes('to') ? DAYS : []
  const searched: [string, string][] = names.includes('query') ? [['query', MARK]] : []
  const named = names.flatMap((name) => (there[name] ?? []).map((value): [string, string] => [name, String(value)]))
  const queries = [base, [...base, ...days], [...base, ...days, ...searched], ...named.map((each) => [...base, ...days, each])]
  const values = (param: string) => (param === 'key' ? reports : (there[param] ?? [])).map(String)
  const paths = endpoint.params.reduce<string[]>(
    (paths, param) => paths.flatMap((path) => values(param).map((value) => path.replace(new RegExp(`\\{\\+?${param}\\}`), value))),
    [`/api${endpoint.path}`],
  )
  return [...new Set(paths.flatMap((path) => queries.map((query) => `${path}?${new URLSearchParams(query)}`)))]
}

/** Data of the other location in a response: its marker word, its stock, and its ids under the names of their fields. */
function leaksIn(text: string): string[] {
  const found = [...text.matchAll(new RegExp(`.{0,40}${MARK}.{0,20}`, 'g'))].map(([words]) => words)
  // As a number of its own: a random code or telephone may contain these digits.
  if (/(?<![\w.+-])7777(?![\w-])/.test(text)) found.push('its pieces')
  const collect = (at: unknown, name: string): void => {
    if (Array.isArray(at)) for (const item of at) collect(item, name)
    else if (at && typeof at === 'object') for (const [field, value] of Object.entries(at)) collect(value, field)
    else if (!COMMON.has(name) && there[name]?.includes(at as number)) found.push(`${name} ${at}`)
  }
  if (/^[[{]/.test(text)) collect(JSON.parse(text), '')
  return found
}

// Calls every reading endpoint of the administration, at each of its addresses.
test('no reading of the administration shows staff of one location anything of another', { timeout: 120_000 }, async () => {
  const reports = (await s.as(owner).reports.list({})).reports.map(({ key }) => key)
  const isOfTrail = ({ name }: Declared) => name === 'auditLog.list'
  // The audit trail first: otherwise it would contain this caller's exports.
  const readings = endpoints()
    .filter(({ method, access }) => method === 'GET' && access.startsWith('staff'))
    .sort((first, other) => Number(isOfTrail(other)) - Number(isOfTrail(first)))
  const leaks: Record<string, string[]> = {}
  let answered = 0
  for (const reading of readings) {
    for (const path of addressesOf(reading, reports)) {
      const { status, text } = await send(s.url, { method: 'GET', path, headers: bearer(boss.token) })
      expect(status, path).toBeLessThan(500)
      if (status !== 200) continue
      answered++
      const found = leaksIn(text)
      if (found.length > 0) leaks[reading.name] ??= [path, ...found.slice(0, 3)]
    }
  }
  expect(answered).toBeGreaterThan(200)
  for (const name of Object.keys(OF_NO_LOCATION)) delete leaks[name]
  expect(leaks).toEqual({})
})

test('rooms, templates and broadcasts of another location are not changed either', async () => {
  const id = (name: string) => Number(there[name]?.[0])
  const { rooms, scheduleTemplates, broadcasts } = s.as(boss, randomUUID())
  const before = await s.sql(
    'select (select json_agg(r) from room r)::text as rooms, (select json_agg(b) from broadcast b)::text as broadcasts',
  )
  expect(await codeOf(rooms.create({ location_id: locations.sur, name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(rooms.update({ room_id: id('room_id'), name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(rooms.remove({ room_id: id('room_id') }))).toBe('FORBIDDEN')
  const schedule_template_id = id('schedule_template_id')
  expect(await codeOf(scheduleTemplates.update({ schedule_template_id, name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(scheduleTemplates.apply({ schedule_template_id, to_weeks: ['2026-12-08'] }))).toBe('NOT_FOUND')
  for (const verb of ['pause', 'resume', 'cancel'] as const)
    expect(await codeOf(broadcasts[verb]({ broadcast_id: id('broadcast_id') }))).toBe('NOT_FOUND')
  expect(
    await s.sql('select (select json_agg(r) from room r)::text as rooms, (select json_agg(b) from broadcast b)::text as broadcasts'),
  ).toEqual(before)
})

test('who works at some locations only neither makes, reads nor changes an import, which is of all of them (E14, IM1)', async () => {
  const { import_id } = await s.as(owner).imports.create({ source: 'mindbody', kind: 'customers' })
  const before = await s.sql('select * from import order by import_id')
  const verbs = endpoints().filter(({ name }) => name.startsWith('imports.'))
  expect(verbs.length).toBeGreaterThan(10)
  const bodies: Record<string, object> = {
    'imports.create': { source: 'mindbody', kind: 'customers' },
    'imports.map': { columns: [] },
    'imports.fix': { values: {} },
    'imports.fixAlike': { use: 'skip' },
  }
  for (const { name, method, path } of verbs) {
    const body = method === 'GET' || method === 'DELETE' || name === 'imports.file' ? {} : { body: JSON.stringify(bodies[name] ?? {}) }
    const answer = await send(s.url, {
      method,
      path: `/api${path.replace('{import_id}', String(import_id)).replace('{n}', '1')}`,
      ...body,
      headers: { ...bearer(boss.token), 'content-type': name === 'imports.file' ? 'multipart/form-data; boundary=x' : 'application/json' },
    })
    expect([name, answer.status, JSON.parse(answer.text).code]).toEqual([name, 403, 'FORBIDDEN'])
  }
  expect(await s.sql('select * from import order by import_id')).toEqual(before)
})
