import { describe, expect, test } from 'vitest'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { isItemNamed, screenItems, verbsOf } from './palette-items.ts'

const staff = (role: Role) => ({ name: 'Diego', role, rights: rightsOfRole(role) })
const labels = (role: Role) => verbsOf(staff(role), '2026-11-23').map(({ label }) => label)

describe('what the palette offers (Z5)', () => {
  test('verbs by right', () => {
    const always = ['Atajos de teclado', 'Ver el sitio', 'Salir']
    expect(labels('owner')).toEqual(['Nueva venta', 'Agregar cliente', 'Nueva clase', 'Invitar a alguien', ...always])
    expect(labels('reception')).toEqual(['Nueva venta', 'Agregar cliente', ...always])
    expect(labels('coach')).toEqual(always)
  })

  test('screens of the menu by right', () => {
    expect(screenItems(staff('coach')).map(({ label }) => label)).toEqual(['Mis clases', 'Horario', 'Escanear'])
  })

  test('is found by the beginnings of its words, without accents', () => {
    const item = { label: 'Bitácora', keywords: 'historial cambios' }
    for (const typed of ['bita', 'BITÁ', 'cambios', 'hist bit', '']) expect(isItemNamed(item, typed), typed).toBe(true)
    for (const typed of ['tacora', 'bita x', 'cambiosos']) expect(isItemNamed(item, typed), typed).toBe(false)
  })
})
