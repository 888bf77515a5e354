import { expect, test } from 'vitest'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { withLocation } from './location-filter.tsx'
import { barOf, groupsOf, isEntryOf, screensOf, tabsOf } from './menu.ts'

const staff = (role: Role) => ({ name: 'Diego', role, rights: rightsOfRole(role) })

test('the menu of an owner has one entry for each part of the studio, in three groups', () => {
  const groups = groupsOf(screensOf(staff('owner'))).map((group) => group.map(({ label }) => label))
  expect(groups).toEqual([
    ['Hoy', 'Horario', 'Reservaciones', 'Clientes', 'Ventas', 'Caja'],
    ['Clases y coaches', 'Paquetes', 'Descuentos', 'Videos', 'Avisos y páginas', 'Mensajes'],
    ['Reportes', 'Ajustes'],
  ])
})

test('each screen of a person stands in exactly one entry, which is current at its address', () => {
  for (const role of ['owner', 'manager', 'reception', 'coach'] as const) {
    const screens = screensOf(staff(role))
    const entries = groupsOf(screens).flat()
    expect(entries.flatMap((entry) => entry.screens.map(({ key }) => key)).sort()).toEqual(screens.map(({ key }) => key).sort())
    for (const { path } of screens) expect(entries.filter((entry) => isEntryOf(entry, path))).toHaveLength(1)
  }
})

test('an entry of which a person has one screen is that screen, without tabs', () => {
  const coach = screensOf(staff('coach'))
  expect(groupsOf(coach).flat()).toContainEqual(expect.objectContaining({ label: 'Escanear', path: '/admin/escanear' }))
  expect(tabsOf(coach, '/admin/escanear')).toEqual([])
  expect(tabsOf(screensOf(staff('reception')), '/admin/escanear').map(({ label }) => label)).toEqual(['Reservaciones', 'Escanear'])
  expect(groupsOf(screensOf(staff('reception'))).flat()).toContainEqual(expect.objectContaining({ label: 'Avisos' }))
})

test('the bottom bar is that of the role: what the counter needs, or what a coach needs', () => {
  const labels = (role: Role) => barOf(staff(role)).map(({ label }) => label)
  expect(labels('reception')).toEqual(['Hoy', 'Escanear', 'Vender', 'Clientes', 'Caja'])
  expect(labels('owner')).toEqual(labels('reception'))
  expect(labels('coach')).toEqual(['Hoy', 'Clases', 'Escanear', 'Yo'])
})

test('letters are one per screen', () => {
  const keys = screensOf(staff('owner')).flatMap(({ letter }) => letter ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

test('an address takes the location along, beside its own query', () => {
  expect([withLocation('/admin/hoy', null), withLocation('/admin/hoy', 2), withLocation('/admin/clientes?nuevo=0', 2)]).toEqual([
    ...['/admin/hoy', '/admin/hoy?estudio=2', '/admin/clientes?nuevo=0&estudio=2'],
  ])
})
