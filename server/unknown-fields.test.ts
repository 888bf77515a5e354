/**
 * A field or a query key that an endpoint does not know: refused by name on the endpoints of staff, ignored by the calls that the
 * specification lists.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { SETTING_AREAS } from '#contract/setting-areas.ts'
import { infoOf, settingHelp } from '#contract/setting-help.ts'
import { type SettingKey, settings } from '#contract/settings.ts'
import { openApiDocument } from './openapi.ts'
import { bearer, JSON_BODY, pathOf, type Target, target } from './testing/target.ts'
import { endpoints } from './testing/wire.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const strict = endpoints().filter((endpoint) => endpoint.unknownFields === 'refused')

test('endpoints of staff are strict, except those of the specification and of its records', () => {
  const lenient = endpoints().filter(({ access, unknownFields }) => access.startsWith('staff') && unknownFields === 'ignored')
  const records = `announcements available_classes class_categories class_packages class_reservation_penaltys class_types custom_fields
    customer discounts forms instructors locations pages payment_methods programs tags video_types videos`.split(/\s+/)
  const calls = [
    '/customer/admin/all',
    '/customer/admin/{customer_id}',
    '/customer/query',
    '/customer/giveAccess',
    '/customer/revokeAccess',
    '/customer/removeClasses',
    '/class_packages/admin/all',
    '/discounts/admin/all',
    '/class_packages/{class_package_id}/home',
    '/class_packages/especiales/{class_package_id}/asistentes',
  ]
  for (const { path } of lenient) {
    const [, record = '', ...rest] = path.split('/')
    expect([path, calls.includes(path) || (records.includes(record) && (rest.length === 0 || /^\{\w+\}$/.test(rest.join('/'))))]).toEqual([
      path,
      true,
    ])
  }
  for (const name of ['rooms.create', 'segments.all', 'schedule.create', 'content.changeSettings', 'videos.admin.videos.all'])
    expect(strict.map((endpoint) => endpoint.name)).toContain(name)
})

test('every strict endpoint refuses an unknown field by its name, and writes nothing', async () => {
  expect(strict.length).toBeGreaterThan(15)
  expect(strict.every(({ access }) => /^staff(?:-session|:|$)/.test(access))).toBe(true)
  const before = await t.written()
  // A file is uploaded as multipart/form-data: anything else is refused before its fields are read.
  for (const endpoint of strict.filter(({ fields }) => !fields.includes('file'))) {
    const path = pathOf(endpoint, () => '1')
    const headers = bearer(t.people.owner.token)
    const answers = [
      { method: endpoint.method, path: `${path}?unheard_of=1`, headers },
      ...(endpoint.method === 'GET'
        ? []
        : [{ method: endpoint.method, path, headers: { ...headers, ...JSON_BODY }, body: '{"unheard_of":1}' }]),
    ].map((request) => t.send(request))
    for (const answer of await Promise.all(answers))
      expect({ name: endpoint.name, status: answer.status, body: JSON.parse(answer.text) }).toMatchObject({
        name: endpoint.name,
        status: 400,
        body: { code: 'INVALID_INPUT', data: { issues: [{ path: 'unheard_of', message: 'Este campo no existe.' }] } },
      })
  }
  expect(await t.written()).toEqual(before)
})

test('a filter with a typing error is refused instead of matching everything', async () => {
  const { status, text } = await t.send({
    method: 'GET',
    path: '/api/admin/invoices?paymentmethod=3',
    headers: bearer(t.people.reception.token),
  })
  expect(status).toBe(400)
  expect(JSON.parse(text).data.issues).toEqual([{ path: 'paymentmethod', message: 'Este campo no existe.' }])
})

test('an endpoint of the specification accepts a record as it was read, with unknown fields', async () => {
  const headers = { ...bearer(t.people.owner.token), ...JSON_BODY }
  const answer = await t.send({
    method: 'POST',
    path: '/api/tags',
    headers,
    body: '{"name":"Suave","type":"video","createdAt":"2026-01-01","extra":{"a":1}}',
  })
  expect(answer.status).toBe(200)
})

test('callers without access do not learn which fields exist', async () => {
  const [endpoint] = strict.filter(({ method }) => method === 'GET')
  if (!endpoint) throw new Error('No strict endpoint is read.')
  const answer = await t.send({ method: 'GET', path: `${pathOf(endpoint, () => '1')}?unheard_of=1`, headers: bearer(t.people.ana.token) })
  expect(JSON.parse(answer.text).code).toBe('FORBIDDEN')
})

test('the OpenAPI document describes every field, the handling of unknown ones, and every setting with its default', async () => {
  const { document, undescribed, unusedDescriptions } = await openApiDocument(contract, 'http://localhost')
  expect({ undescribed, unusedDescriptions }).toEqual({ undescribed: [], unusedDescriptions: [] })
  const { paths } = document as { paths: Record<string, Record<string, { description: string; requestBody?: unknown }>> }
  expect(paths['/admin/invoices']?.get?.description).toContain('Un campo desconocido se rechaza')
  expect(paths['/tags']?.post?.description).toContain('Los campos desconocidos se ignoran')
  const changing = JSON.stringify(paths['/appconfig']?.put?.requestBody)
  for (const key of Object.keys(settings)) expect(changing).toContain(`\`${key}\``)
})

test('every setting has a label, a help text, an area and labels of its choices', () => {
  for (const key of Object.keys(settings) as SettingKey[]) {
    const info = infoOf(key)
    expect({ key, named: info.label.length > 2 && info.help.length > 5 }).toEqual({ key, named: true })
    expect(Object.keys(SETTING_AREAS)).toContain(info.area)
    const entry: object = settingHelp[key]
    const choices = 'choices' in entry ? Object.keys(entry.choices as object) : []
    expect({ key, choices: choices.sort() }).toEqual({ key, choices: (info.options ?? []).map(({ value }) => value).sort() })
  }
  expect(infoOf('cancel_timeframe_unit')).toMatchObject({ type: 'select', area: 'reservas' })
  expect(infoOf('waitlist_offer_minutes')).toMatchObject({ type: 'integer', min: 5, max: 1440, unit: 'minutos' })
})
