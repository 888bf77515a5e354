import { describe, expect, test } from 'vitest'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { isItemNamed, listVerbs, screenItems, typedGoal } from './palette-items.ts'

const staff = (role: Role) => ({ name: 'Diego', role, rights: rightsOfRole(role) })
const labels = (role: Role) => listVerbs(staff(role), '2026-11-23').map(({ label }) => label)

describe('what the palette offers (Z5)', () => {
  test('verbs by right', () => {
    const always = ['Atajos de teclado', 'Ver el sitio', 'Salir']
    expect(labels('owner')).toEqual([
      'Nueva venta',
      'Agregar cliente',
      'Nueva clase',
      'Dar acceso a…',
      'Cancelar clase…',
      'Invitar a alguien',
      ...always,
    ])
    expect(labels('reception')).toEqual(['Nueva venta', 'Agregar cliente', 'Dar acceso a…', ...always])
    expect(labels('coach')).toEqual(always)
  })

  test('a verb typed with its object, for who may use it', () => {
    const typed = (role: Role, text: string) => typedGoal(text, listVerbs(staff(role), '2026-11-23'))
    expect(typed('owner', 'Dar acceso a Ana Ríos')).toEqual({ goal: 'access', rest: 'Ana Ríos' })
    expect(typed('owner', 'cancelar clase mar 19:00')).toEqual({ goal: 'cancel', rest: 'mar 19:00' })
    expect(typed('owner', 'dar acceso a ')).toBeNull()
    expect(typed('reception', 'cancelar clase mar 19:00')).toBeNull()
    expect(typed('coach', 'dar acceso a ana')).toBeNull()
  })

  test('screens of the menu by right', () => {
    expect(screenItems(staff('coach')).map(({ label }) => label)).toEqual(['Mis clases', 'Horario', 'Escanear'])
  })

  test('what the palette offers is found by the beginnings of its words, without accents', () => {
    const item = { label: 'Bitácora', keywords: 'historial cambios' }
    for (const typed of ['bita', 'BITÁ', 'cambios', 'hist bit', '']) expect(isItemNamed(item, typed), typed).toBe(true)
    for (const typed of ['tacora', 'bita x', 'cambiosos']) expect(isItemNamed(item, typed), typed).toBe(false)
  })
})
