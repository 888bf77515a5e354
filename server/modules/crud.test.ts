/**
 * Plain lists over HTTP: what all of them do (docs/domain.md, K7; S1-7.27 to S1-7.40, S1-7.65 to S1-7.79, S1-7.83 to S1-7.88,
 * S2-7.12 to S2-7.16, S2-7.51 to S2-7.58).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePaymentMethods } from '#server/modules/catalogue/catalogue.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
let ana: Person
beforeAll(async () => {
  on = await studio()
  ;[owner, ana] = [await on.make.staff('owner'), await on.make.customer()]
  await on.studio.db.tx(ensurePaymentMethods)
})
afterAll(() => on.close())

type Json = Record<string, unknown>

interface Plain {
  path: string
  one: string
  many: string
  id: string
  /** A new record, complete. */
  made: Json
  /** A change of a part of it. */
  change: Json
  /** Fields without which none is made. */
  needs: string[]
  /** What is refused, and the field that is blamed. */
  wrong: [string, unknown][]
  /** The path of the public read, if there is one. */
  seen?: string
}

const lists: Plain[] = [
  {
    path: '/locations',
    one: 'location',
    many: 'locations',
    id: 'location_id',
    made: {
      name: 'Roma',
      address: 'Tonalá 118\nRoma Norte',
      timezone: 'America/Tijuana',
      map_link: 'https://maps.example/roma',
      phone: '5512345678',
      hours: 'Lunes a viernes 6 a 22',
      sort: 3,
    },
    change: { hours: null, phone: '5500000000' },
    needs: ['name'],
    wrong: [
      ['name', ''],
      ['timezone', 'Marte/Olimpo'],
      ['map_link', 'javascript:alert(1)'],
      ['map_link', 'http://sin-candado.mx'],
      ['phone', '55 1234'],
      ['sort', -1],
      ['name', 'a\u0000b'],
      ['name', 'x'.repeat(121)],
    ],
    seen: 'hours',
  },
  {
    path: '/class_types',
    one: 'class_type',
    many: 'class_types',
    id: 'class_type_id',
    made: {
      name: 'Reformer',
      description: 'Control y fuerza.',
      image: '/archivos/aaaaaaaaaaaaaaaaaaaaaa.webp',
      icon: 'resorte',
      intensity: 3,
      duration_minutes: 50,
      spot_map: '5,7,6',
      sort: 1,
    },
    change: { intensity: null, spot_map: null },
    needs: ['name'],
    wrong: [
      ['intensity', 6],
      ['duration_minutes', 0],
      ['spot_map', '5,,6'],
      ['spot_map', '100'],
      ['image', 'data:image/svg+xml,<svg/>'],
      ['image', '//otro.mx/x.png'],
    ],
    seen: 'intensity',
  },
  {
    path: '/class_categories',
    one: 'class_category',
    many: 'class_categories',
    id: 'class_category_id',
    made: { name: 'Fuerza', handle: 'fuerza', description: 'Para cargar', available: true },
    change: { available: false },
    needs: ['name'],
    wrong: [
      ['handle', 'Con Espacios'],
      ['available', 'sí'],
    ],
    seen: 'available',
  },
  {
    path: '/instructors',
    one: 'instructor',
    many: 'instructors',
    id: 'instructor_id',
    made: {
      name: 'Renata',
      last_name: 'Quiroz',
      nick_name: 'Ren',
      quote: 'Respira.',
      short_bio: 'Bailarina.',
      instagram: '@renata',
      birthdate: '1989-03-17',
      music_type: 'House',
      specialties: 'Barre, Reformer',
      photo: '/archivos/bbbbbbbbbbbbbbbbbbbbbb.jpg',
      is_home: false,
      sort: 2,
    },
    change: { quote: null, is_home: true },
    needs: ['name'],
    wrong: [
      ['birthdate', '1989-02-30'],
      ['birthdate', '1800-01-01'],
      ['photo', 'javascript:alert(1)'],
    ],
    seen: 'quote',
  },
  {
    path: '/tags',
    one: 'tag',
    many: 'tags',
    id: 'tag_id',
    made: { name: 'Suave', type: 'video', color: '#2B36D9' },
    change: { color: null },
    needs: ['name'],
    wrong: [
      ['color', 'rojo'],
      ['type', 'Con Mayúsculas'],
    ],
    seen: 'color',
  },
  {
    path: '/payment_methods',
    one: 'payment_method',
    many: 'payment_methods',
    id: 'payment_method_id',
    made: { name: 'Transferencia', description: 'A la cuenta del estudio' },
    change: { description: '' },
    needs: ['name'],
    wrong: [['name', ' ']],
    seen: 'description',
  },
  {
    path: '/announcements',
    one: 'announcement',
    many: 'announcements',
    id: 'announcement_id',
    made: { title: 'Cerramos el lunes', content: '<p>Es <strong>feriado</strong>.</p>' },
    change: { title: 'Cerramos el martes' },
    needs: ['title', 'content'],
    wrong: [['title', '']],
    seen: 'title',
  },
  {
    path: '/pages',
    one: 'page',
    many: 'pages',
    id: 'page_id',
    made: {
      slug: 'aviso-de-privacidad',
      title: 'Aviso de privacidad',
      content: '<p>Tus datos</p>',
      required: false,
      required_signup: true,
    },
    change: { title: 'Aviso', required_signup: false },
    needs: ['slug', 'title'],
    wrong: [
      ['slug', 'Aviso de privacidad'],
      ['slug', 'mystudio'],
      ['slug', 'api'],
      ['slug', '-aviso'],
    ],
    seen: 'title',
  },
  {
    path: '/forms',
    one: 'form',
    many: 'forms',
    id: 'form_id',
    made: {
      name: 'Salud',
      form_fields: [
        {
          key: 'talla',
          label: 'Talla',
          type: 'select',
          required: true,
          step: 1,
          order: 1,
          options: [{ value: 'S', label: 'Chica' }],
          precondition: null,
        },
        {
          key: 'nota',
          label: 'Nota',
          type: 'textarea',
          required: false,
          step: 2,
          order: 0,
          options: [],
          precondition: { key: 'talla', value: 'S' },
        },
      ],
    },
    change: { name: 'Salud y tallas' },
    needs: [],
    wrong: [
      ['form_fields', [{ key: 'a b', label: 'x', type: 'text' }]],
      ['form_fields', [{ key: '__proto__', label: 'x', type: 'text' }]],
      ['form_fields', [{ key: 'a', label: '', type: 'text' }]],
      ['form_fields', [{ key: 'a', label: 'x', type: 'constructor' }]],
      [
        'form_fields',
        [
          { key: 'a', label: 'x', type: 'text' },
          { key: 'a', label: 'y', type: 'text' },
        ],
      ],
      ['form_fields', [{ key: 'a', label: 'x', type: 'text', precondition: { key: 'a' } }]],
      ['form_fields', [{ key: 'a', label: 'x', type: 'text', precondition: { key: 'z' } }]],
    ],
    seen: 'name',
  },
  {
    path: '/custom_fields',
    one: 'custom_field',
    many: 'custom_fields',
    id: 'custom_field_id',
    made: {
      object: 'mascota',
      key: 'nombre',
      label: 'Nombre',
      type: 'text',
      required: true,
      step: 1,
      order: 2,
      options: [],
      precondition: null,
      value: 'Tito',
    },
    change: { order: 5, value: null },
    needs: ['object', 'key', 'type'],
    wrong: [
      ['object', 'date'],
      ['type', 'mascota'],
      ['type', 'address'],
      ['key', ''],
    ],
    seen: 'order',
  },
]

