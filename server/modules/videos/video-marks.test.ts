import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio({ settings: { videos_enabled: true } })
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.reset())
afterEach(() => s.sql('update video set "deletedAt" = now() where "deletedAt" is null'))

const URL_OF = 'https://vimeo.com/76979871/8272103f6e'
const ONLINE = { is_online: true, unlimited: true } as const
const DAY = 86_400_000
const member = async () => {
  const customer = await s.make.customer()
  await s.make.lot(customer, ONLINE)
  return customer
}
const film = async (values: Parameters<typeof s.make.video>[0] = {}) => (await s.make.video({ url: URL_OF, ...values })).video_id

describe('the customer’s marks on a video (O7, O12, S2-1.06)', () => {
  test('starting is stored once, with the first time (S2-3.19)', async () => {
    const [ana, video_id] = [await member(), await film()]
    const { video } = await s.as(ana).videos.play({ video_id })
    expect(video.embed?.kind).toBe('iframe')
    s.clock.advance({ hours: 5 })
    await Promise.all(Array.from({ length: 10 }, () => s.as(ana).videos.play({ video_id })))
    expect(await s.sql('select "startedAt", "lastAt", "completedAt" from playback where customer_id = $1', [ana.customer_id])).toEqual([
      { startedAt: new Date('2026-11-19T16:00:00Z'), lastAt: new Date('2026-11-19T21:00:00Z'), completedAt: null },
    ])
    expect((await s.as(ana).videos.one({ video_id })).video.playbacks).toEqual([
      {
        customer_id: ana.customer_id,
        startedAt: '2026-11-19T16:00:00.000Z',
        completedAt: null,
        createdAt: '2026-11-19T16:00:00.000Z',
      },
    ])
  })

  test('completing and undoing it is idempotent; a row with only the mark is deleted (S2-4.27, S2-7.24, S2-7.25)', async () => {
    const [ana, video_id] = [await member(), await film()]
    const as = s.as(ana).videos
    const now = async () => (await as.one({ video_id })).video
    for (let i = 0; i < 2; i++) expect(await as.complete({ video_id })).toEqual({ video_id, completed: true })
    expect(await now()).toMatchObject({ completed: true, playbacks: [{ startedAt: null, completedAt: '2026-11-19T16:00:00.000Z' }] })
    for (let i = 0; i < 2; i++) expect(await as.uncomplete({ video_id })).toEqual({ video_id, completed: false })
    expect(await now()).toMatchObject({ completed: false, playbacks: [] })
    await as.play({ video_id })
    await as.complete({ video_id })
    await as.uncomplete({ video_id })
    expect(await now()).toMatchObject({ completed: false, playbacks: [{ startedAt: '2026-11-19T16:00:00.000Z', completedAt: null }] })
  })

  test('where one stopped is stored, only for oneself; at the end it is completed and no longer unfinished (O18)', async () => {
    const [ana, eva, video_id, other] = [await member(), await member(), await film(), await film()]
    const as = s.as(ana).videos
    const unfinished = async (person: Person) =>
      (await s.as(person).videos.unfinished()).videos.map((video) => [video.video_id, video.progress, video.embed])
    expect(await as.progress({ video_id, position: 2, length: 600 })).toEqual({ video_id, progress: null, completed: false })
    expect(await unfinished(ana)).toEqual([])
    expect(await as.progress({ video_id, position: 310, length: 600 })).toMatchObject({ progress: { position: 310, length: 600 } })
    s.clock.advance({ minutes: 3 })
    await as.progress({ video_id: other, position: 12, length: 90 })
    expect(await unfinished(ana)).toEqual([
      [other, { position: 12, length: 90 }, null],
      [video_id, { position: 310, length: 600 }, null],
    ])
    expect(await unfinished(eva)).toEqual([])
    expect((await s.as(eva).videos.one({ video_id })).video.progress).toBeNull()
    expect((await as.one({ video_id })).video).toMatchObject({ progress: { position: 310, length: 600 }, completed: false })
    expect(await as.progress({ video_id, position: 599, length: 600 })).toEqual({ video_id, progress: null, completed: true })
    expect((await as.one({ video_id })).video).toMatchObject({ progress: null, completed: true })
    await s.as(manager).videos.admin.videos.update({ video_id: other, available: false })
    expect(await unfinished(ana)).toEqual([])
    expect(await codeOf(as.progress({ video_id: other, position: 20, length: 90 }))).toBe('VIDEO_NOT_FOUND')
    for (const wrong of [
      { position: -1, length: 9 },
      { position: 1.5, length: 9 },
      { position: 1, length: 0 },
      { position: 1, length: 90_000 },
    ])
      expect(await codeOf(as.progress({ video_id, ...wrong }))).toBe('INVALID_INPUT')
  })

  test('without a membership nothing is stored; where it ends, the last second stays (O2, O18)', async () => {
    const [ana, eva, video_id] = [await s.make.customer(), await s.make.customer(), await film()]
    await s.make.lot(ana, { ...ONLINE, expires_at: new Date(s.clock.now().getTime() + DAY) })
    await s.as(ana).videos.progress({ video_id, position: 40, length: 90 })
    s.clock.advance({ days: 2 })
    for (const person of [ana, eva])
      expect(await codeOf(s.as(person).videos.progress({ video_id, position: 50, length: 90 }))).toBe('VIDEO_NEEDS_PURCHASE')
    expect(await s.sql('select customer_id, position from playback where video_id = $1', [video_id])).toEqual([
      { customer_id: ana.customer_id, position: 40 },
    ])
  })

  test('a customer who watched it may still complete and rate it after the membership ended (O12)', async () => {
    const [ana, video_id] = [await s.make.customer(), await film()]
    await s.make.lot(ana, { ...ONLINE, expires_at: new Date(s.clock.now().getTime() + DAY) })
    await s.as(ana).videos.play({ video_id })
    s.clock.advance({ days: 2 })
    expect(await codeOf(s.as(ana).videos.one({ video_id }))).toBe('VIDEO_NEEDS_PURCHASE')
    await s.as(ana).videos.complete({ video_id })
    expect((await s.as(ana).videos.rate({ video_id, stars: 4 })).rating).toEqual({ video_id, stars: 4, comment: '' })
  })

  test('favourites work also without a membership; last added first (S2-4.26, S2-7.26 to S2-7.28)', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const [a, b] = [await film(), await film()]
    expect(await s.as(ana).videos.addFavorite({ video_id: b })).toEqual({ video_id: b, favorite: 1 })
    s.clock.advance({ minutes: 1 })
    await s.as(ana).videos.addFavorite({ video_id: a })
    const { favorites } = await s.as(ana).videos.favorites()
    expect(favorites.map(({ video_id, favorite }) => [video_id, favorite])).toEqual([
      [a, 1],
      [b, 1],
    ])
    expect((await s.as(eva).videos.favorites()).favorites).toEqual([])
    expect(await s.as(eva).videos.removeFavorite({ video_id: a })).toEqual({ video_id: a, favorite: 0 })
    expect((await s.as(ana).videos.favorites()).favorites).toHaveLength(2)
    expect(await s.as(ana).videos.removeFavorite({ video_id: a })).toEqual({ video_id: a, favorite: 0 })
    expect(await s.as(ana).videos.removeFavorite({ video_id: a })).toEqual({ video_id: a, favorite: 0 })
    expect((await s.as(ana).videos.list({})).videos.map(({ video_id, favorite }) => [video_id, favorite])).toEqual([
      [b, 1],
      [a, 0],
    ])
    await s.as(manager).videos.admin.videos.update({ video_id: b, available: false })
    expect((await s.as(ana).videos.favorites()).favorites).toEqual([])
  })

  test('the same favourite, mark and rating twenty times concurrently: one row of each', async () => {
    const [ana, video_id] = [await member(), await film()]
    const as = s.as(ana).videos
    const twenty = (call: (i: number) => Promise<unknown>) => Promise.all(Array.from({ length: 20 }, (_, i) => call(i)))
    await twenty(() => as.addFavorite({ video_id }))
    await twenty((i) => (i % 2 ? as.play({ video_id }) : as.complete({ video_id })))
    await twenty((i) => as.rate({ video_id, stars: 1 + (i % 5), comment: `vez ${i}` }))
    for (const table of ['favorite', 'playback', 'video_rating'])
      expect([table, await s.sql(`select video_id from ${table} where customer_id = $1`, [ana.customer_id])]).toEqual([
        table,
        [{ video_id }],
      ])
    await twenty((i) => (i % 2 ? as.addFavorite({ video_id }) : as.removeFavorite({ video_id })))
    const left = await s.sql('select 1 from favorite where customer_id = $1', [ana.customer_id])
    expect(left.length).toBeLessThanOrEqual(1)
    expect((await as.one({ video_id })).video.favorite).toBe(left.length)
  })

  test('a video removed concurrently gets no later mark', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, member))
    for (let round = 0; round < 4; round++) {
      const video_id = await film()
      const calls = people.map((person) =>
        s
          .as(person)
          .videos.addFavorite({ video_id })
          .then(
            () => 'ok',
            () => 'no',
          ),
      )
      const [outcomes] = await Promise.all([Promise.all(calls), s.as(manager).videos.admin.videos.remove({ video_id })])
      const favorites = await s.sql('select 1 from favorite where video_id = $1', [video_id])
      expect(favorites).toHaveLength(outcomes.filter((outcome) => outcome === 'ok').length)
    }
  })

  test('one to five stars and a comment, replacing the previous rating (S2-7.22)', async () => {
    const [ana, eva, video_id] = [await member(), await member(), await film()]
    await s.as(ana).videos.rate({ video_id, stars: 2, comment: 'Se oye bajito' })
    await s.as(ana).videos.rate({ video_id, stars: 5 })
    await s.as(eva).videos.rate({ video_id, stars: 4, comment: 'Buena' })
    expect((await s.as(ana).videos.one({ video_id })).video.rating).toEqual({ stars: 5, comment: '' })
    expect((await s.as(eva).videos.list({})).videos[0]?.rating).toEqual({ stars: 4, comment: 'Buena' })
    const [studioSees] = (await s.as(manager).videos.admin.videos.all({})).videos
    expect(studioSees).toMatchObject({ video_id, ratings: 2, rating: 4.5 })
    const answer = await s.as(manager).videos.admin.videos.ratings({ video_id })
    expect([answer.total, answer.ratings.map(({ customer_id, stars, comment }) => [customer_id, stars, comment])]).toEqual([
      2,
      [
        [eva.customer_id, 4, 'Buena'],
        [ana.customer_id, 5, ''],
      ],
    ])
    expect(await codeOf(s.as(manager).videos.admin.videos.ratings({ video_id: 2_000_000_000 }))).toBe('VIDEO_NOT_FOUND')
    for (const stars of [0, 6, 2.5]) expect(await codeOf(s.as(ana).videos.rate({ video_id, stars }))).toBe('INVALID_INPUT')
  })

  test('the email with the link is sent once a day per video (S2-7.23, O13)', async () => {
    const [ana, a, b] = [await member(), await film({ name: 'Yin para dormir' }), await film({ name: 'Barre de pie' })]
    const input = (video_id: number) => s.as(ana).videos.rateByMail({ video_id })
    await Promise.all([input(a), input(a), input(a)])
    await input(b)
    await doJobs(s)
    const mails = () =>
      s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by subject', [ana.email])
    expect((await mails()).map(({ subject }) => subject)).toEqual(['¿Qué te pareció Barre de pie?', '¿Qué te pareció Yin para dormir?'])
    expect((await mails())[1]?.text).toContain(`http://localhost:3000/mystudio/video/${a}?calificar=1`)
    s.clock.advance({ hours: 13 })
    await input(a)
    await doJobs(s)
    expect(await mails()).toHaveLength(2)
    s.clock.advance({ hours: 2 })
    await input(a)
    await doJobs(s)
    expect(await mails()).toHaveLength(3)
    expect(await codeOf(s.as(await s.make.customer()).videos.rateByMail({ video_id: a }))).toBe('VIDEO_NEEDS_PURCHASE')
  })
})
