import { expect, test } from 'vitest'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { withLocation } from './location-filter.tsx'
import { barOf, groupsOf, screensOf } from './menu.ts'

const staff = (role: Role) => ({ name: 'Diego', role, rights: rightsOfRole(role) })

test('the menu has the day first and settings last; every screen is in one group', () => {
  const screens = screensOf(staff('owner'))
  const groups = groupsOf(screens)
  expect(groups.flat()).toHaveLength(screens.length)
  expect(groups[0]?.[0]?.key).toBe('today')
  expect(groups.at(-1)?.map(({ key }) => key)).toEqual(expect.arrayContaining(['settings', 'team', 'audit']))
  expect(groupsOf(screensOf(staff('coach')))).toHaveLength(1)
})

test('the bottom bar is that of the role: what the counter needs, or what a coach needs', () => {
  const labels = (role: Role) => barOf(staff(role)).map(({ label }) => label)
  expect(labels('reception')).toEqual(['Hoy', 'Escanear', 'Vender', 'Clientes', 'Caja'])
  expect(labels('owner')).toEqual(labels('reception'))
  expect(labels('coach')).toEqual(['Hoy', 'Clases', 'Escanear', 'Yo'])
})

test('letters are one per screen', () => {
  const letters = screensOf(staff('owner')).map(({ letter }) => letter)
  expect(new Set(letters).size).toBe(letters.length)
})

test('an address takes the location along, beside its own query', () => {
  expect([withLocation('/admin/hoy', null), withLocation('/admin/hoy', 2), withLocation('/admin/clientes?nuevo=0', 2)]).toEqual([
    ...['/admin/hoy', '/admin/hoy?estudio=2', '/admin/clientes?nuevo=0&estudio=2'],
  ])
})
