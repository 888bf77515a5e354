/** Pages as staff edit them: versions, order, publishing, and changes at once (docs/domain.md T4, T9 to T12). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner')
})
afterAll(() => on.close())

let counted = 0
const as = (person: Person = owner): Client['content'] => on.as(person).content
async function create(values: Partial<Parameters<Client['content']['admin']['pages']['create']>[0]> = {}) {
  const { page } = await as().admin.pages.create({ slug: `pagina-${++counted}`, title: 'Reglas', content: '<p>Uno</p>', ...values })
  return page
}

describe('versions (T9)', () => {
  it('versions of a page store each text with who saved it and when, and how many accepted it', async () => {
    const ana = await on.make.customer()
    const deletedCustomer = await on.make.customer()
    const page = await create({ required: true })
    const { page_id } = page
    for (const person of [ana, deletedCustomer]) await on.as(person).content.accept({ page_id })
    await on.sql('update customer set "deletedAt" = now() where customer_id = $1', [deletedCustomer.customer_id])
    on.clock.advance({ minutes: 5 })
    const manager = await on.make.staff('manager')
    const changed = await as(manager).admin.page.change({ page_id, if_updatedAt: page.updatedAt, content: '<p>Dos</p><script>x</script>' })
    expect(changed.page).toMatchObject({ version: 2, content: '<p>Dos</p>', source: '<p>Dos</p><script>x</script>' })
    const answer = await as().admin.page.one({ page_id })
    expect(answer).toMatchObject({ accepted: 0, page: { version: 2 } })
    expect(answer.customers).toBeGreaterThan(0)
    const names = await on.sql<{ uid: string; name: string }>('select uid, name from staff')
    const nameOf = (person: Person) => names.find(({ uid }) => uid === person.uid)?.name
    expect(answer.versions).toEqual([
      { version: 2, title: 'Reglas', accepted: 0, by: nameOf(manager), createdAt: on.clock.now().toISOString() },
      { version: 1, title: 'Reglas', accepted: 1, by: nameOf(owner), createdAt: page.updatedAt },
    ])
    const { version } = await as().admin.page.version({ page_id, version: 1 })
    expect(version).toMatchObject({ source: '<p>Uno</p>', content: '<p>Uno</p>', accepted: 1 })
    expect((await refusalOf(as().admin.page.version({ page_id, version: 3 }))).code).toBe('NOT_FOUND')
  })

  it('versions of a page are made by a changed text only, and by whatever changes it', async () => {
    const page = await create()
    const { page_id } = page
    const second = await as().admin.page.change({ page_id, if_updatedAt: page.updatedAt, title: 'Otro', seo_title: 'Reglas del estudio' })
    expect(second.page).toMatchObject({ version: 1, seo_title: 'Reglas del estudio' })
    expect((await as().admin.page.one({ page_id })).versions).toHaveLength(1)
    await on.sql(`update page set version = 2, content = '<p>Dos</p>', source = '<p>Dos</p>' where page_id = $1`, [page_id])
    expect((await as().admin.page.version({ page_id, version: 2 })).version).toMatchObject({ content: '<p>Dos</p>' })
  })

  it('versions of a page are sanitised when they are read, and gone with a removed page', async () => {
    const { page_id } = await create()
    await on.sql(`update page_version set content = '<img src=x onerror=alert(1)><p>Hola</p>' where page_id = $1`, [page_id])
    expect((await as().admin.page.version({ page_id, version: 1 })).version.content).not.toMatch(/onerror/)
    await as().admin.pages.remove({ page_id })
    expect((await refusalOf(as().admin.page.version({ page_id, version: 1 }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(as().admin.page.one({ page_id }))).code).toBe('NOT_FOUND')
  })
})

describe('two people who change a page at once (T10)', () => {
  it('the second is refused with the name of the first, and nothing of it is saved', async () => {
    const page = await create()
    const { page_id } = page
    on.clock.advance({ minutes: 1 })
    await as().admin.page.change({ page_id, if_updatedAt: page.updatedAt, content: '<p>De Mónica</p>' })
    const refused = await refusalOf(as().admin.page.change({ page_id, if_updatedAt: page.updatedAt, content: '<p>Mía</p>' }))
    const [{ name } = { name: '' }] = await on.sql<{ name: string }>('select name from staff where uid = $1', [owner.uid])
    expect(refused).toMatchObject({ code: 'CHANGED_MEANWHILE', status: 409 })
    expect(refused.message).toContain(`${name} cambió esto`)
    const { page: stored } = await as().admin.page.one({ page_id })
    expect(stored).toMatchObject({ content: '<p>De Mónica</p>', version: 2 })
    const { page: mine } = await as().admin.page.change({ page_id, if_updatedAt: stored.updatedAt, content: '<p>Mía</p>' })
    expect(mine).toMatchObject({ content: '<p>Mía</p>', version: 3 })
  })

  it('of ten at the same instant one is saved', async () => {
    const page = await create()
    const { page_id } = page
    on.clock.advance({ minutes: 1 })
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => as().admin.page.change({ page_id, if_updatedAt: page.updatedAt, content: `<p>${n}</p>` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await as().admin.page.one({ page_id })).versions).toHaveLength(2)
  })

  it('refuses an address of another page, and one of the product', async () => {
    const [first, page] = [await create(), await create()]
    const change = (slug: string) => refusalOf(as().admin.page.change({ page_id: page.page_id, if_updatedAt: page.updatedAt, slug }))
    expect((await change(first.slug)).code).toBe('ALREADY_EXISTS')
    expect((await change('calendario')).code).toBe('INVALID_INPUT')
    expect((await change('paquetes')).code).toBe('INVALID_INPUT')
  })
})

describe('publishing and order (T11)', () => {
  it('an unpublished page is nowhere on the site, and need not be accepted', async () => {
    const page = await create({ required: true, required_signup: true, published: false, slug: 'borrador' })
    const ana = await on.make.customer()
    const visitor = on.as(null).content
    expect((await visitor.pages()).pages.map(({ slug }) => slug)).not.toContain('borrador')
    expect((await refusalOf(visitor.page({ slug: 'borrador' }))).code).toBe('CONTENT_FAILED')
    expect((await on.as(ana).content.accepted()).pending.map(({ slug }) => slug)).not.toContain('borrador')
    expect((await refusalOf(on.as(ana).content.accept({ page_id: page.page_id }))).code).toBe('NOT_FOUND')
    await as().admin.page.change({ page_id: page.page_id, if_updatedAt: page.updatedAt, published: true })
    expect((await visitor.page({ slug: 'borrador' })).page.content).toBe('<p>Uno</p>')
    expect((await on.as(ana).content.accepted()).pending.map(({ slug }) => slug)).toContain('borrador')
    await as().admin.pages.remove({ page_id: page.page_id })
  })

  it('pages are in the order that the studio gives them, new ones last', async () => {
    const ids = [(await create()).page_id, (await create()).page_id, (await create()).page_id]
    await as().admin.page.order({ ids: [...ids].reverse() })
    const last = (await create()).page_id
    const shown = async () => (await on.as(null).content.pages()).pages.map(({ page_id }) => page_id)
    expect((await shown()).slice(0, 3)).toEqual([...ids].reverse())
    expect((await shown()).at(-1)).toBe(last)
    expect((await refusalOf(as().admin.page.order({ ids: [2_000_000_000] }))).code).toBe('NOT_FOUND')
  })

  it('texts for search engines reach the site, and emptied ones are none', async () => {
    const page = await create({ slug: 'seo', seo_title: 'Cómo llegar', seo_description: 'En la Roma' })
    const read = async () => (await on.as(null).content.page({ slug: 'seo' })).page
    expect(await read()).toMatchObject({ seo_title: 'Cómo llegar', seo_description: 'En la Roma' })
    await as().admin.page.change({ page_id: page.page_id, if_updatedAt: page.updatedAt, seo_title: '', seo_description: null })
    expect(await read()).toMatchObject({ seo_title: null, seo_description: null })
  })
})

describe('a text that is not saved (T12)', () => {
  it('a text that is not saved is returned as visitors would see it', async () => {
    const { content } = await as().admin.page.preview({ content: '<h1>Hola</h1><script>x</script><p onclick="x">Sí</p>' })
    expect(content).toBe('<h2>Hola</h2><p>Sí</p>')
  })
})
