/** The preview of unsaved settings over HTTP: the right to make one, its lifetime, and that no endpoint that writes accepts it (G10). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleConfirmation } from '#server/modules/bookings/bookings.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { previewSettings } from '#server/modules/settings/settings.ts'
import { bearer, JSON_BODY, pathOf, refusedAs, type Target, target } from '#server/testing/target.ts'
import { endpoints } from '#server/testing/wire.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const writing = endpoints().filter(({ method }) => method !== 'GET')
const pairs = (values: Record<string, unknown>) => ({ settings: Object.entries(values).map(([key, value]) => ({ key, value })) })
const previewOf = async (values: Record<string, unknown>) => (await t.s.as(t.people.owner).content.previewSettings(pairs(values))).token

describe('the preview of unsaved settings (G10)', () => {
  test('every endpoint that writes refuses an address with its token, from any caller, and writes nothing', async () => {
    const token = await previewOf({ business_name: 'Sin guardar' })
    const before = await t.written()
    expect(writing.length).toBeGreaterThan(100)
    for (const endpoint of writing)
      for (const headers of [{}, bearer(t.people.owner.token), bearer(t.people.ana.token)]) {
        const path = `${pathOf(endpoint, () => '1')}?vista_previa=${token}`
        const answer = await t.send({ method: endpoint.method, path, headers: { ...JSON_BODY, ...headers }, body: '{}' })
        await refusedAs('METHOD_NOT_ALLOWED', answer, `${endpoint.method} ${path}`)
      }
    expect(await t.written()).toEqual(before)
  })

  test('the token is no session', async () => {
    const token = await previewOf({})
    for (const endpoint of writing.filter(({ access }) => access !== 'public' && access !== 'optional')) {
      const answer = await t.send({
        method: endpoint.method,
        path: pathOf(endpoint, () => '1'),
        headers: { ...JSON_BODY, ...bearer(token) },
        body: '{}',
      })
      expect([endpoint.name, answer.status]).toEqual([endpoint.name, 401])
    }
  })

  test('changes nothing for others, has the studio’s other settings, and ends after 15 minutes', async () => {
    const { studio, clock } = t.s
    const token = await previewOf({ business_name: 'Sin guardar', head: '<script>x()</script>' })
    expect(await previewSettings(studio, token)).toMatchObject({
      business_name: 'Sin guardar',
      head: '',
      tagline: studio.settings().tagline,
    })
    expect(studio.settings().business_name).not.toBe('Sin guardar')
    const appconfig = await t.send({ method: 'GET', path: `/api/appconfig?vista_previa=${token}`, headers: {} })
    expect(appconfig.text).not.toContain('Sin guardar')
    for (const bad of ['', 'x', `${token}x`, token.replace('.', '0.')]) expect(await previewSettings(studio, bad)).toBeNull()
    clock.advance({ minutes: 15 })
    expect(await previewSettings(studio, token)).toBeNull()
    await previewOf({})
    const [row] = await t.s.sql<{ left: number }>('select count(*)::int as left from settings_preview')
    expect(row?.left).toBe(1)
  })

  test('the sample mail has the brand that is not saved, and the words of the studio', async () => {
    const { studio } = t.s
    await t.s
      .as(t.people.owner)
      .messageTemplates.change({ event: 'reservation_confirmed', channel: 'mail', text: 'Nos vemos en {{clase}}, {{nombre}}.' })
    const settings = await previewSettings(studio, await previewOf({ business_name: 'Sin <guardar>', primary: '#0E6E78' }))
    const before = await t.written()
    if (!settings) throw new Error('no preview')
    const html = await sampleConfirmation(new Ctx({ ...studio, settings: () => settings }, { actor: { kind: 'visitor' } }))
    expect(html).toContain('Nos vemos en Reformer Flow, Ana Sofía.')
    expect(html).toContain('Sin &lt;guardar&gt;')
    expect(html).toContain('#0E6E78')
    expect(await t.written()).toEqual(before)
  })

  test('needs the right to change the settings, and for own code the right to change that; wrong values are named', async () => {
    const preview = (person: Parameters<typeof t.s.as>[0], values: Record<string, unknown>) =>
      t.s.as(person).content.previewSettings(pairs(values))
    await expect(preview(t.people.reception, {})).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(preview(null, {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await expect(preview(t.people.owner, { primary: 'azul' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'primary', message: 'Un color se escribe como #2B36D9.' }] },
    })
    const other = await t.s.make.staff('owner')
    await t.s.sql("insert into staff_right select staff_id, 'settings.code', false from staff where uid = $1", [other.uid])
    await expect(preview(other, { app_css: 'p{}' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
