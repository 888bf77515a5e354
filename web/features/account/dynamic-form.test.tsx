import { describe, expect, it } from 'vitest'
import type { FormField } from '#contract/forms.ts'
import { checkValues, summary } from '#web/lib/form.ts'
import { answersToSend, dynamicChecks } from './dynamic-form.tsx'

const field = (key: string, type: string, more: Partial<FormField> = {}): FormField => ({
  key,
  label: key.toUpperCase(),
  type,
  required: true,
  step: 1,
  order: 0,
  options: [],
  precondition: null,
  ...more,
})
const city = field('city', 'text', { label: 'Ciudad' })
const source = { address: [city, field('street', 'text', { required: false })], objects: { mascota: [field('nombre', 'text')] } }

const wrong = (fields: FormField[], answers: Record<string, unknown>, prefix = '') => {
  const checks = dynamicChecks(fields, source, answers, prefix)
  const problems = checkValues(checks, {})
  return { problems, sentence: summary(checks, problems) }
}

describe('checks before a form is sent', () => {
  it('names the only field that is wrong (S2-5.29, S2-5.31)', () => {
    expect(wrong([field('a', 'text', { label: 'Lesiones' }), field('b', 'textarea')], { a: ' ', b: 'x' })).toEqual({
      problems: { a: 'Debes llenar este campo.' },
      sentence: 'Revisa el campo: Lesiones',
    })
  })

  it('reports several wrong fields, each with its own sentence (S2-5.30, S2-5.32, S2-5.33)', () => {
    expect(wrong([field('a', 'select'), field('b', 'file'), field('c', 'phone')], { c: '12' })).toEqual({
      problems: {
        a: 'Debes seleccionar una opción.',
        b: 'Debes cargar el archivo solicitado.',
        c: 'El formato del teléfono no es correcto.',
      },
      sentence: 'Revisa los campos faltantes o inválidos.',
    })
  })

  it('counts a chosen file and the answer false as answers (S2-5.18, S2-5.20)', () => {
    const no = { value: false, label: 'No' }
    const answers = { a: false, b: new File(['x'], 'x.pdf') }
    expect(wrong([field('a', 'select', { options: [no] }), field('b', 'file')], answers).sentence).toBeNull()
  })

  it('checks the inner fields of addresses and objects, under prefixed names (S2-5.24, S2-5.25)', () => {
    expect(wrong([field('casa', 'address'), field('perro', 'mascota')], {}, 'form.').problems).toEqual({
      'form.casa.city': 'Debes agregar tu ciudad.',
      'form.perro.nombre': 'Debes llenar este campo.',
    })
  })

  it('accepts empty optional fields and ignores hidden ones (S2-5.15)', () => {
    const hidden = field('b', 'text', { precondition: { key: 'a', value: true } })
    expect(wrong([field('a', 'boolean', { required: false }), hidden], { a: false }).problems).toEqual({})
    expect(wrong([field('a', 'boolean', { required: false }), hidden], { a: true }).problems).toEqual({ b: 'Debes llenar este campo.' })
  })
})

describe('what is sent', () => {
  it('uploads files first and sends their ids; leaves out answers of hidden fields (S2-4.30)', async () => {
    const order: string[] = []
    const upload = async (name: string) => {
      order.push(name)
      return { file_id: 40 + order.length }
    }
    const fields = [
      field('foto', 'image'),
      field('perro', 'mascota'),
      field('casa', 'address'),
      field('oculto', 'text', { precondition: { key: 'casa', value: 'nunca' } }),
      field('vacio', 'text', { required: false }),
    ]
    const pets = { address: source.address, objects: { mascota: [field('retrato', 'image')] } }
    const picture = new File(['x'], 'x.png')
    const answers = { foto: picture, perro: { retrato: picture }, casa: { city: 'Oaxaca', street: '' }, oculto: 'x', vacio: '' }
    expect(await answersToSend(fields, pets, answers, upload)).toEqual({
      foto: { file_id: 41 },
      perro: { retrato: { file_id: 42 } },
      casa: { city: 'Oaxaca' },
    })
    expect(order).toEqual(['foto', 'perro.retrato'])
  })
})
