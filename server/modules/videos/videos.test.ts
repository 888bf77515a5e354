/** Online videos over HTTP, as the people who watch them (docs/domain.md, "Videos"; S2-7.17 to S2-7.31). */
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Video } from '#contract/videos.ts'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { bearer } from '#server/testing/target.ts'
import { storedFiles, webm } from '#server/testing/uploads.ts'

let s: TestStudio
let manager: Person
let coach: Person
beforeAll(async () => {
  s = await studio({ settings: { videos_enabled: true } })
  manager = await s.make.staff('manager')
  coach = await s.make.staff('coach')
})
afterAll(() => s.close())
beforeEach(() => s.reset())
afterEach(() => s.sql('update video set "deletedAt" = now() where "deletedAt" is null'))

const URL_OF = 'https://vimeo.com/76979871/8272103f6e'
const ONLINE = { is_online: true, unlimited: true } as const
const DAY = 86_400_000
/** What each of some calls was refused with, all at once. */
const refusals = (...calls: Promise<unknown>[]) => Promise.all(calls.map(refusalOf))
const codes = async (...calls: Promise<unknown>[]) => (await refusals(...calls)).map(({ code }) => code)
const member = async () => {
  const customer = await s.make.customer()
  await s.make.lot(customer, ONLINE)
  return customer
}
const ids = ({ videos }: { videos: Video[] }) => videos.map(({ video_id }) => video_id)
const film = async (values: Parameters<typeof s.make.video>[0] = {}) => (await s.make.video({ url: URL_OF, ...values })).video_id
const names = ({ videos }: { videos: Video[] }) => videos.map(({ name }) => name)
const daysAgo = (days: number) => new Date(s.clock.now().getTime() - days * DAY)

