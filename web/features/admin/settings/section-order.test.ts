/** The order of the landing page's sections, moved one by one. */
import { expect, test } from 'vitest'
import { defaultSettings, isSettingKey } from '#contract/settings.ts'
import { orderedSections, reordered } from './section-order.ts'

test('every section has its two settings, in the order of the page', () => {
  const sections = orderedSections(defaultSettings)
  expect(sections.map(({ name }) => name)).toEqual([
    'Bienvenida',
    'Nosotros',
    'Misión',
    'Clases',
    'Coaches',
    'Paquetes',
    'Avisos',
    'Horarios',
    'Ubicación',
  ])
  expect(sections.flatMap(({ enabledKey, orderKey }) => [enabledKey, orderKey]).every(isSettingKey)).toBe(true)
})

test('a section moves by one place; only the numbers that change are set, also where two had the same', () => {
  const sections = orderedSections(defaultSettings)
  expect(reordered(sections, 'mission', -1)).toEqual([
    ['mission_order', 2],
    ['about_order', 3],
  ])
  expect(reordered(sections, 'hero', -1)).toEqual([])
  expect(reordered(sections, 'location', 1)).toEqual([])
  const equal = orderedSections({ ...defaultSettings, about_order: 1 })
  expect(reordered(equal, 'about', -1)).toEqual([['hero_order', 2]])
})
