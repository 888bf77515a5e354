/** Pages, documents, announcements and public settings over HTTP (docs/domain.md, "Content"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicKeys, settingKeys, settings } from '#contract/settings.ts'
import { sanitizeNullable } from '#server/platform/html.ts'
import { attacks, contexts, dangersIn } from '#server/testing/attacks.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { pendingDocuments, publishAnnouncement, renewAnnouncements, savePage } from './content.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

/** Deletes a page with its acceptances, for which there is no endpoint (T8). */
async function forgetPage(page_id: number) {
  await on.sql('delete from accepted_page where page_id = $1', [page_id])
  await on.sql('delete from page where page_id = $1', [page_id])
}

describe('pages (T1)', () => {
  it('pages are listed without their text, but with whether there is one', async () => {
    const ownStudio = await studio()
    await ownStudio.make.page({ slug: 'con-texto', title: 'Con texto', content: '<p>Hola</p>' })
    await ownStudio.make.page({ slug: 'sin-texto', title: 'Sin texto', content: null, required: true })
    const { pages } = await ownStudio.as(null).content.pages()
    expect(pages.map(({ slug, title, content, required }) => [slug, title, content, required])).toEqual([
      ['con-texto', 'Con texto', '', false],
      ['sin-texto', 'Sin texto', null, true],
    ])
    expect((await ownStudio.as(null).content.page({ slug: 'con-texto' })).page.content).toBe('<p>Hola</p>')
    expect((await ownStudio.as(null).content.page({ slug: 'sin-texto' })).page.content).toBeNull()
    await ownStudio.close()
  })

  it.each(['no-existe', '../secreto', 'a'.repeat(100), "x' or 1=1", 'Ñandú'])('the page "%s" is not there', async (slug) => {
    expect(await refusalOf(on.as(null).content.page({ slug }))).toMatchObject({
      code: 'CONTENT_FAILED',
      status: 404,
      message: 'Lo sentimos, hubo un error al mostrar este contenido.',
    })
  })

  it('pages are unique by slug, and a changed text is a new version (T4)', async () => {
    const save = async (source: string, title = 'Reglas') => {
      const content = await sanitizeNullable(source)
      return on.studio.db.tx((tx) => savePage(tx, { slug: 'reglas', title, source, content, required: true }, on.clock.now()))
    }
    expect((await save('<p>Uno</p>')).version).toBe(1)
    expect((await save('<p>Uno</p>')).version).toBe(1)
    expect((await save('<p>Uno</p>', 'Otro título')).version).toBe(1)
    expect((await save('<p>Uno</p><script>x</script>')).version).toBe(1)
    expect((await save('<p>Dos</p>')).version).toBe(2)
    expect((await save('')).version).toBe(3)
    expect(await on.sql(`select count(*)::int as n from page where slug = 'reglas'`)).toEqual([{ n: 1 }])
    expect((await on.as(null).content.page({ slug: 'reglas' })).page.content).toBeNull()
    await on.sql(`delete from page where slug = 'reglas'`)
  })
})

