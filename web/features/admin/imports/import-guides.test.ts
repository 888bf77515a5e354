import { expect, test } from 'vitest'
import { type ImportKind, type ImportSource, importKinds, importSources } from '#contract/imports.ts'
import { type GuidePicture, guideParts, importGuide } from './import-guides.ts'

const sources = Object.entries(importSources) as [ImportSource, string][]
const kinds = Object.keys(importKinds) as ImportKind[]
const guides = sources.flatMap(([source, name]) => kinds.map((kind) => ({ source, kind, name, guide: importGuide(source, kind, name) })))

test('each file of each system has its steps, with every name of a button closed', () => {
  expect(guides).toHaveLength(sources.length * kinds.length)
  for (const { source, kind, name, guide } of guides) {
    expect([source, kind, guide.steps.length >= 2]).toEqual([source, kind, true])
    if (source !== 'other') expect(guide.title).toContain(name)
    for (const text of [...guide.steps.map((step) => step.text), ...guide.notes])
      expect([text, guideParts(text).length % 2, guideParts(text).every((part) => part.trim() === part || part.length > 1)]).toEqual([
        text,
        1,
        true,
      ])
  }
})

test('what a step says to choose is what is drawn as chosen', () => {
  const chosen = (picture: GuidePicture) =>
    picture.kind === 'menu' ? [picture.chosen, picture.chosenBelow ?? picture.chosen] : picture.kind === 'list' ? [picture.chosen] : []
  const listed = (picture: GuidePicture) =>
    picture.kind === 'menu' ? [...picture.items, ...(picture.submenu ?? [])] : picture.kind === 'list' ? (picture.options ?? []) : []
  for (const { guide } of guides)
    for (const { picture } of guide.steps) for (const field of chosen(picture)) expect(listed(picture)).toContain(field)
})

test('a drawn sheet has as many cells in each row as headings', () => {
  for (const { guide } of guides)
    for (const { picture } of guide.steps)
      if (picture.kind === 'sheet') for (const row of picture.rows) expect(row).toHaveLength(picture.headers.length)
})

test('a file of another kind than customers is shown by its columns, and one of Estudio by its name', () => {
  expect(importGuide('glofox', 'purchases', 'Glofox').steps[0]?.picture).toMatchObject({
    headers: ['Correo', 'Fecha', 'Paquete', 'Monto', 'Forma de pago'],
  })
  expect(importGuide('estudio', 'classes', 'Estudio').steps[1]?.text).toContain('horario.csv')
})