describe('who can open a video (O2)', () => {
  test('members with an active online membership; its page has name, duration, description and player (S2-2.65, S2-2.66, S2-2.67)', async () => {
    const [ana, video_id] = [await member(), await film({ name: 'Barre express', description: 'Piernas y equilibrio.', duration: 15 })]
    const { video } = await s.as(ana).videos.one({ video_id })
    expect(video).toMatchObject({ name: 'Barre express', description: 'Piernas y equilibrio.', duration: 15, url: URL_OF })
    expect(video.embed).toEqual({
      kind: 'iframe',
      src: 'https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1',
      host: 'player.vimeo.com',
    })
  })

  test.each<[string, (person: Person) => Promise<unknown>]>([
    ['nothing bought', async () => null],
    ['classes in person only', (person) => s.make.lot(person, { granted: 10 })],
    ['everything in person without limit', (person) => s.make.lot(person, { unlimited: true })],
    ['a membership that ended', (person) => s.make.lot(person, { ...ONLINE, expires_at: daysAgo(1) })],
    ['one that was taken back', (person) => s.make.lot(person, { ...ONLINE, revokedAt: daysAgo(1) })],
    ['one at rest', (person) => s.make.lot(person, { ...ONLINE, frozenAt: daysAgo(1) })],
    ['a counted one with nothing left', (person) => s.make.lot(person, { is_online: true, granted: 0 })],
  ])('412 with %s, and how to play it stays here (S2-4.25, S2-8.03, O3)', async (_what, buy) => {
    const [ana, video_id] = [await s.make.customer(), await film({ name: 'Yin para dormir', duration: 42 })]
    await buy(ana)
    const as = s.as(ana).videos
    for (const no of await refusals(
      as.one({ video_id }),
      as.play({ video_id }),
      as.complete({ video_id }),
      as.rate({ video_id, stars: 5 }),
    )) {
      expect(no).toMatchObject({
        code: 'VIDEO_NEEDS_PURCHASE',
        status: 412,
        message: 'no cuentas con una membresía activa para clases online',
      })
      expect(no.data).toMatchObject({ video_id, name: 'Yin para dormir', duration: 42 })
      expect(JSON.stringify(no)).not.toMatch(/vimeo|8272103f6e/)
    }
    expect((await s.as(ana).videos.list({})).can_watch).toBe(false)
    expect(await s.sql('select 1 from playback where customer_id = $1', [ana.customer_id])).toEqual([])
  })

  test('buyers: an online package opens it, and revoking the access closes it (S2-2.67)', async () => {
    const [ana, video_id] = [await s.make.customer(), await film()]
    const { class_package_id } = await s.make.package({ is_online: true, class_amount: -1, expiration_days: 30 })
    const { purchase_id } = await s.as(ana).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    expect((await s.as(ana).videos.one({ video_id })).video.url).toBe(URL_OF)
    const mine = (await s.as(ana).people.me()).customer.online_accesses
    expect(mine).toHaveLength(1)
    expect(mine[0]).toMatchObject({ expiration_date: '2026-12-19T23:59:59.000Z' })
    await s.as(manager).studioSales.revokeAccess({ purchase_id, reason: 'Prueba' })
    expect(await codeOf(s.as(ana).videos.one({ video_id }))).toBe('VIDEO_NEEDS_PURCHASE')
    expect((await s.as(ana).people.me()).customer.online_accesses).toEqual([])
  })

  test('a membership that ends between the list and the start is refused at the start (O7)', async () => {
    const [ana, video_id] = [await s.make.customer(), await film()]
    await s.make.lot(ana, { ...ONLINE, expires_at: new Date(s.clock.now().getTime() + 60_000) })
    const list = await s.as(ana).videos.list({})
    expect([ids(list), list.can_watch]).toEqual([[video_id], true])
    expect((await s.as(ana).videos.one({ video_id })).video.embed).not.toBeNull()
    s.clock.advance({ minutes: 2 })
    expect(await codeOf(s.as(ana).videos.play({ video_id }))).toBe('VIDEO_NEEDS_PURCHASE')
    expect((await s.as(ana).videos.list({})).can_watch).toBe(false)
  })

  test('staff open a video without a membership (O2)', async () => {
    const video_id = await film({ available: false })
    for (const person of [coach, manager])
      expect((await s.as(person).videos.one({ video_id })).video).toMatchObject({ url: URL_OF, available: false })
    expect((await s.as(coach).videos.list({})).can_watch).toBe(true)
  })

  test('the first video starts a waiting clock, once, and only where nothing else gives access (C7)', async () => {
    const [ana, video_id] = [await s.make.customer(), await film()]
    const waiting = { ...ONLINE, expires_at: null, days_from_first_class: 30 }
    await s.make.lot(ana, waiting)
    await s.make.lot(ana, waiting)
    const creditLots = async () => (await s.as(ana).people.me()).customer.online_accesses.map((creditLot) => creditLot.expiration_date)
    expect(await creditLots()).toEqual([null, null])
    await s.as(ana).videos.one({ video_id })
    expect(await creditLots()).toEqual([null, null])
    await Promise.all(Array.from({ length: 6 }, () => s.as(ana).videos.play({ video_id })))
    expect(await creditLots()).toEqual(['2026-12-19T23:59:59.000Z', null])
    s.clock.advance({ days: 3 })
    await s.as(ana).videos.play({ video_id })
    expect(await creditLots()).toEqual(['2026-12-19T23:59:59.000Z', null])
    s.clock.set('2026-12-21T10:00:00-06:00')
    await s.as(ana).videos.play({ video_id })
    expect(await creditLots()).toEqual(['2027-01-20T23:59:59.000Z'])
  })
})