async function call(
  person: Person | null,
  method: string,
  path: string,
  body?: Json,
  key?: string,
): Promise<{ status: number; body: Json }> {
  const answer = await fetch(`${on.url}/api${path}`, {
    method,
    headers: {
      ...(person ? { authorization: `Bearer ${person.token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

describe.each(lists.map((list) => [list.path, list] as const))('%s', (_, of) => {
  let id: number
  const recordOf = (body: Json) => body[of.one] as Json
  const all = async (): Promise<Json[]> => (await call(owner, 'GET', `${of.path}/admin/all`)).body[of.many] as Json[]
  const seen = async (): Promise<Json[]> => (await call(null, 'GET', of.path)).body[of.many] as Json[]
  const mine = (rows: Json[]) => rows.find((row) => row[of.id] === id)

  it('creates a record when the id is not a number, publicly visible at once (S1-4.34)', async () => {
    await seen()
    const { status, body } = await call(owner, 'POST', of.path, { ...of.made, [of.id]: 'nueva' })
    expect([status, recordOf(body)]).toMatchObject([200, of.made])
    id = recordOf(body)[of.id] as number
    expect(id).toBeGreaterThan(0)
    expect(mine(await all())).toMatchObject(of.made)
    await expect.poll(async () => mine(await seen()) !== undefined).toBe(true)
  })

  it('changes only the given fields, with PUT or POST, by its id (S1-4.34)', async () => {
    const changed = { ...of.made, ...of.change }
    expect(recordOf((await call(owner, 'PUT', of.path, { [of.id]: id, ...of.change })).body)).toMatchObject(changed)
    await expect.poll(async () => mine(await seen())?.[of.seen ?? '']).toEqual(changed[of.seen ?? ''])
    const again = await call(owner, 'POST', of.path, { ...of.made, [of.id]: String(id) })
    expect([again.status, recordOf(again.body)]).toMatchObject([200, { ...of.made, [of.id]: id }])
    expect((await call(owner, 'PUT', of.path, { [of.id]: id })).status).toBe(200)
    expect(mine(await all())).toMatchObject(of.made)
  })

  it('refuses invalid and unknown ids', async () => {
    for (const bad of [0, -1, 1.5, 3_000_000_000, '-1', '1.5', '12abc'])
      expect([bad, (await call(owner, 'POST', of.path, { ...of.made, [of.id]: bad })).body.code]).toEqual([bad, 'INVALID_INPUT'])
    for (const method of ['POST', 'PUT'])
      expect((await call(owner, method, of.path, { ...of.made, [of.id]: 2_000_000_000 })).body.code).toBe('NOT_FOUND')
    for (const none of [{}, { [of.id]: null }, { [of.id]: 'nueva' }])
      expect((await call(owner, 'PUT', of.path, { ...of.change, ...none })).body).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: of.id }] },
      })
    expect((await call(owner, 'DELETE', `${of.path}/2000000000`)).body.code).toBe('NOT_FOUND')
    expect((await call(owner, 'DELETE', `${of.path}/0`)).body.code).toBe('INVALID_INPUT')
  })

  it('refuses invalid fields by name, and changes nothing', async () => {
    const before = await all()
    for (const [field, value] of of.wrong)
      for (const method of ['POST', 'PUT']) {
        const { status, body } = await call(owner, method, of.path, { ...of.made, [of.id]: id, [field]: value })
        const issues = ((body.data as Json)?.issues ?? []) as { path: string }[]
        expect([field, value, status, issues[0]?.path.split('.')[0]]).toEqual([field, value, 400, field])
      }
    for (const field of of.needs) {
      const { [field]: _, ...rest } = of.made
      expect([field, (await call(owner, 'POST', of.path, rest)).status]).toEqual([field, 400])
    }
    expect(await all()).toEqual(before)
  })

  it('ignores fields that cannot be written', async () => {
    const forged = {
      ...of.made,
      [of.id]: id,
      deletedAt: '2020-01-01T00:00:00Z',
      version: 99,
      createdAt: '2020-01-01T00:00:00Z',
      source: 'x',
      sold: 5,
    }
    const before = mine(await all())
    expect((await call(owner, 'PUT', of.path, forged)).status).toBe(200)
    const { updatedAt: _, ...after } = mine(await all()) ?? {}
    expect(before).toMatchObject(after)
  })

  it('changing a record is for staff: a customer cannot change anything', async () => {
    const before = await all()
    for (const person of [null, ana, await on.make.staff('coach')]) {
      const code = person ? 'FORBIDDEN' : 'UNAUTHENTICATED'
      expect((await call(person, 'POST', of.path, of.made)).body.code).toBe(code)
      expect((await call(person, 'PUT', of.path, { [of.id]: id, ...of.change })).body.code).toBe(code)
      expect((await call(person, 'DELETE', `${of.path}/${id}`)).body.code).toBe(code)
      expect((await call(person, 'GET', `${of.path}/admin/all`)).body.code).toBe(code)
    }
    expect(await all()).toEqual(before)
  })

  it('creates one record per Idempotency-Key, however often it is sent, and refuses the key with another record', async () => {
    const isUnique = (field: string) => field === of.needs[0] || field === 'handle'
    const other = Object.fromEntries(Object.entries(of.made).map(([field, value]) => [field, isUnique(field) ? `${value}2` : value]))
    const key = `crud${of.path}`
    const before = (await all()).length
    const answers = await Promise.all([1, 2, 3].map(() => call(owner, 'POST', of.path, other, key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => recordOf(body)[of.id])).size).toBe(1)
    expect((await all()).length).toBe(before + 1)
    expect((await call(owner, 'POST', of.path, { ...other, ...of.change }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const [created] = answers
    await call(owner, 'DELETE', `${of.path}/${created && recordOf(created.body)[of.id]}`)
    expect((await call(owner, 'POST', of.path, other, key)).body.code).toBe('NOT_FOUND')
  })

  it('a record is removed once, with an audit row', async () => {
    expect(await call(owner, 'DELETE', `${of.path}/${id}`)).toEqual({ status: 200, body: { ok: true } })
    expect((await call(owner, 'DELETE', `${of.path}/${id}`)).body.code).toBe('NOT_FOUND')
    expect((await call(owner, 'PUT', of.path, { [of.id]: id, ...of.change })).body.code).toBe('NOT_FOUND')
    expect(mine(await all())).toBeUndefined()
    await expect.poll(async () => mine(await seen())).toBeUndefined()
    const trail = await on.sql<{ action: string; actor: string; before: Json | null; after: Json | null }>(
      'select action, actor, before, after from audit where entity = $1 and entity_id = $2 order by audit_id',
      [of.one, String(id)],
    )
    expect(trail[0]).toMatchObject({ action: `${of.one}.create`, actor: 'staff:owner', before: null, after: { [of.id]: id } })
    expect(trail.at(-1)).toMatchObject({ action: `${of.one}.remove`, before: { [of.id]: id } })
    // Saving it as it was is no change.
    expect(trail.filter((row) => row.action === `${of.one}.change`).length).toBeGreaterThanOrEqual(1)
  })
})

it('a new record is made once per Idempotency-Key, also when it was changed meanwhile; the key is for no other one', async () => {
  const categories = on.as(owner, randomUUID()).catalogue.admin.classCategories
  const { class_category_id } = (await categories.create({ name: 'Agua' })).class_category
  await on.as(owner).catalogue.admin.classCategories.update({ class_category_id, name: 'Agua y sol' })
  expect((await categories.create({ name: 'Agua' })).class_category).toMatchObject({ class_category_id, name: 'Agua y sol' })
  const { class_categories } = await on.as(owner).catalogue.admin.classCategories.all()
  expect(class_categories.filter(({ name }) => name.startsWith('Agua'))).toHaveLength(1)
  expect(await codeOf(categories.create({ name: 'Tierra' }))).toBe('IDEMPOTENCY_KEY_REUSED')
})
