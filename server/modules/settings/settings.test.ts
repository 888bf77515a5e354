import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingGroups } from '#contract/setting-groups.ts'
import { filesBase, settingKeys } from '#contract/settings.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { changeSettings } from './settings.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

test('a text that looks like JSON is stored as the same text', async () => {
  const written = { whatsapp: '5548217390', tagline: 'true', hero_title: 'null', banner_text: '[1]', location: '"así"' }
  await s.change(written)
  expect(s.studio.settings()).toMatchObject(written)
  const answer = await s.as(null).content.appconfig()
  expect(Object.fromEntries(answer.map(({ key, value }) => [key, value]))).toMatchObject(written)
})

test('HTML of the owner is sanitised when it is saved', async () => {
  const about_text = '<p onclick="steal()">Hola <script>steal()</script><a href="javascript:steal()">aquí</a></p>'
  await s.change({ mission_text: '<p>Calor.</p>' })
  await changeSettings(s.system(), { about_text })
  await expect.poll(() => s.studio.settings().about_text).toBe('<p>Hola <a>aquí</a></p>')
  expect(s.studio.settings().mission_text).toBe('<p>Calor.</p>')
})

describe('the settings editor (G1, S1-1.21, S1-1.22)', () => {
  const pairs = (changes: Record<string, unknown>) => ({ settings: Object.entries(changes).map(([key, value]) => ({ key, value })) })
  const savedOf = (answer: { settings: { key: string; value: unknown }[] }, key: string) =>
    answer.settings.find((setting) => setting.key === key)?.value

  test('gives only the owner every key with its default, also private ones', async () => {
    const owner = await s.make.staff('owner')
    const { settings } = await s.as(owner).content.settings()
    expect(settings.find(({ key }) => key === 'courtesy_days')).toMatchObject({ default: 7, public: false })
    expect(settings.find(({ key }) => key === 'primary')).toMatchObject({ default: '#2B36D9', public: true })
    for (const role of ['reception', 'coach'] as const)
      expect((await refusalOf(s.as(await s.make.staff(role)).content.settings())).code).toBe('FORBIDDEN')
    expect((await refusalOf(s.as(null).content.settings())).code).toBe('UNAUTHENTICATED')
  })

  test('a saved value is read by all callers at once, returned as stored, and audited with before and after', async () => {
    const owner = await s.make.staff('owner')
    const first = await s.as(owner).content.changeSettings(pairs({ tagline: 'Antes', about_text: '<p onclick="x()">Hola</p>' }))
    expect(savedOf(first, 'about_text')).toBe('<p>Hola</p>')
    await expect.poll(() => s.studio.settings().tagline).toBe('Antes')
    await s.as(owner).content.changeSettings(pairs({ tagline: 'Después', primary: s.studio.settings().primary }))
    // With the answer, not a moment after it.
    expect((await s.as(null).content.appconfig()).find(({ key }) => key === 'tagline')?.value).toBe('Después')
    const trail = await s.sql<{ entity_id: string; actor: string; uid: string; before: unknown; after: unknown }>(
      "select entity_id, actor, uid, before, after from audit left join staff on staff_id = actor_id where action = 'setting.change' order by audit_id desc limit 1",
    )
    expect(trail).toEqual([{ entity_id: 'tagline', actor: 'staff:owner', uid: owner.uid, before: 'Antes', after: 'Después' }])
  })

  test('simultaneous changes of one setting are audited as a chain, in whichever order of keys they come', async () => {
    const owner = await s.make.staff('owner')
    await s.as(owner).content.changeSettings(pairs({ hero_text: 'Texto 0' }))
    const texts = Array.from({ length: 6 }, (_, n) => `Texto ${n + 1}`)
    await Promise.all(
      texts.map((hero_text, n) => {
        const hero_link_text = `Enlace ${n}`
        return s.as(owner).content.changeSettings(pairs(n % 2 ? { hero_text, hero_link_text } : { hero_link_text, hero_text }))
      }),
    )
    const trail = await s.sql<{ before: unknown; after: unknown }>(
      "select before, after from audit where action = 'setting.change' and entity_id = 'hero_text' order by audit_id desc limit 6",
    )
    trail.reverse()
    expect(trail.map(({ before }) => before)).toEqual(['Texto 0', ...trail.slice(0, -1).map(({ after }) => after)])
    expect(trail.map(({ after }) => after).sort()).toEqual(texts)
  })

  test('an incomplete Google project is refused: otherwise all log-ins would fail', async () => {
    const owner = await s.make.staff('owner')
    for (const half of [{}, { apiKey: 'AIza' }, { projectId: 'vaiven' }, { apiKey: '', projectId: 'vaiven' }])
      expect(await refusalOf(s.as(owner).content.changeSettings(pairs({ firebaseConfig: half })))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: 'firebaseConfig', message: 'Faltan apiKey o projectId de tu proyecto.' }] },
      })
    expect(s.studio.settings().firebaseConfig).toBeNull()
    // An incomplete one that was stored before counts as none, for the server and for the browser.
    await s.sql(`insert into setting (key, value, "updatedAt") values ('firebaseConfig', '{"apiKey":"AIza"}', now())`)
    await s.change({ tagline: 'Con otro lema' })
    expect((await s.as(null).content.appconfig()).find(({ key }) => key === 'firebaseConfig')?.value).toBeNull()
  })

  test('all or none: each invalid key is named, and nothing is changed', async () => {
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
    // The path of the packages cannot be that of a screen or page, nor can a page get the path of the packages (T1).
    for (const path of ['/entrar', '/preguntas-frecuentes', '/membresias', '/reservaciones']) {
      const no = await refusalOf(s.as(owner).content.changeSettings(pairs({ class_packages_path: path })))
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
    expect(savedOf(await s.as(owner).content.changeSettings(pairs({ signup_fee: fee.class_package_id })), 'signup_fee')).toBe(
      fee.class_package_id,
    )
    expect(savedOf(await s.as(owner).content.changeSettings(pairs({ signup_fee: null })), 'signup_fee')).toBeNull()
  })

  test('file URLs use the server, or an endpoint built from bucket and region when missing (S1-3.07, S1-3.08)', async () => {
    const now = s.studio.settings()
    expect(filesBase({ ...now, files_location: 'server', bucket: 'vaiven', region: 'us-east-2' })).toBe('')
    const away = { ...now, files_location: 's3', bucket: 'vaiven', region: 'us-east-2' }
    expect(filesBase(away)).toBe('https://vaiven.s3.us-east-2.amazonaws.com')
    expect(filesBase({ ...away, S3_ENDPOINT: 'https://almacen.mx/' })).toBe('https://almacen.mx')
    expect(filesBase({ ...away, filesBaseSrc: 'https://cdn.vaiven.mx/' })).toBe('https://cdn.vaiven.mx')
  })

  test('who edited from an older value reads both versions and changes nothing; one who wrote the same value is not in conflict (G7)', async () => {
    const monica = await s.make.staff('owner', { name: 'Mónica Cruz' })
    const diego = await s.make.staff('owner', { name: 'Diego Luna' })
    await s.as(monica).content.changeSettings(pairs({ undo_minutes: 5, courtesy_days: 7, hero_title: 'Uno' }))
    await s.as(diego).content.changeSettings(pairs({ undo_minutes: 9, courtesy_days: 8 }))
    const late = {
      settings: [
        { key: 'undo_minutes', value: 15, if_value: 5 },
        { key: 'courtesy_days', value: 8, if_value: 7 },
        { key: 'hero_title', value: 'Dos', if_value: 'Uno' },
      ],
    }
    const no = await refusalOf(s.as(monica).content.changeSettings(late))
    expect(no).toMatchObject({ code: 'CHANGED_MEANWHILE', message: expect.stringContaining('Diego Luna cambió esto hace 1 min.') })
    expect(no.data).toEqual({
      by: 'Diego Luna',
      when: 'hace 1 min',
      conflicts: [{ key: 'undo_minutes', value: 9, by: 'Diego Luna', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }],
    })
    expect(s.studio.settings()).toMatchObject({ undo_minutes: 9, hero_title: 'Uno' })
    // With the value that is there now it is saved.
    const saved = await s.as(monica).content.changeSettings({ settings: [{ key: 'undo_minutes', value: 15, if_value: 9 }] })
    expect(saved.settings.find(({ key }) => key === 'undo_minutes')).toMatchObject({ value: 15, changed_by: 'Mónica Cruz' })
  })

  test('two who save the same setting at once from the same value: one is stored, the other reads it (G7)', async () => {
    const owner = await s.make.staff('owner')
    await s.as(owner).content.changeSettings(pairs({ reminder_hours: 12 }))
    const answers = await Promise.allSettled(
      [3, 4, 5].map((value) => s.as(owner).content.changeSettings({ settings: [{ key: 'reminder_hours', value, if_value: 12 }] })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('the history of a setting lists who changed it, when and from what, newest first (G8)', async () => {
    const owner = await s.make.staff('owner', { name: 'Mónica Cruz' })
    for (const n of [20, 21, 22]) await s.as(owner).content.changeSettings(pairs({ renewal_notice_days: n }))
    const { changes } = await s.as(owner).content.settingHistory({ key: 'renewal_notice_days' })
    expect(changes.slice(0, 2)).toMatchObject([
      { before: 21, after: 22, by: 'Mónica Cruz' },
      { before: 20, after: 21, by: 'Mónica Cruz' },
    ])
    expect((await refusalOf(s.as(owner).content.settingHistory({ key: 'constructor' }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(s.as(await s.make.staff('manager')).content.settingHistory({ key: 'tagline' }))).code).toBe('FORBIDDEN')
  })

  test('every setting says its place, type, unit of a number and default; the path of the packages is the studio’s own', async () => {
    const owner = await s.make.staff('owner')
    await s.as(owner).content.changeSettings(pairs({ class_packages_path: '/bonos' }))
    const { settings } = await s.as(owner).content.settings()
    expect(settings.map(({ key }) => key).sort()).toEqual([...settingKeys].sort())
    expect(
      settings.filter(({ type, unit, key }) => type === 'integer' && !unit && !/_order$|_year$|cancel_timeframe_value/.test(key)),
    ).toEqual([])
    expect(settings.find(({ key }) => key === 'discounts_enabled')).toMatchObject({ group: 'Qué se vende', shown_on: ['/bonos'] })
    expect(settings.find(({ key }) => key === 'tax_rate')).toMatchObject({ type: 'number', min: 0, max: 100, nullable: false })
    expect(settings.find(({ key }) => key === 'cancel_timeframe_value')).toMatchObject({ type: 'integer', nullable: true, max: 100_000 })
    for (const { key, depends_on } of settings)
      if (depends_on) expect({ key, known: settingKeys.includes(depends_on.key as never) }).toEqual({ key, known: true })
    await s.as(owner).content.changeSettings(pairs({ class_packages_path: '/paquetes' }))
  })

  test('a wrong value of any setting is refused by its key, in a Spanish sentence', async () => {
    const owner = await s.make.staff('owner')
    for (const value of [['lista'], -1.5, 'x'.repeat(301)]) {
      const no = await refusalOf(s.as(owner).content.changeSettings(pairs(Object.fromEntries(settingKeys.map((key) => [key, value])))))
      const { issues } = no.data as { issues: { path: string; message: string }[] }
      if (Array.isArray(value)) expect(issues.map(({ path }) => path).sort()).toEqual([...settingKeys].sort())
      expect(
        issues.filter(
          ({ message }) => !/^[A-ZÁÉÍÓÚÑ].*(?:\.|https:\/\/)$/s.test(message) || /\b(invalid|expected|must|string|number)\b/i.test(message),
        ),
      ).toEqual([])
    }
  })
})

test('each setting is in one group of one screen', () => {
  const keys = settingGroups.flatMap((group) => group.keys)
  expect([...keys].sort()).toEqual([...settingKeys].sort())
})
