import { expect, test } from 'vitest'
import { toVariableDoc, toVariableText } from './variable-doc.ts'

const variables = [
  { key: 'nombre', label: 'Nombre' },
  { key: 'clase', label: 'Clase' },
]
const chips = (text: string) =>
  toVariableDoc(text, variables).content.flatMap(({ content = [] }) =>
    content.flatMap((part) => (part.type === 'variable' ? [part.attrs.label] : [])),
  )

test('a text with variables as chips is saved as it was written (M11)', () => {
  for (const text of [
    '',
    '\n',
    'Hola {{nombre}}.\n\nTe esperamos en {{clase}}',
    '{{ nombre }}{{clase}}',
    '{{{nombre}}} {{nombre}',
    'Hola {{nadie}} {{}} {{nom{{nombre}}bre}}',
    '  dos  espacios  \n\tal final ',
  ])
    expect(toVariableText(toVariableDoc(text, variables)), JSON.stringify(text)).toBe(text)
})

test('a chip for each variable of the message; another name stays text', () => {
  expect(chips('Hola {{ nombre }}: {{clase}} {{nombre}} {{nadie}} {nombre}')).toEqual(['Nombre', 'Clase', 'Nombre'])
  expect(toVariableDoc('Hola {{nadie}}', variables).content).toEqual([
    { type: 'paragraph', content: [{ type: 'text', text: 'Hola {{nadie}}' }] },
  ])
})
