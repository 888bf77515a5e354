/** Dynamic forms (S2-5.15 to S2-5.33, docs/domain.md F1 and F4): tables of cases, and properties that hold for every form. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkField, validation } from './copy/messages.ts'
import {
  type Answers,
  FIELD_TYPES,
  type FieldSource,
  type FormField,
  fieldLabel,
  formMessage,
  formProblems,
  isAnswered,
  isFieldType,
  isFieldVisible,
  problemOf,
  sortFields,
  visibleFields,
} from './forms.ts'

const field = (more: Partial<FormField> = {}): FormField => ({
  key: 'a',
  label: 'A',
  type: 'text',
  required: true,
  step: 1,
  order: 0,
  options: [],
  precondition: null,
  ...more,
})
const nothing: FieldSource = { address: [], objects: {} }

const FILL = validation.fillField
const CHOOSE = validation.chooseOption
const UPLOAD = validation.uploadFile

describe('what a required field says to an answer', () => {
  const empty = [undefined, null, '', '   ']
  it.each<[string, unknown[], unknown[], string]>([
    ['text', ['hola', ' a '], [...empty, 5, true, [], {}], FILL],
    ['textarea', ['hola\nadiós'], [...empty, 0], FILL],
    ['time', ['18:30', 'tarde'], empty, FILL],
    ['date', ['2026-02-28', '2028-02-29', '0001-01-01'], [...empty, '2026-02-29', '2026-13-01', '28/02/2026', '2026-2-8', 20260228], FILL],
    [
      'datetime-local',
      ['2026-02-28T18:30', '2026-02-28T18:30:15', '2026-02-28T00:00:00.123'],
      [...empty, '2026-02-28', '2026-02-30T10:00', '2026-02-28T24:00', '2026-02-28T18:60', '2026-02-28 18:30'],
      FILL,
    ],
    [
      'number',
      [0, 5, 1.5, '0', '12', '1.5', ' 7 '],
      [...empty, -1, '-1', 'abc', '1e3', '0x10', '1,5', Number.NaN, Number.POSITIVE_INFINITY, true],
      FILL,
    ],
    ['select', ['x', 0, false, true], [undefined, null, ''], CHOOSE],
    ['creatable-select', [['x'], ['x', 'y']], [...empty, [], 'x', {}], CHOOSE],
    ['file', [{ file_id: 1 }, [{ file_id: 1 }], 'archivo.pdf', 7], [...empty, []], UPLOAD],
    ['image', [{ file_id: 1 }, new Blob(['x'])], [...empty, []], UPLOAD],
    ['boolean', [true, false, undefined, null, 'cualquier cosa'], [], FILL],
  ])('%s', (type, right, wrong, sentence) => {
    for (const value of right) expect([value, problemOf(field({ type }), value)]).toEqual([value, null])
    for (const value of wrong) expect([value, problemOf(field({ type }), value)]).toEqual([value, sentence])
  })

  it('phone: a missing one asks to be filled, a wrong one says what is wrong (S2-5.19)', () => {
    const phone = field({ type: 'phone' })
    for (const value of ['5512345678', '+525512345678', '(551) 234-5678']) expect(problemOf(phone, value)).toBe(null)
    for (const value of [undefined, null, '', ' ']) expect(problemOf(phone, value)).toBe(FILL)
    for (const value of ['123', 'abc', 5512345678]) expect(problemOf(phone, value)).toBe(validation.phone)
  })

  it('select: an empty text counts where it is one of the options', () => {
    const options = [{ value: '', label: 'Ninguna' }]
    expect(problemOf(field({ type: 'select', options }), '')).toBe(null)
  })
})

describe('an address (S2-5.24) and an object (S2-5.25)', () => {
  const address = [
    field({ key: 'street', label: 'Calle', required: false }),
    ...['city', 'state', 'country'].map((key, order) => field({ key, label: key, order })),
  ]
  const source: FieldSource = {
    address,
    objects: {
      mascota: [field({ key: 'nombre', label: 'Nombre' }), field({ key: 'edad', label: 'Edad', type: 'number', required: false })],
    },
  }
  const whole = { city: 'CDMX', state: 'CDMX', country: 'México' }

  it('an address or an object is right when every required field of form 6 is', () => {
    const home = field({ key: 'home', label: 'Domicilio', type: 'address' })
    expect(formProblems([home], { home: whole }, source)).toEqual([])
    expect(formProblems([home], { home: { ...whole, city: ' ' } }, source)).toEqual([
      { key: 'home.city', label: 'city', message: validation.city },
    ])
    for (const value of [undefined, null, 'Tonalá 118', [], {}])
      expect(formProblems([home], { home: value }, source).map((problem) => problem.message)).toEqual([
        validation.city,
        validation.state,
        validation.country,
      ])
    expect(formProblems([{ ...home, required: false }], {}, source)).toEqual([])
  })

  it('asks the custom fields of the object that the type names', () => {
    const pet = field({ key: 'pet', label: 'Mascota', type: 'mascota' })
    expect(formProblems([pet], { pet: { nombre: 'Tito' } }, source)).toEqual([])
    expect(formProblems([pet], { pet: { edad: 3 } }, source)).toEqual([{ key: 'pet.nombre', label: 'Nombre', message: FILL }])
    // An object without fields requires nothing, also with a name of Object.prototype.
    for (const type of ['coche', 'constructor', '__proto__', 'toString']) expect(formProblems([field({ type })], {}, source)).toEqual([])
  })
})

describe('preconditions', () => {
  const fields = [
    field({ key: 'lesion', label: '¿Tienes una lesión?', type: 'boolean' }),
    field({ key: 'cual', label: '¿Cuál?', precondition: { key: 'lesion', value: true }, order: 1 }),
    field({ key: 'desde', label: '¿Desde cuándo?', type: 'date', precondition: { key: 'cual' }, order: 2 }),
    field({ key: 'nivel', type: 'select', precondition: { key: 'lesion', value: [false, 'no'] }, order: 3 }),
  ]
  const shownKeys = (answers: Answers) => visibleFields(fields, answers).map(({ key }) => key)

  it('ask a field only after the answer that calls for it', () => {
    expect(shownKeys({})).toEqual(['lesion'])
    expect(shownKeys({ lesion: true })).toEqual(['lesion', 'cual'])
    expect(shownKeys({ lesion: true, cual: 'Rodilla' })).toEqual(['lesion', 'cual', 'desde'])
    expect(shownKeys({ lesion: false })).toEqual(['lesion', 'nivel'])
    expect(shownKeys({ lesion: 'no' })).toEqual(['lesion', 'nivel'])
  })

  it('a field that hangs on one that is not asked is not asked either, though an old answer is still there', () => {
    expect(shownKeys({ lesion: false, cual: 'Rodilla' })).toEqual(['lesion', 'nivel'])
  })

  it('what is not asked is not wrong', () => {
    expect(formProblems(fields, { lesion: false, nivel: 1 }, nothing)).toEqual([])
    expect(formProblems(fields, { lesion: true }, nothing).map(({ key }) => key)).toEqual(['cual'])
  })

  it('that go in a circle ask nothing and come to an end', () => {
    const circle = [field({ key: 'a', precondition: { key: 'b' } }), field({ key: 'b', precondition: { key: 'a' } })]
    expect(visibleFields(circle, { a: 'x', b: 'y' })).toEqual([])
    expect(isFieldVisible(field({ precondition: { key: 'a' } }), [field({ precondition: { key: 'a' } })], { a: 1 })).toBe(false)
  })
})

describe('sentences', () => {
  it('one wrong field is named, several are counted (S2-5.29, S2-5.30)', () => {
    const fields = [field({ key: 'a', label: 'Estatura' }), field({ key: 'b', label: 'Peso' })]
    expect(formMessage(formProblems(fields, { a: 'x' }, nothing))).toBe('Revisa el campo: Peso')
    expect(formMessage(formProblems(fields, {}, nothing))).toBe('Revisa los campos faltantes o inválidos.')
    expect(formMessage(formProblems(fields, { a: 'x', b: 'y' }, nothing))).toBe(null)
  })

  it('optional fields say so (S2-5.28)', () => {
    expect(fieldLabel({ label: 'Peso', required: false })).toBe('Peso (Opcional)')
    expect(fieldLabel({ label: 'Peso', required: true })).toBe('Peso')
  })
})

describe('properties', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.constantFrom<unknown>(
      '',
      ' ',
      '0',
      '-1',
      '2026-02-29',
      '2026-02-28',
      '2026-02-28T10:00',
      '5512345678',
      0,
      -1,
      false,
      true,
      null,
      undefined,
      [],
      ['x'],
      {},
    ),
  )
  const aField = fc.record<FormField>({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    label: fc.string({ minLength: 1, maxLength: 8 }),
    type: fc.constantFrom(...FIELD_TYPES, 'mascota'),
    required: fc.boolean(),
    step: fc.integer({ min: 1, max: 4 }),
    order: fc.integer({ min: 0, max: 4 }),
    options: fc.constant([]),
    precondition: fc.option(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), value: anything })),
  })
  const aForm = fc.uniqueArray(aField, { selector: ({ key }) => key, maxLength: 5 })
  const answers = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), anything)
  const source = fc.record<FieldSource>({ address: aForm, objects: fc.record({ mascota: aForm }) })

  it('no form and no answers make it fail, and the problems come in the order of the fields', () => {
    fc.assert(
      fc.property(aForm, answers, source, (fields, input, from) => {
        const problems = formProblems(fields, input, from)
        const order = visibleFields(fields, input).map(({ key }) => key)
        const positions = problems.map(({ key }) => order.indexOf(key.split('.')[0] ?? ''))
        expect(positions).toEqual([...positions].sort((a, b) => a - b))
        expect(positions).not.toContain(-1)
        for (const problem of problems) expect(problem.message.length).toBeGreaterThan(0)
      }),
      { numRuns: 1_000 },
    )
  })

  it('optional fields are never wrong (S2-5.15), and neither is a boolean (S2-5.23)', () => {
    fc.assert(
      fc.property(aForm, answers, source, (fields, input, from) => {
        expect(
          formProblems(
            fields.map((field) => ({ ...field, required: false })),
            input,
            from,
          ),
        ).toEqual([])
        expect(
          formProblems(
            fields.map((field) => ({ ...field, type: 'boolean' })),
            input,
            from,
          ),
        ).toEqual([])
      }),
    )
  })

  it('a required field without an answer is wrong, unless it is a boolean', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_TYPES), fc.constantFrom(undefined, null, ''), (type, value) => {
        const problem = problemOf(field({ type }), value)
        expect(problem === null).toBe(type === 'boolean' || type === 'address')
      }),
    )
  })

  it('nothing that is wrong is answered right by adding other answers, as long as the same fields are asked', () => {
    fc.assert(
      fc.property(aForm, answers, answers, source, (fields, input, more, from) => {
        const plain = fields.map((field) => ({ ...field, precondition: null }))
        const before = formProblems(plain, input, from).map(({ key }) => key)
        const after = formProblems(plain, { ...more, ...input }, from).map(({ key }) => key)
        // An answer that was missing may have come from `more`; one that was given did not change.
        expect(before.filter((key) => Object.hasOwn(input, key.split('.')[0] ?? '')).every((key) => after.includes(key))).toBe(true)
      }),
    )
  })

  it('the message says how many there are', () => {
    fc.assert(
      fc.property(aForm, answers, source, (fields, input, from) => {
        const problems = formProblems(fields, input, from)
        const [first] = problems
        const expected = !first ? null : problems.length === 1 ? checkField(first.label) : validation.severalInvalid
        expect(formMessage(problems)).toBe(expected)
      }),
    )
  })

  it('sorting is by step, then by order, and leaves equals where they were (S2-5.26)', () => {
    fc.assert(
      fc.property(fc.array(aField, { maxLength: 20 }), (formFields) => {
        const fields = formFields.map(({ step, order }, at) => ({ step, order, at }))
        const sorted = sortFields(fields)
        expect(new Set(sorted)).toEqual(new Set(fields))
        for (const [at, field] of sorted.entries()) {
          const next = sorted[at + 1] ?? { step: 9, order: 0, at: 99 }
          expect(field.step - next.step || field.order - next.order || field.at - next.at).toBeLessThan(0)
        }
      }),
    )
  })

  it('an answer is there or not, and false and 0 are answers', () => {
    expect([false, 0, 'a', ['a'], {}].every(isAnswered)).toBe(true)
    expect([undefined, null, '', ' \n', []].some(isAnswered)).toBe(false)
    expect(FIELD_TYPES.every(isFieldType)).toBe(true)
    expect(isFieldType('mascota')).toBe(false)
  })
})