describe('which videos exist (O1, O4)', () => {
  test('while switched off none exist for customers; staff see theirs (S2-1.05, S2-2.04)', async () => {
    const [ana, video_id] = [await member(), await film()]
    await s.having({ videos_enabled: false }, async () => {
      const as = s.as(ana).videos
      const calls: (() => Promise<unknown>)[] = [
        () => as.list({}),
        () => as.upcoming({}),
        () => as.ofTag({ tag: '1' }),
        () => as.ofProgram({ program: 1 }),
        () => as.one({ video_id }),
        () => as.play({ video_id }),
        () => as.complete({ video_id }),
        () => as.uncomplete({ video_id }),
        () => as.rate({ video_id, stars: 1 }),
        () => as.rateByMail({ video_id }),
        () => as.favorites(),
        () => as.addFavorite({ video_id }),
        () => as.removeFavorite({ video_id }),
        () => as.types(),
        () => as.programs(),
        () => as.program({ program_id: 1 }),
      ]
      for (const call of calls) expect(await refusalOf(call())).toMatchObject({ code: 'VIDEOS_DISABLED', status: 404 })
      expect((await s.as(manager).videos.admin.videos.all({})).videos.map((video) => video.video_id)).toContain(video_id)
      expect((await s.as(coach).videos.one({ video_id })).video.video_id).toBe(video_id)
    })
    expect((await s.as(ana).videos.one({ video_id })).video.video_id).toBe(video_id)
  })

  test('unknown, unpublished, unavailable and removed ones are a 404 with the spec’s message (S2-8.02)', async () => {
    const ana = await member()
    const videoId = await film()
    await s.as(manager).videos.admin.videos.remove({ video_id: videoId })
    const hidden = [
      2_000_000_000,
      videoId,
      await film({ available: false }),
      await film({ published_at: new Date(s.clock.now().getTime() + DAY) }),
    ]
    for (const video_id of hidden) {
      const as = s.as(ana).videos
      for (const no of await refusals(as.one({ video_id }), as.play({ video_id }), as.complete({ video_id }), as.uncomplete({ video_id })))
        expect(no).toMatchObject({
          code: 'VIDEO_NOT_FOUND',
          status: 404,
          message: 'Lo sentimos, no hemos encontrado este video.',
        })
      for (const code of await codes(as.rate({ video_id, stars: 5 }), as.rateByMail({ video_id }), as.addFavorite({ video_id })))
        expect(code).toBe('VIDEO_NOT_FOUND')
    }
    expect(ids(await s.as(ana).videos.list({}))).toEqual([])
    expect(await codeOf(s.as(coach).videos.one({ video_id: videoId }))).toBe('VIDEO_NOT_FOUND')
  })

  test('an invalid id is refused before any lookup', async () => {
    const ana = await member()
    for (const path of ['/videos/hola', '/videos/-1', '/videos/0', '/videos/99999999999', "/videos/1'--", '/videos/%00'])
      expect([path, (await fetch(`${s.url}/api${path}`, { headers: bearer(ana.token) })).status]).toEqual([path, 400])
  })

  test('upcoming ones are listed soonest first without playback data; on their day they are published (S2-7.18)', async () => {
    const ana = await member()
    const at = (hours: number) => new Date(s.clock.now().getTime() + hours * 3_600_000)
    const [later, soon] = [await film({ published_at: at(48) }), await film({ published_at: at(2) })]
    await film({ published_at: at(3), available: false })
    const coming = await s.as(ana).videos.upcoming({})
    expect([ids(coming), coming.total]).toEqual([[soon, later], 2])
    expect(JSON.stringify(coming)).not.toContain('vimeo')
    expect(await codeOf(s.as(ana).videos.one({ video_id: soon }))).toBe('VIDEO_NOT_FOUND')
    s.clock.advance({ hours: 2 })
    expect((await s.as(ana).videos.one({ video_id: soon })).video.url).toBe(URL_OF)
    expect(ids(await s.as(ana).videos.upcoming({}))).toEqual([later])
  })
})

