import { expect, test } from 'vitest'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { withLocation } from './location-filter.tsx'
import { bottomBar, isInEntry, missingRight, toGroups, toTabs, visibleScreens } from './menu.ts'

const staff = (role: Role) => ({ name: 'Diego', role, rights: rightsOfRole(role) })

test('the menu of an owner has one entry for each part of the studio, in three groups', () => {
  const groups = toGroups(visibleScreens(staff('owner'))).map((group) => group.map(({ label }) => label))
  expect(groups).toEqual([
    ['Hoy', 'Horario', 'Reservaciones', 'Clientes', 'Ventas', 'Caja'],
    ['Clases y coaches', 'Paquetes', 'Descuentos', 'Videos', 'Avisos y páginas', 'Mensajes'],
    ['Reportes', 'Ajustes'],
  ])
})

test('each screen of a person is in exactly one entry, which is current at its address', () => {
  for (const role of ['owner', 'manager', 'reception', 'coach'] as const) {
    const screens = visibleScreens(staff(role))
    const entries = toGroups(screens).flat()
    expect(entries.flatMap((entry) => entry.screens.map(({ key }) => key)).sort()).toEqual(screens.map(({ key }) => key).sort())
    for (const { path } of screens) expect(entries.filter((entry) => isInEntry(entry, path))).toHaveLength(1)
  }
})

test('an entry of which a person has one screen is that screen, without tabs', () => {
  const coach = visibleScreens(staff('coach'))
  expect(toGroups(coach).flat()).toContainEqual(expect.objectContaining({ label: 'Escanear', path: '/admin/escanear' }))
  expect(toTabs(coach, '/admin/escanear')).toEqual([])
  expect(toTabs(visibleScreens(staff('reception')), '/admin/escanear').map(({ label }) => label)).toEqual(['Reservaciones', 'Escanear'])
  expect(toGroups(visibleScreens(staff('reception'))).flat()).toContainEqual(expect.objectContaining({ label: 'Avisos' }))
})

test('the bottom bar is that of the role: what the counter needs, or what a coach needs', () => {
  const labels = (role: Role) => bottomBar(staff(role)).map(({ label }) => label)
  expect(labels('reception')).toEqual(['Hoy', 'Escanear', 'Vender', 'Clientes', 'Caja'])
  expect(labels('owner')).toEqual(labels('reception'))
  expect(labels('coach')).toEqual(['Hoy', 'Clases', 'Escanear', 'Yo'])
})

test('letters are one per screen', () => {
  const keys = visibleScreens(staff('owner')).flatMap(({ shortcut }) => shortcut ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

test('an address takes the location along, beside its own query', () => {
  expect([withLocation('/admin/hoy', null), withLocation('/admin/hoy', 2), withLocation('/admin/clientes?nuevo=0', 2)]).toEqual([
    '/admin/hoy',
    '/admin/hoy?estudio=2',
    '/admin/clientes?nuevo=0&estudio=2',
  ])
})

test('the right to one kind of report is enough for the entry of the reports (RE1)', () => {
  const accountant = { name: 'Elsa', role: 'coach' as const, rights: ['classes.own', 'reports.money'] as const }
  expect(toGroups(visibleScreens(accountant)).flat()).toContainEqual(
    expect.objectContaining({ label: 'Reportes', path: '/admin/reportes' }),
  )
  expect(missingRight(accountant, '/admin/reportes/cobrado')).toBeNull()
  expect(missingRight(staff('coach'), '/admin/reportes')).toBe('reports.activity')
})

test('a coach who does not run the payroll has the entry of their own pay', () => {
  const labels = (instructor_id: number | null) =>
    toGroups(visibleScreens({ ...staff('coach'), instructor_id }))
      .flat()
      .map(({ label }) => label)
  expect(labels(3)).toContain('Mi pago')
  expect(labels(null)).not.toContain('Mi pago')
})

test('an address needs the right of its screen, and the longest one that fits decides', () => {
  const needs = (role: Role, path: string) => missingRight(staff(role), path)
  for (const { path } of visibleScreens(staff('owner'))) expect(needs('owner', path)).toBeNull()
  for (const role of ['manager', 'reception', 'coach'] as const)
    for (const { path } of visibleScreens(staff(role))) expect(needs(role, path), `${role} ${path}`).toBeNull()
  expect(
    Object.fromEntries(
      [
        '/admin/paquetes',
        '/admin/paquetes/nuevo',
        '/admin/descuentos',
        '/admin/catalogo/salas/3',
        '/admin/clientes/7',
        '/admin/clientes/duplicados',
        '/admin/ajustes',
        '/admin/ajustes/equipo/',
        '/admin/mensajes/guardados',
        '/admin/no-existe',
        '/admin/contenido/formularios/4',
        '/admin/contenido/formularios/4/respuestas',
        '/admin/reservaciones/9',
        '/admin/hoy',
      ].map((path) => [path, needs('reception', path)]),
    ),
  ).toEqual({
    '/admin/paquetes': 'catalogue.edit',
    '/admin/paquetes/nuevo': 'catalogue.edit',
    '/admin/descuentos': 'catalogue.edit',
    '/admin/catalogo/salas/3': 'catalogue.edit',
    '/admin/clientes/7': null,
    '/admin/clientes/duplicados': 'customers.merge',
    '/admin/ajustes': 'settings.edit',
    '/admin/ajustes/equipo/': 'staff.edit',
    '/admin/mensajes/guardados': 'settings.code',
    '/admin/no-existe': null,
    '/admin/contenido/formularios/4': 'content.edit',
    '/admin/contenido/formularios/4/respuestas': null,
    '/admin/reservaciones/9': null,
    '/admin/hoy': null,
  })
  expect([needs('coach', '/admin/reservaciones'), needs('coach', '/admin/reservaciones/9'), needs('coach', '/admin/hoy')]).toEqual([
    'roster.all',
    null,
    'roster.all',
  ])
  // An address that begins like another one is none of its screens.
  expect(needs('reception', '/admin/paquetes-viejos')).toBeNull()
})