describe('documents to accept (T2, T3)', () => {
  it('documents to accept are pending until accepted, once, in their current version', async () => {
    const ownStudio = await studio()
    const terms = await ownStudio.make.page({ title: 'Términos', required: true })
    const privacyNotice = await ownStudio.make.page({ title: 'Aviso', required_signup: true })
    await ownStudio.make.page()
    await ownStudio.make.page({ content: null, required: true })
    const ana = await ownStudio.make.customer()
    const mine = () => ownStudio.as(ana).content.accepted()
    expect((await mine()).pending.map((page) => [page.title, page.content])).toEqual([
      ['Términos', '<p>Texto</p>'],
      ['Aviso', '<p>Texto</p>'],
    ])

    const { accepted_page } = await ownStudio.as(ana).content.accept({ page_id: terms.page_id, customer_id: 999 })
    expect(accepted_page).toEqual({
      page_id: terms.page_id,
      customer_id: ana.customer_id,
      version: 1,
      createdAt: ownStudio.clock.now().toISOString(),
    })
    ownStudio.clock.advance({ days: 1 })
    expect((await ownStudio.as(ana).content.accept({ page_id: terms.page_id })).accepted_page).toEqual(accepted_page)
    expect((await mine()).pending.map((page) => page.title)).toEqual(['Aviso'])
    expect((await ownStudio.as(ana).people.me()).customer.accepted_pages).toEqual([{ page_id: terms.page_id }])

    await ownStudio.sql('update page set version = 2 where page_id = $1', [terms.page_id])
    expect((await mine()).pending.map((page) => page.title)).toEqual(['Términos', 'Aviso'])
    expect((await mine()).accepted_pages).toEqual([])
    await ownStudio.as(ana).content.accept({ page_id: terms.page_id })
    await ownStudio.as(ana).content.accept({ page_id: privacyNotice.page_id })
    expect((await mine()).pending).toEqual([])
    expect(await pendingDocuments(ownStudio.studio.db.read, ana.customer_id)).toEqual([])
    // The proof of the older version stays.
    expect(await ownStudio.sql('select version from accepted_page where page_id = $1 order by version', [terms.page_id])).toEqual([
      { version: 1 },
      { version: 2 },
    ])
    await ownStudio.close()
  })

  it('acceptances of one customer do not affect another', async () => {
    const page = await on.make.page({ required: true })
    const [ana, beto] = [await on.make.customer(), await on.make.customer()]
    await on.as(ana).content.accept({ page_id: page.page_id })
    expect((await on.as(beto).content.accepted()).pending.map((page) => page.page_id)).toContain(page.page_id)
    expect((await on.as(beto).content.accepted()).accepted_pages).toEqual([])
    await forgetPage(page.page_id)
  })

  it('accepting twenty times concurrently stores one acceptance', async () => {
    const page = await on.make.page({ required: true })
    const ana = await on.make.customer()
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.as(ana).content.accept({ page_id: page.page_id })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await on.sql('select 1 from accepted_page where page_id = $1', [page.page_id])).toHaveLength(1)
    await forgetPage(page.page_id)
  })

  it('documents to accept require a customer and an existing page', async () => {
    const ana = await on.make.customer()
    expect((await refusalOf(on.as(ana).content.accept({ page_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
    for (const page_id of [0, -1, 1.5, 3_000_000_000])
      expect((await refusalOf(on.as(ana).content.accept({ page_id }))).code).toBe('INVALID_INPUT')
    expect((await refusalOf(on.as(null).content.accept({ page_id: 1 }))).code).toBe('UNAUTHENTICATED')
    expect((await refusalOf(on.as(await on.make.account()).content.accepted())).code).toBe('NO_CUSTOMER')
  })
})

describe('announcements (T5)', () => {
  it('announcements are listed newest first', async () => {
    const ownStudio = await studio()
    expect(await ownStudio.as(null).content.announcements()).toEqual({ announcements: [] })
    const publish = (title: string, day: number) =>
      ownStudio.studio.db.tx((tx) => {
        const text = `<p>${title}</p>`
        return publishAnnouncement(tx, { title, source: text, content: text, createdAt: new Date(Date.UTC(2026, 10, day)) })
      })
    await publish('Segundo', 12)
    await publish('Primero', 10)
    await publish('Tercero', 14)
    const { announcements } = await ownStudio.as(null).content.announcements()
    expect(announcements.map(({ title, content, createdAt }) => [title, content, createdAt.slice(0, 10)])).toEqual([
      ['Tercero', '<p>Tercero</p>', '2026-11-14'],
      ['Segundo', '<p>Segundo</p>', '2026-11-12'],
      ['Primero', '<p>Primero</p>', '2026-11-10'],
    ])
    await ownStudio.close()
  })

  it('announcements are shown from their beginning until their end, pinned ones first, and the site follows within a minute', async () => {
    const ownStudio = await studio()
    const owner = ownStudio.as(await ownStudio.make.staff('owner'))
    const at = (minutes: number) => new Date(ownStudio.clock.now().getTime() + minutes * 60_000).toISOString()
    const titles = async () => (await ownStudio.as(null).content.announcements()).announcements.map(({ title }) => title)
    const create = (title: string, more: object = {}) => owner.content.admin.announcements.create({ title, content: '<p>x</p>', ...more })
    const location_ids = [(await ownStudio.make.location()).location_id]
    await create('Fijado', { pinned: true, location_ids })
    ownStudio.clock.advance({ minutes: 1 })
    await create('Normal', { location_ids: [] })
    const { announcement: later } = await create('Después', { from: at(30), until: at(60) })
    await create('Pasado', { until: at(-1) })
    expect(await titles()).toEqual(['Fijado', 'Normal'])
    expect((await ownStudio.as(null).content.announcements()).announcements.map((row) => row.location_ids)).toEqual([location_ids, null])
    expect((await refusalOf(ownStudio.as(null).content.announcement({ announcement_id: later.announcement_id }))).code).toBe('NOT_FOUND')
    expect((await owner.content.admin.announcements.all()).announcements).toHaveLength(4)
    let renewed = 0
    const stop = ownStudio.studio.events.listen((event) => void (event.topic === 'content' && renewed++))
    await renewAnnouncements(ownStudio.system())
    for (const [minutes, expected] of [
      [30, ['Fijado', 'Después', 'Normal']],
      [31, ['Fijado', 'Normal']],
    ] as const) {
      const before = renewed
      ownStudio.clock.advance({ minutes: minutes - 10 })
      await renewAnnouncements(ownStudio.system())
      expect(renewed, `${minutes} minutes`).toBe(before)
      ownStudio.clock.advance({ minutes: 10 })
      await renewAnnouncements(ownStudio.system())
      await expect.poll(() => renewed).toBe(before + 1)
      await expect.poll(titles).toEqual(expected)
    }
    stop()
    await ownStudio.close()
  })

  it('announcements cannot end before they begin', async () => {
    const owner = on.as(await on.make.staff('owner'))
    const { announcement } = await owner.content.admin.announcements.create({ title: 'Fechas', content: 'x', from: '2026-12-02T00:00:00Z' })
    const { announcement_id } = announcement
    const change = (until: string) => owner.content.admin.announcements.update({ announcement_id, until })
    expect(await refusalOf(change('2026-12-01T00:00:00Z'))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'until', message: 'El fin debe ser después del inicio.' }] },
    })
    expect((await change('2026-12-03T00:00:00Z')).announcement).toMatchObject({ until: '2026-12-03T00:00:00.000Z' })
    await owner.content.admin.announcements.remove({ announcement_id })
  })
})