describe('the list (O3, O10)', () => {
  test('the list of videos has 32 per page from page 1, newest first, without gaps or repetitions (S2-2.63, S2-3.20, S2-9.06, settled 43)', async () => {
    const ana = await member()
    // Many at the same instant: the id decides.
    const videoIds: number[] = []
    for (let i = 0; i < 70; i++) videoIds.push(await film({ published_at: daysAgo(1 + Math.floor(i / 40)), duration: 10 + i }))
    const pages = await Promise.all([1, 2, 3, 4].map((page) => s.as(ana).videos.list({ page })))
    expect(pages.map(({ videos, total, pages }) => [videos.length, total, pages])).toEqual([
      [32, 70, 3],
      [32, 70, 3],
      [6, 70, 3],
      [0, 70, 3],
    ])
    const inOrder = [...videoIds.slice(0, 40).reverse(), ...videoIds.slice(40).reverse()]
    expect(pages.flatMap(ids)).toEqual(inOrder)
    expect(ids(await s.as(ana).videos.list({}))).toEqual(inOrder.slice(0, 32))
    for (const page of [0, -1, 1.5]) expect(await codeOf(s.as(ana).videos.list({ page }))).toBe('INVALID_INPUT')
  })

  test('the list of videos has no playback data, also for members and staff (O3)', async () => {
    const ana = await member()
    const { tag_id } = (await s.as(manager).catalogue.admin.tags.create({ name: `Etiqueta ${Math.random()}`, type: 'video' })).tag
    const { program_id } = (await s.as(manager).videos.admin.programs.create({ name: `Reto ${Math.random()}` })).program
    const own = await storedFiles(s, manager, webm(), 'clase.webm')
    for (const more of [{ url: URL_OF }, { file_id: own.file_id }])
      await s.as(manager).videos.admin.videos.create({ name: 'Yin', duration: 20, tag_ids: [tag_id], program_id, ...more })
    await film({ published_at: new Date(s.clock.now().getTime() + DAY) })
    const [{ videos }] = [await s.as(ana).videos.list({})]
    await s.as(ana).videos.addFavorite({ video_id: videos[0]?.video_id ?? 0 })
    for (const person of [ana, coach]) {
      const as = s.as(person).videos
      const lists = [
        await as.list({}),
        await as.upcoming({}),
        await as.ofTag({ tag: String(tag_id) }),
        await as.ofProgram({ program: program_id }),
      ]
      const whole = JSON.stringify([lists, person === ana ? await as.favorites() : null])
      expect(lists.flatMap((list) => list.videos).length).toBeGreaterThanOrEqual(7)
      expect(whole).not.toMatch(/vimeo|archivos|\.webm|firma/)
      for (const { video_id, url, file, embed } of lists.flatMap((list) => list.videos))
        expect({ video_id, url, file, embed }).toEqual({ video_id, url: null, file: null, embed: null })
    }
  })

  test.each([
    ['YouTube', 'https://youtu.be/dQw4w9WgXcQ'],
    ['Vimeo', URL_OF],
    ['Wistia', 'https://fast.wistia.net/embed/iframe/abcde12345'],
    ['Cloudflare Stream', 'https://iframe.videodelivery.net/0123456789abcdef0123456789abcdef'],
    ['Bunny', 'https://iframe.mediadelivery.net/embed/123/0b1f2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d'],
    ['Loom', 'https://www.loom.com/share/0123456789abcdef0123456789abcdef'],
    ['Mux', 'https://stream.mux.com/AbCdEf0123456789AbCdEf0123456789'],
  ])(
    'a video at %s gives its address, its id and a preview to nobody without membership (O3, O17, decision 028)',
    async (_service, url) => {
      const [ana, video_id] = [await s.make.customer(), await film({ url })]
      const as = s.as(ana).videos
      const named = url === URL_OF ? '76979871' : (url.split('/').at(-1) ?? '')
      const [no] = await refusals(as.one({ video_id }))
      expect(no).toMatchObject({ code: 'VIDEO_NEEDS_PURCHASE', data: { video_id, preview: null, preview_captions: null } })
      const answers = JSON.stringify([
        no,
        await as.list({}),
        await refusals(as.play({ video_id }), as.progress({ video_id, position: 9, length: 90 })),
      ])
      expect(answers).toContain(`"video_id":${video_id}`)
      for (const part of [new URL(url).hostname, named]) expect(answers).not.toContain(part)
      // Who may watch it gets both.
      expect(JSON.stringify(await s.as(await member()).videos.one({ video_id }))).toContain(named)
    },
  )

  test('features the marked one, the newest of several, otherwise the newest, regardless of filters (S2-2.60, O10)', async () => {
    const ana = await member()
    const front = async (input: Parameters<Client['videos']['list']>[0] = {}) =>
      (await s.as(ana).videos.list(input)).featured?.video_id ?? null
    expect(await front()).toBeNull()
    const old = await film({ published_at: daysAgo(9), name: 'Marcado', duration: 5 })
    const fresh = await film({ published_at: daysAgo(1) })
    expect(await front()).toBe(fresh)
    await s.as(manager).videos.admin.videos.update({ video_id: old, featured: true })
    expect([await front(), await front({ duration: 1 }), await front({ page: 9 })]).toEqual([old, old, old])
    const newer = await film({ published_at: daysAgo(3), featured: true })
    await film({ published_at: new Date(s.clock.now().getTime() + DAY), featured: true })
    await film({ featured: true, available: false })
    expect(await front()).toBe(newer)
    const { featured } = await s.as(ana).videos.list({})
    expect(featured).toMatchObject({ featured: true, url: null, embed: null })
  })

  test('takes two database queries, whatever its length', async () => {
    const ana = await member()
    const countQueries = async () => {
      const texts: string[] = []
      const { pool } = s.studio.db
      const watched = new Map<pg.PoolClient, pg.PoolClient['query']>()
      const watch = (client: pg.PoolClient) => {
        if (watched.has(client)) return
        const before = client.query
        watched.set(client, before)
        client.query = ((...args: unknown[]) => {
          const [first] = args as [string | { text: string }]
          texts.push(typeof first === 'string' ? first : first.text)
          return Reflect.apply(before, client, args)
        }) as typeof before
      }
      pool.on('acquire', watch)
      await s.as(ana).videos.list({})
      pool.off('acquire', watch)
      for (const [client, before] of watched) client.query = before
      return texts.filter((text) => text.includes('"video"')).length
    }
    await film()
    const count = await countQueries()
    for (let i = 0; i < 30; i++) await film()
    expect([count, await countQueries()]).toEqual([2, 2])
  })
})

