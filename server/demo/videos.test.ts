/** The videos of the demo studio: enough for three pages, each of them plays, and one customer may watch them while another may not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { seedDemo } from './demo.ts'

let on: TestStudio
let ana: Person
let diego: Person
beforeAll(async () => {
  on = await studio()
  // Two processes that start at once make them once.
  await Promise.all([seedDemo(on.studio, 'vaiven'), seedDemo(on.studio, 'vaiven')])
  await seedDemo(on.studio, 'vaiven')
  const enter = async (email: string) => {
    const [row] = await on.sql<{ uid: string; customer_id: number }>('select uid, customer_id from customer where email = $1', [email])
    if (!row) throw new Error(`${email} is not there.`)
    return { ...row, email, token: await on.studio.ports.identity.tokenFor(row.uid) }
  }
  ;[ana, diego] = [await enter('ana@vaiven.example'), await enter('diego@vaiven.example')]
})
afterAll(() => on.close())

test('three pages, one featured, two upcoming; each with coach, type, kind, tags and length (S2-2.60, S2-2.63)', async () => {
  const as = on.as(ana).videos
  const pages = await Promise.all([1, 2, 3].map((page) => as.list({ page })))
  expect(pages.map(({ videos, pages }) => [videos.length, pages])).toEqual([
    [32, 3],
    [32, 3],
    [expect.any(Number), 3],
  ])
  const all = pages.flatMap(({ videos }) => videos)
  expect(all.length).toBeGreaterThan(68)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, description, instructor, class_type, video_type, duration } of all) {
    expect([name, Boolean(instructor && class_type && video_type), duration > 0]).toEqual([name, true, true])
    expect(description.length).toBeGreaterThan(20)
  }
  expect(pages[0]).toMatchObject({ can_watch: true, featured: { name: 'Subida larga: ciclo con cadencia', featured: true } })
  expect((await as.upcoming({})).videos.map(({ name, publish_date }) => [name, publish_date])).toEqual([
    ['Ciclo de montaña', '2026-11-22T07:00:00.000Z'],
    ['Barre de madrugada', '2026-11-28T07:00:00.000Z'],
  ])
  expect((await as.types()).video_types).toHaveLength(5)
  expect((await on.as(null).catalogue.tags({ type: 'video' })).tags).toHaveLength(9)
})

test('three programs, in the order of their days (S2-7.20, S2-7.30)', async () => {
  const { programs } = await on.as(ana).videos.programs()
  expect(programs.map(({ name, videos }) => [name, videos])).toEqual([
    ['Espalda sana en diez días', 10],
    ['Siete noches de yin', 7],
    ['Base de reformer en casa', 6],
  ])
  const { videos } = await on.as(ana).videos.ofProgram({ program: programs[0]?.program_id ?? 0 })
  expect(videos.map(({ name }) => name.split(':')[0])).toEqual(Array.from({ length: 10 }, (_, i) => `Día ${i + 1}`))
})

test('Ana can play each clip whole and in ranges; Diego has to buy (S2-2.65, S2-2.67)', async () => {
  const { videos } = await on.as(ana).videos.list({})
  const sources = new Map<string, string>()
  for (const { video_id } of videos) {
    const { video } = await on.as(ana).videos.one({ video_id })
    expect(video.embed).toMatchObject({ kind: 'file', host: null })
    const src = video.embed?.src ?? ''
    sources.set(src.split('?')[0] ?? '', src)
  }
  expect(sources.size).toBe(6)
  let bytes = 0
  for (const src of sources.values()) {
    const whole = await fetch(`${on.url}${src}`)
    const body = Buffer.from(await whole.arrayBuffer())
    bytes += body.length
    expect([whole.status, whole.headers.get('content-type'), body.readUInt32BE(0).toString(16)]).toEqual([200, 'video/webm', '1a45dfa3'])
    expect((await fetch(`${on.url}${src}`, { headers: { range: 'bytes=1000-1999' } })).status).toBe(206)
  }
  expect(bytes).toBeLessThan(300_000)
  expect((await on.as(diego).videos.list({})).can_watch).toBe(false)
  expect(await codeOf(on.as(diego).videos.one({ video_id: videos[0]?.video_id ?? 0 }))).toBe('VIDEO_NEEDS_PURCHASE')
  // Stored once, also when two processes started.
  expect(await on.sql(`select count(*)::int as n from file where "deletedAt" is null`)).toEqual([{ n: 6 }])
})

test('Ana has favourites, finished some and rated one (S2-2.62)', async () => {
  const as = on.as(ana).videos
  expect((await as.favorites()).favorites).toHaveLength(3)
  expect((await as.list({ completed: true })).videos.map(({ name }) => name)).toEqual([
    'Barre express de pie',
    'Subida larga: ciclo con cadencia',
  ])
  expect((await as.list({ query: 'subida larga' })).videos[0]?.rating?.stars).toBe(5)
  expect((await on.as(diego).videos.favorites()).favorites).toEqual([])
})