describe('HTML from administrators (T6)', () => {
  const dirty = attacks.flatMap((attack) => contexts.map((context) => context(attack.replaceAll('\u0000', ''))))

  it('HTML from administrators is sanitised when it is written', async () => {
    const owner = on.as(await on.make.staff('owner'))
    for (const [i, content] of dirty.entries()) {
      await owner.content.admin.pages.create({ slug: `ataque-${i}`, title: 'x', content })
      await owner.content.admin.announcements.create({ title: 'x', content })
    }
    const stored = await on.sql<{ content: string | null }>('select content from page union all select content from announcement')
    expect(stored.length).toBeGreaterThan(2 * dirty.length - 1)
    for (const { content } of stored) expect(dangersIn(content ?? '')).toEqual([])
    await on.sql(`delete from page where slug like 'ataque-%'`)
    await on.sql('delete from announcement')
  })

  it('that takes the sanitiser a second does not block other requests', async () => {
    const reception = on.as(await on.make.staff('reception'))
    let [answered, saved] = [0, false]
    const saving = reception.content.admin.announcements
      .create({ title: 'Listas', content: `Avisos: ${'<ul><li>'.repeat(24_000)}` })
      .finally(() => {
        saved = true
      })
    while (!saved) {
      await on.as(null).catalogue.paymentMethods()
      answered++
    }
    await saving
    // One at a time, each after the answer of the one before. On the main thread one or two of them fit before or after the sanitizing.
    expect(answered).toBeGreaterThan(5)
    await on.sql('delete from announcement')
  })

  it('written without the API is sanitised when it is read, in every HTML field', async () => {
    const ownStudio = await studio()
    await ownStudio.sql(
      `insert into page (slug, title, content, required) select 'ataque-' || i, 'x', t, true from unnest($1::text[]) with ordinality as d(t, i)`,
      [dirty],
    )
    await ownStudio.sql(`insert into announcement (title, content) select 'x', t from unnest($1::text[]) as t`, [dirty])
    await ownStudio.sql(
      `insert into class_package (title, description, price_centavos, class_amount, expiration_days) select 'x', t, 100, 1, 30 from unnest($1::text[]) as t`,
      [dirty],
    )
    const ana = await ownStudio.make.customer()
    const visitor = ownStudio.as(null)
    const { pending } = await ownStudio.as(ana).content.accepted()
    const fields = [
      ...(await Promise.all(dirty.map(async (_, i) => (await visitor.content.page({ slug: `ataque-${i + 1}` })).page.content ?? ''))),
      ...(await visitor.content.announcements()).announcements.map((announcement) => announcement.content),
      ...(await visitor.catalogue.packages()).class_packages.map((classPackage) => classPackage.description),
      ...pending.map((page) => page.content ?? ''),
    ]
    expect(fields).toHaveLength(4 * dirty.length)
    for (const field of fields) expect(dangersIn(field)).toEqual([])
    await ownStudio.close()
  })
})

describe('public settings (G2, S1-7.82, settled 28)', () => {
  it('public settings are all public keys and no private one, with their defaults', async () => {
    const pairs = await on.as(null).content.appconfig()
    expect(pairs.map(({ key }) => key).sort()).toEqual([...publicKeys].sort())
    const hidden = settingKeys.filter((key) => !settings[key].public)
    expect(hidden.length).toBeGreaterThan(0)
    for (const key of hidden) expect(pairs.map((pair) => pair.key)).not.toContain(key)
    expect(Object.fromEntries(pairs.map(({ key, value }) => [key, value]))).toMatchObject({
      class_packages_path: '/paquetes',
      timezone: 'America/Mexico_City',
    })
  })

  it('public settings contain no secret of the environment', async () => {
    const ownStudio = await studio({
      env: {
        SMTP_URL: 'smtp://persona:clave-secreta@127.0.0.1:2525',
        STRIPE_SECRET_KEY: 'sk_test_clavesecreta',
        STRIPE_WEBHOOK_SECRET: 'whsec_clavesecreta',
      },
    })
    const text = JSON.stringify(await ownStudio.as(null).content.appconfig())
    expect(text).not.toMatch(/clave.?secreta|smtp:|sk_|whsec_/)
    await ownStudio.close()
  })

  it('public settings show a change at once', async () => {
    await on.change({ business_name: 'Vaivén' })
    expect(await on.as(null).content.appconfig()).toContainEqual({ key: 'business_name', value: 'Vaivén' })
  })
})