describe('filters (O8, O9, S2-2.61, S2-2.62, S2-3.21)', () => {
  test('each narrows the list, and all given ones apply together', async () => {
    const ana = await member()
    const as = s.as(ana).videos
    const [renata, inigo] = [
      await s.make.instructor({ name: 'Renata', nick_name: 'Rena' }),
      await s.make.instructor({ name: 'Íñigo', last_name: 'Larrea' }),
    ]
    const [barre, ciclo] = [await s.make.classType({ name: 'Barre' }), await s.make.classType({ name: 'Ciclo' })]
    const studioOf = s.as(manager).videos.admin
    const type = (await studioOf.videoTypes.create({ name: 'Clase completa' })).video_type.video_type_id
    const express = (await studioOf.videoTypes.create({ name: 'Exprés' })).video_type.video_type_id
    const program = (await studioOf.programs.create({ name: 'Espalda sana en diez días' })).program.program_id
    const label = async (name: string) => (await s.as(manager).catalogue.admin.tags.create({ name, type: 'video' })).tag.tag_id
    const [mat, band] = [await label('Tapete'), await label('Banda elástica')]
    const owner = await s.make.staff('owner')
    const category = (await s.as(owner).catalogue.admin.classCategories.create({ name: 'Suaves' })).class_category.class_category_id
    const make = async (name: string, more: object) =>
      (await studioOf.videos.create({ name, duration: 30, url: URL_OF, ...more })).video.video_id
    const a = await make('Subida larga', {
      instructor_id: inigo.instructor_id,
      class_type_id: ciclo.class_type_id,
      video_type_id: type,
      duration: 45,
    })
    const b = await make('Barre de pie', {
      instructor_id: renata.instructor_id,
      class_type_id: barre.class_type_id,
      video_type_id: express,
      duration: 15,
      tag_ids: [mat],
      class_category_id: category,
    })
    const c = await make('Centro y espalda', {
      instructor_id: renata.instructor_id,
      program_id: program,
      tag_ids: [mat, band],
      description: 'Con una banda y poca máquina.',
    })
    const found = async (input: Parameters<typeof as.list>[0]) => ids(await as.list(input)).sort((x, y) => x - y)
    const cases: [Parameters<typeof as.list>[0], number[]][] = [
      [{}, [a, b, c]],
      [{ instructor_id: renata.instructor_id }, [b, c]],
      [{ class_type_id: ciclo.class_type_id }, [a]],
      [{ class_category_id: category }, [b]],
      [{ video_type_id: express }, [b]],
      [{ program_id: program }, [c]],
      [{ tag_id: mat }, [b, c]],
      [{ tag_id: band }, [c]],
      [{ tags: `${band}` }, [c]],
      [{ tags: `${mat},${band}` }, [b, c]],
      [{ tags: [band] }, [c]],
      [{ duration: 30 }, [b, c]],
      [{ duration: 14 }, []],
      [{ instructor_id: renata.instructor_id, tag_id: band, duration: 30, query: 'espalda' }, [c]],
      [{ instructor_id: inigo.instructor_id, tag_id: band }, []],
      [{ video_type_id: 2_000_000_000 }, []],
      // Words: of the name, the description, the coach, the type, the program, the labels.
      [{ query: 'SUBIDA' }, [a]],
      [{ query: 'maquina' }, [c]],
      [{ query: 'iñigo' }, [a]],
      [{ query: 'inigo  larga' }, [a]],
      [{ query: 'Réna' }, [b, c]],
      [{ query: 'expres' }, [b]],
      [{ query: 'elastica' }, [c]],
      [{ query: 'dias barre' }, []],
      [{ query: '%' }, []],
      [{ query: '   ' }, [a, b, c]],
    ]
    for (const [input, expected] of cases) expect([input, await found(input)]).toEqual([input, expected])
    expect((await as.list({ instructor_id: renata.instructor_id })).total).toBe(2)
    // The same as a plain address, as the specification gives it.
    const answer = await fetch(`${s.url}/api/videos?tags=${mat},${band}&duration=20&completed=false&page=1`, { headers: bearer(ana.token) })
    expect(names((await answer.json()) as never)).toEqual(['Barre de pie'])
    for (const query of ['tags=x', 'duration=0', 'completed=quizas', 'page=x', 'tag_id=-1'])
      expect((await fetch(`${s.url}/api/videos?${query}`, { headers: bearer(ana.token) })).status).toBe(400)

    // S2-7.19: by number or name; one of classes is none.
    expect([ids(await as.ofTag({ tag: String(band) })), ids(await as.ofTag({ tag: 'BANDA elastica' }))]).toEqual([[c], [c]])
    const ofClasses = (await s.as(manager).catalogue.admin.tags.create({ name: 'De clases' })).tag.tag_id
    for (const tag of ['2000000000', 'nada', String(ofClasses)]) expect(await codeOf(as.ofTag({ tag }))).toBe('NOT_FOUND')
  })

  test('own favourites and completed ones; those of others are private (S2-2.62)', async () => {
    const [ana, eva] = [await member(), await member()]
    const [a, b] = [await film(), await film()]
    await s.as(ana).videos.complete({ video_id: a })
    await s.as(ana).videos.addFavorite({ video_id: b })
    await s.as(eva).videos.complete({ video_id: b })
    const found = async (person: Person, input: Parameters<Client['videos']['list']>[0]) => ids(await s.as(person).videos.list(input))
    expect([await found(ana, { completed: true }), await found(ana, { completed: false })]).toEqual([[a], [b]])
    expect([await found(ana, { favorites: true }), await found(ana, { favorites: false })]).toEqual([[b], [a]])
    expect([await found(eva, { completed: true }), await found(eva, { favorites: true })]).toEqual([[b], []])
    for (const { playbacks } of (await s.as(ana).videos.list({})).videos)
      for (const playback of playbacks) expect(playback.customer_id).toBe(ana.customer_id)
    expect(JSON.stringify(await s.as(eva).videos.list({}))).not.toContain(`"customer_id":${ana.customer_id},`)
    // Staff without a customer have no marks of their own.
    expect((await s.as(coach).videos.list({})).videos.every((video) => video.playbacks.length === 0 && video.favorite === 0)).toBe(true)
  })
})

