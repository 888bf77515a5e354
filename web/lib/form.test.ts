import { describe, expect, test } from 'vitest'
import { checkFilled, checkValues, summary } from './form.ts'

const fields = {
  name: { label: 'Nombre', check: checkFilled },
  last_name: { label: 'Apellidos', check: checkFilled },
  note: { label: 'Nota' },
  again: { label: 'Repite', check: (value: string, all: Readonly<Record<string, string>>) => (value === all.name ? null : 'No coincide') },
}

describe('form checks (spec 2 section 5)', () => {
  test('one invalid field is named', () => {
    const wrong = checkValues(fields, { name: 'Ana', last_name: '  ', again: 'Ana' })
    expect(wrong).toEqual({ last_name: 'Debes llenar este campo.' })
    expect(summary(fields, wrong)).toBe('Revisa el campo: Apellidos')
  })

  test('several invalid fields get one summary', () => {
    const wrong = checkValues(fields, { again: 'x' })
    expect(Object.keys(wrong)).toEqual(['name', 'last_name', 'again'])
    expect(summary(fields, wrong)).toBe('Revisa los campos faltantes o inválidos.')
  })

  test('a valid form has no summary', () => {
    expect(summary(fields, checkValues(fields, { name: 'Ana', last_name: 'Ruiz', again: 'Ana' }))).toBeNull()
  })
})
