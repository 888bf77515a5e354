import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesBase } from '#contract/settings.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { changeSettings } from './settings.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

test('a text that looks like JSON stays the text that was written', async () => {
  const written = { whatsapp: '5548217390', tagline: 'true', hero_title: 'null', banner_text: '[1]', location: '"así"' }
  await s.change(written)
  expect(s.studio.settings()).toMatchObject(written)
  const answer = await s.as(null).content.appconfig()
  expect(Object.fromEntries(answer.map(({ key, value }) => [key, value]))).toMatchObject(written)
})

test('HTML of the owner loses what could harm a visitor when it is written', async () => {
  const about_text = '<p onclick="steal()">Hola <script>steal()</script><a href="javascript:steal()">aquí</a></p>'
  await s.change({ mission_text: '<p>Calor.</p>' })
  await changeSettings(s.system(), { about_text })
  await expect.poll(() => s.studio.settings().about_text).toBe('<p>Hola <a>aquí</a></p>')
  expect(s.studio.settings().mission_text).toBe('<p>Calor.</p>')
})

describe('the editor of settings (G1, S1-1.21, S1-1.22)', () => {
  const pairs = (changes: Record<string, unknown>) => ({ settings: Object.entries(changes).map(([key, value]) => ({ key, value })) })
  const keptOf = (answer: { settings: { key: string; value: unknown }[] }, key: string) =>
    answer.settings.find((one) => one.key === key)?.value

  test('gives the owner every key with its default, private ones too, and nobody else', async () => {
    const owner = await s.make.staff('owner')
    const { settings } = await s.as(owner).content.settings()
    expect(settings.find(({ key }) => key === 'courtesy_days')).toMatchObject({ default: 7, public: false })
    expect(settings.find(({ key }) => key === 'primary')).toMatchObject({ default: '#2B36D9', public: true })
    for (const role of ['reception', 'coach'] as const)
      expect((await refusalOf(s.as(await s.make.staff(role)).content.settings())).code).toBe('FORBIDDEN')
    expect((await refusalOf(s.as(null).content.settings())).code).toBe('UNAUTHENTICATED')
  })

  test('what is saved is read by everybody at once, answered as it was kept, and leaves who, before and after', async () => {
    const owner = await s.make.staff('owner')
    const first = await s.as(owner).content.changeSettings(pairs({ tagline: 'Antes', about_text: '<p onclick="x()">Hola</p>' }))
    expect(keptOf(first, 'about_text')).toBe('<p>Hola</p>')
    await expect.poll(() => s.studio.settings().tagline).toBe('Antes')
    await s.as(owner).content.changeSettings(pairs({ tagline: 'Después', primary: s.studio.settings().primary }))
    // With the answer, not a moment after it.
    expect((await s.as(null).content.appconfig()).find(({ key }) => key === 'tagline')?.value).toBe('Después')
    const trail = await s.sql<{ entity_id: string; actor: string; uid: string; before: unknown; after: unknown }>(
      "select entity_id, actor, uid, before, after from audit left join staff on staff_id = actor_id where action = 'setting.change' order by audit_id desc limit 1",
    )
    expect(trail).toEqual([{ entity_id: 'tagline', actor: 'staff:owner', uid: owner.uid, before: 'Antes', after: 'Después' }])
  })

  test('half a project of Google is refused: the browser would go there, and nobody could log in any more', async () => {
    const owner = await s.make.staff('owner')
    for (const half of [{}, { apiKey: 'AIza' }, { projectId: 'vaiven' }, { apiKey: '', projectId: 'vaiven' }])
      expect(await refusalOf(s.as(owner).content.changeSettings(pairs({ firebaseConfig: half })))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: 'firebaseConfig', message: 'Faltan apiKey o projectId de tu proyecto.' }] },
      })
    expect(s.studio.settings().firebaseConfig).toBeNull()
    // One that was kept before is none, for the server and for the browser.
    await s.sql(`insert into setting (key, value, "updatedAt") values ('firebaseConfig', '{"apiKey":"AIza"}', now())`)
    await s.change({ tagline: 'Con otro lema' })
    expect((await s.as(null).content.appconfig()).find(({ key }) => key === 'firebaseConfig')?.value).toBeNull()
  })

  test('all or none: each key that is wrong is named, and nothing is changed', async () => {
    const owner = await s.make.staff('owner')
    const no = await refusalOf(
      s.as(owner).content.changeSettings(
        pairs({
          business_name: 'Otra',
          primary: 'azul',
          hero_link: 'javascript:alert(1)',
          constructor: 1,
          hero_order: -1,
          signup_form_id: 987_654,
          class_packages_path: '/entrar',
        }),
      ),
    )
    expect(no.code).toBe('INVALID_INPUT')
    const { issues } = no.data as { issues: { path: string; message: string }[] }
    expect(issues.map(({ path }) => path).sort()).toEqual(['class_packages_path', 'constructor', 'hero_link', 'hero_order', 'primary'])
    expect(issues.find(({ path }) => path === 'primary')?.message).toBe('Un color se escribe como #2B36D9.')
    expect(s.studio.settings().business_name).not.toBe('Otra')
    for (const [key, message] of [
      ['signup_form_id', 'Ese formulario no existe.'],
      ['profile_form_id', 'Ese formulario no existe.'],
      ['signup_fee', 'Ese paquete no existe.'],
    ]) {
      const missing = await refusalOf(s.as(owner).content.changeSettings(pairs({ [key as string]: 987_654 })))
      expect(missing.data).toEqual({ issues: [{ path: key, message }] })
      const none = await refusalOf(s.as(owner).content.changeSettings(pairs({ [key as string]: 2 ** 31 })))
      expect(none.data).toMatchObject({ issues: [{ path: key }] })
    }
    // The packages stand on no screen of the site or of /mystudio, and on no page; nor does a page come to stand on them (T1).
    for (const taken of ['/entrar', '/preguntas-frecuentes', '/membresias', '/reservaciones']) {
      const no = await refusalOf(s.as(owner).content.changeSettings(pairs({ class_packages_path: taken })))
      expect(no.data).toEqual({ issues: [{ path: 'class_packages_path', message: 'Esa dirección ya es de otra pantalla.' }] })
    }
    const { page } = await s.as(owner).content.admin.pages.create({ slug: 'nuestros-planes', title: 'Nuestros planes' })
    const onPage = await refusalOf(s.as(owner).content.changeSettings(pairs({ class_packages_path: '/nuestros-planes' })))
    expect(onPage.data).toEqual({
      issues: [{ path: 'class_packages_path', message: 'Esa dirección ya es de la página "Nuestros planes".' }],
    })
    await s.as(owner).content.changeSettings(pairs({ class_packages_path: '/planes' }))
    const onPackages = { issues: [{ path: 'slug', message: 'En esa dirección ya están los paquetes.' }] }
    expect((await refusalOf(s.as(owner).content.admin.pages.create({ slug: 'planes', title: 'Planes' }))).data).toEqual(onPackages)
    const moved = { page_id: page.page_id, slug: 'planes', title: 'Planes' }
    expect((await refusalOf(s.as(owner).content.admin.pages.update(moved))).data).toEqual(onPackages)
    await s.as(owner).content.changeSettings(pairs({ class_packages_path: '/paquetes' }))
    const fee = await s.make.package()
    expect(keptOf(await s.as(owner).content.changeSettings(pairs({ signup_fee: fee.class_package_id })), 'signup_fee')).toBe(
      fee.class_package_id,
    )
    expect(keptOf(await s.as(owner).content.changeSettings(pairs({ signup_fee: null })), 'signup_fee')).toBeNull()
  })

  test('files come from the server, or from an endpoint that is built from bucket and region when it is missing (S1-3.07, S1-3.08)', async () => {
    const now = s.studio.settings()
    expect(filesBase({ ...now, files_location: 'server', bucket: 'vaiven', region: 'us-east-2' })).toBe('')
    const away = { ...now, files_location: 's3', bucket: 'vaiven', region: 'us-east-2' }
    expect(filesBase(away)).toBe('https://vaiven.s3.us-east-2.amazonaws.com')
    expect(filesBase({ ...away, S3_ENDPOINT: 'https://almacen.mx/' })).toBe('https://almacen.mx')
    expect(filesBase({ ...away, filesBaseSrc: 'https://cdn.vaiven.mx/' })).toBe('https://cdn.vaiven.mx')
  })
})