describe('programs and types (S2-7.29 to S2-7.31)', () => {
  test('a program has its videos in order, and the customer’s progress', async () => {
    const ana = await member()
    const admin = s.as(manager).videos.admin
    const { program_id } = (await admin.programs.create({ name: 'Siete días de yin', description: 'Uno cada noche.' })).program
    const videoIds: number[] = []
    for (const [name, program_order] of [
      ['Día 2', 2],
      ['Día 1', 1],
      ['Día 3', 3],
    ] as const)
      videoIds.push((await admin.videos.create({ name, duration: 20, url: URL_OF, program_id, program_order })).video.video_id)
    await admin.videos.create({ name: 'Aún no', duration: 20, url: URL_OF, program_id, available: false })
    const list = await s.as(ana).videos.ofProgram({ program: program_id })
    expect([names(list), list.total]).toEqual([['Día 1', 'Día 2', 'Día 3'], 3])
    await s.as(ana).videos.complete({ video_id: videoIds[1] ?? 0 })
    const mine = { program_id, name: 'Siete días de yin', description: 'Uno cada noche.', image: null, videos: 3, duration: 60 }
    expect((await s.as(ana).videos.program({ program_id })).program).toEqual({ ...mine, completed: 1 })
    expect((await s.as(await member()).videos.programs()).programs).toContainEqual({ ...mine, completed: 0 })
    for (const code of await codes(
      s.as(ana).videos.program({ program_id: 2_000_000_000 }),
      s.as(ana).videos.ofProgram({ program: 2_000_000_000 }),
    ))
      expect(code).toBe('NOT_FOUND')
    expect(await codeOf(admin.programs.create({ name: 'Siete días de yin' }))).toBe('ALREADY_EXISTS')
  })

  test('types are in the studio’s order', async () => {
    const admin = s.as(manager).videos.admin
    const [late, early] = [
      await admin.videoTypes.create({ name: 'Movilidad', sort: 900 }),
      await admin.videoTypes.create({ name: 'Respiración', sort: 800 }),
    ]
    const { video_types } = await s.as(await member()).videos.types()
    expect(video_types.slice(-2)).toEqual([
      { video_type_id: early.video_type.video_type_id, name: 'Respiración' },
      { video_type_id: late.video_type.video_type_id, name: 'Movilidad' },
    ])
    expect(await codeOf(admin.videoTypes.create({ name: 'Movilidad' }))).toBe('ALREADY_EXISTS')
  })
})
