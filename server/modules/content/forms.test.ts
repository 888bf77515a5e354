/**
 * Forms and answers over HTTP (docs/domain.md, "Forms"; S2-5.15 to S2-5.33, S2-7.51 to S2-7.58). The rules themselves:
 * contract/forms.test.ts.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIELD_TYPES, type FormField } from '#contract/forms.ts'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { storedAnswers } from './form-rules.ts'

let on: TestStudio
let ana: Person
let beto: Person
let reception: Person
let boss: Client
beforeAll(async () => {
  on = await studio()
  ;[ana, beto, reception] = [await on.make.customer(), await on.make.customer(), await on.make.staff('reception')]
  boss = on.as(await on.make.staff('owner'))
})
afterAll(() => on.close())

type FormFields = Parameters<Client['forms']['admin']['forms']['create']>[0]['form_fields']

const makeForm = async (form_fields: FormFields, name = 'Ficha') => (await boss.forms.admin.forms.create({ name, form_fields })).form
const every: FormFields = [
  { key: 'nombre', label: 'Nombre completo', type: 'text', required: true, step: 1, order: 2 },
  { key: 'nacimiento', label: 'Nacimiento', type: 'date', required: true, step: 1, order: 1 },
  { key: 'hora', label: 'Hora preferida', type: 'time', step: 2, order: 0 },
  { key: 'alta', label: 'Alta médica', type: 'datetime-local', step: 2, order: 1 },
  { key: 'telefono', label: 'Contacto', type: 'phone', step: 2, order: 2 },
  { key: 'talla', label: 'Talla', type: 'select', options: ['S', { value: 'M', label: 'Mediana' }], step: 2, order: 3 },
  { key: 'peso', label: 'Peso', type: 'number', step: 2, order: 4 },
  { key: 'lesion', label: 'Lesión', type: 'boolean', step: 2, order: 5 },
  { key: 'cual', label: '¿Cuál?', type: 'textarea', required: true, precondition: { key: 'lesion', value: true }, step: 2, order: 6 },
  { key: 'gustos', label: 'Gustos', type: 'creatable-select', options: ['Barre'], step: 3, order: 0 },
  { key: 'casa', label: 'Domicilio', type: 'address', step: 3, order: 1 },
  { key: 'perro', label: 'Perro', type: 'perro', step: 3, order: 2 },
]
const whole = {
  nombre: 'Ana Sofía',
  nacimiento: '1990-02-28',
  hora: '18:30',
  alta: '2026-01-05T09:30',
  telefono: '5512345678',
  talla: 'M',
  peso: '61.5',
  lesion: true,
  cual: 'Rodilla',
  gustos: ['Barre', 'Cerámica'],
  casa: { street: 'Tonalá', city: 'CDMX', state: 'CDMX', country: 'México' },
  perro: { nombre: 'Tito' },
}

const A_FIELD: FormField = { key: 'a', label: 'A', type: 'text', required: false, step: 1, order: 0, options: [], precondition: null }

describe('a form', () => {
  it('a form is returned with its fields in order, and with all that they refer to (F1, S2-5.26)', async () => {
    await boss.forms.admin.customFields.create({ object: 'perro', key: 'nombre', label: 'Nombre', type: 'text', required: true })
    const { form_id } = await makeForm(every)
    const { form, source } = await on.as(null).forms.shown({ form_id })
    expect(form.form_fields.map((field) => field.key)).toEqual([
      'nacimiento',
      'nombre',
      'hora',
      'alta',
      'telefono',
      'talla',
      'peso',
      'lesion',
      'cual',
      'gustos',
      'casa',
      'perro',
    ])
    expect(form.form_fields.find((field) => field.key === 'talla')?.options).toEqual([
      { value: 'S', label: 'S' },
      { value: 'M', label: 'Mediana' },
    ])
    expect(source.address.map((field) => field.key)).toContain('city')
    expect(source.objects).toEqual({ perro: [expect.objectContaining({ key: 'nombre', required: true })] })
    const plain = await makeForm([{ key: 'a', label: 'A', type: 'text' }])
    expect((await on.as(null).forms.shown({ form_id: plain.form_id })).source).toEqual({ address: [], objects: {} })
    const { one, shown } = on.as(null).forms
    for (const input of [one, shown]) expect((await refusalOf(input({ form_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })

  it('stores answers of every type of field (S2-5.27), and returns them to the customer and to reception', async () => {
    const { form_id } = await makeForm(every)
    expect(await on.as(ana).forms.answers({ form_id })).toEqual({ answers: {}, updatedAt: null })
    expect(await on.as(ana).forms.answer({ form_id, answers: whole })).toEqual({ answers: whole, updatedAt: on.clock.now().toISOString() })
    expect((await on.as(ana).forms.answers({ form_id })).answers).toEqual(whole)
    expect((await on.as(reception).forms.answers({ form_id, customer_id: ana.customer_id })).answers).toEqual(whole)
    // Another customer's number is not read: these are one's own answers.
    expect((await on.as(beto).forms.answers({ form_id, customer_id: ana.customer_id })).answers).toEqual({})
    await on.as(beto).forms.answer({ form_id, customer_id: ana.customer_id, answers: { nombre: 'Beto', nacimiento: '1991-01-01' } })
    expect((await on.as(ana).forms.answers({ form_id })).answers).toEqual(whole)
  })

  it('answered again replaces the answers; those of removed fields are not returned', async () => {
    const { form_id } = await makeForm([
      { key: 'a', label: 'A', type: 'text' },
      { key: 'b', label: 'B', type: 'text' },
    ])
    await on.as(ana).forms.answer({ form_id, answers: { a: 'uno', b: 'dos' } })
    expect((await on.as(ana).forms.answer({ form_id, answers: { b: 'tres' } })).answers).toEqual({ b: 'tres' })
    await boss.forms.admin.forms.update({ form_id, form_fields: [{ key: 'a', label: 'A', type: 'text' }] })
    expect((await on.as(ana).forms.answers({ form_id })).answers).toEqual({})
  })

  it('ignores unknown fields, and answers whose precondition is not met (F2)', async () => {
    const { form_id } = await makeForm(every)
    const sent = { ...whole, lesion: false, cual: 'Rodilla', intruso: 'x', __proto__: { admin: true } }
    const { answers } = await on.as(ana).forms.answer({ form_id, answers: sent as never })
    expect(Object.keys(answers).sort()).toEqual(
      Object.keys(whole)
        .filter((key) => key !== 'cual')
        .sort(),
    )
  })

  it('staff answer for a customer, audited; an unknown customer is not found', async () => {
    const { form_id } = await makeForm([{ key: 'a', label: 'A', type: 'text' }])
    await on.as(reception).forms.answer({ form_id, customer_id: beto.customer_id, answers: { a: 'por teléfono' } })
    expect((await on.as(beto).forms.answers({ form_id })).answers).toEqual({ a: 'por teléfono' })
    expect(
      await on.sql(`select actor, after from audit where action = 'form_answer.change' and entity_id = $1`, [String(beto.customer_id)]),
    ).toEqual([{ actor: 'staff:reception', after: { form_id, fields: ['a'] } }])
    expect((await refusalOf(on.as(reception).forms.answer({ form_id, customer_id: 2_000_000_000, answers: {} }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(on.as(reception).forms.answer({ form_id, answers: {} }))).code).toBe('NO_CUSTOMER')
    expect((await refusalOf(on.as(ana).forms.answer({ form_id: 2_000_000_000, answers: {} }))).code).toBe('NOT_FOUND')
  })
})

describe('invalid answers are reported by the form’s rules (F4)', () => {
  it('one invalid answer is reported by its field, several together, each with its own message (S2-5.29 to S2-5.33)', async () => {
    const { form_id } = await makeForm([
      { key: 'foto', label: 'Foto', type: 'image', required: true },
      { key: 'talla', label: 'Talla', type: 'select', required: true, options: ['S'] },
      { key: 'tel', label: 'Teléfono', type: 'phone', required: true },
      { key: 'casa', label: 'Domicilio', type: 'address', required: true },
    ])
    expect(await refusalOf(on.as(ana).forms.answer({ form_id, answers: { tel: '123' } }))).toMatchObject({
      code: 'FORM_FIELDS',
      status: 400,
      message: 'Revisa los campos faltantes o inválidos.',
      data: {
        issues: [
          { path: 'foto', message: 'Debes cargar el archivo solicitado.' },
          { path: 'talla', message: 'Debes seleccionar una opción.' },
          { path: 'tel', message: 'El formato del teléfono no es correcto.' },
          { path: 'casa.city', message: 'Debes agregar tu ciudad.' },
          { path: 'casa.state', message: 'Debes agregar tu estado.' },
          { path: 'casa.country', message: 'Debes agregar tu país.' },
        ],
      },
    })
    const form = await makeForm([{ key: 'peso', label: 'Peso', type: 'number', required: true }])
    for (const peso of ['-1', 'mucho', null, -5])
      expect(await refusalOf(on.as(ana).forms.answer({ form_id: form.form_id, answers: { peso } }))).toMatchObject({
        code: 'FORM_FIELD',
        message: 'Revisa el campo: Peso',
        data: { key: 'peso', issues: [{ path: 'peso', message: 'Debes llenar este campo.' }] },
      })
    expect(await on.sql('select 1 from form_answer where form_id = any($1)', [[form_id, form.form_id]])).toEqual([])
  })

  it('an optional field is never invalid, but values of a wrong type are not stored (F3)', async () => {
    const { form_id } = await makeForm(every?.map((field) => ({ ...field, required: false })))
    const saved = await on.as(ana).forms.answer({ form_id, answers: { nacimiento: 'ayer', telefono: '12', peso: '-3' } })
    expect(saved.answers).toEqual({ nacimiento: 'ayer', telefono: '12', peso: '-3' })
    for (const [key, value] of [
      ['nombre', { a: 1 }],
      ['nombre', 'x'.repeat(4_001)],
      ['nombre', 'nul\u0000o'],
      ['talla', 'XXL'],
      ['peso', true],
      ['lesion', 'sí'],
      ['gustos', 'Barre'],
      ['gustos', [['a']]],
      ['gustos', Array.from({ length: 51 }, String)],
      ['casa', 'Tonalá 118'],
      ['casa', { city: ['CDMX'] }],
      ['perro', { nombre: { deep: true } }],
    ] as const) {
      const no = await refusalOf(on.as(ana).forms.answer({ form_id, answers: { [key]: value } as never }))
      // A text that the database cannot store is refused before the write, with its path from the whole body.
      const path = (no.data as { issues: { path: string }[] }).issues[0]?.path.replace(/^answers\./, '')
      expect([key, no.code, path?.split('.')[0]]).toEqual([key, 'INVALID_INPUT', key])
    }
    const tooMany = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, 'x']))
    expect((await refusalOf(on.as(ana).forms.answer({ form_id, answers: tooMany }))).code).toBe('INVALID_INPUT')
    expect((await on.as(ana).forms.answers({ form_id })).answers).toEqual(saved.answers)
  })

  it('every answer to any form is stored in its shape or refused, without an error', () => {
    const aField = fc.record<FormField>({
      key: fc.constantFrom('a', 'b', 'c'),
      label: fc.string({ minLength: 1, maxLength: 5 }),
      type: fc.constantFrom(...FIELD_TYPES, 'perro'),
      required: fc.boolean(),
      step: fc.constant(1),
      order: fc.integer({ min: 0, max: 3 }),
      options: fc.constant([{ value: 'x', label: 'X' }]),
      precondition: fc.option(fc.record({ key: fc.constantFrom('a', 'b', 'c') })),
    })
    const aForm = fc.uniqueArray(aField, { selector: ({ key }) => key, maxLength: 3 })
    fc.assert(
      fc.property(aForm, fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue()), aForm, (fields, input, inner) => {
        const found = storedAnswers(fields, input, { address: inner, objects: { perro: inner } })
        if ('code' in found) expect(['INVALID_INPUT', 'FORM_FIELD', 'FORM_FIELDS']).toContain(found.code)
        else {
          const keys = fields.map(({ key }) => key)
          expect(Object.keys(found.answers).every((key) => keys.includes(key))).toBe(true)
          // Stored answers are stored again unchanged.
          expect(storedAnswers(fields, found.answers, { address: inner, objects: { perro: inner } })).toEqual(found)
        }
      }),
      {
        numRuns: 1_000,
        // A required select that was answered with an empty list was once taken for answered.
        examples: [[[{ ...A_FIELD, type: 'select', required: true, options: [{ value: 'x', label: 'X' }] }], { a: [] }, []]],
      },
    )
  })
})

it('a form that a setting uses is not removed, and the refusal says so with counts', async () => {
  const { form_id } = await makeForm([{ key: 'a', label: 'A', type: 'text' }])
  await on.change({ signup_form_id: form_id, profile_form_id: form_id })
  expect(await refusalOf(boss.forms.admin.forms.remove({ form_id }))).toMatchObject({
    code: 'IN_USE',
    data: { uses: [{ kind: 'setting', count: 2 }] },
  })
  await on.change({ signup_form_id: null, profile_form_id: null })
  expect(await boss.forms.admin.forms.remove({ form_id })).toEqual({ ok: true })
})

describe('files in answers (S2-4.30)', () => {
  const pdf = () => new File(['%PDF-1.4\n'], 'estudio.pdf')
  it('must be the customer’s own; others are not found, and a referenced file cannot be removed', async () => {
    const { form_id } = await makeForm([
      { key: 'estudio', label: 'Estudio', type: 'file', required: true },
      { key: 'fotos', label: 'Fotos', type: 'image' },
    ])
    const [mine, more, theirs] = [
      await on.as(ana).files.upload({ file: pdf() }),
      await on.as(ana).files.upload({ file: pdf() }),
      await on.as(beto).files.upload({ file: pdf() }),
    ]
    const logo = await boss.files.upload({ file: pdf(), data: '{"is_public":true}' })
    for (const file_id of [theirs.file_id, logo.file_id, 2_000_000_000])
      expect((await refusalOf(on.as(ana).forms.answer({ form_id, answers: { estudio: { file_id } } }))).code).toBe('NOT_FOUND')
    const { answers } = await on.as(ana).forms.answer({
      form_id,
      answers: {
        estudio: { file_id: mine.file_id, name: 'otro', src: 'https://evil.example' },
        fotos: [mine.file_id, { file_id: more.file_id }],
      },
    })
    expect(answers).toEqual({ estudio: { file_id: mine.file_id }, fotos: [{ file_id: mine.file_id }, { file_id: more.file_id }] })
    expect((await refusalOf(on.as(ana).files.remove({ file_id: more.file_id }))).code).toBe('IN_USE')
    await on.as(ana).forms.answer({ form_id, answers: { estudio: { file_id: mine.file_id } } })
    expect(await on.as(ana).files.remove({ file_id: more.file_id })).toEqual({ ok: true })
    for (const estudio of ['estudio.pdf', { file_id: '7' }, { file_id: -1 }, [{}], { a: 1 }])
      expect((await refusalOf(on.as(ana).forms.answer({ form_id, answers: { estudio } as never }))).code).toBe('INVALID_INPUT')
  })

  it('files that reception uploads for a customer become the customer’s', async () => {
    const { form_id } = await makeForm([{ key: 'estudio', label: 'Estudio', type: 'file' }])
    const { file_id } = await on.as(reception).files.upload({ file: pdf() })
    await on.as(reception).forms.answer({ form_id, customer_id: beto.customer_id, answers: { estudio: { file_id } } })
    expect((await on.as(beto).files.one({ file_id })).file.customer_id).toBe(beto.customer_id)
  })
})
