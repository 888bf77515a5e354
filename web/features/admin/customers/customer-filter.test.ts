/** The filter of the list of customers as texts and back, and in words. */
import { expect, test } from 'vitest'
import type { SegmentFilter } from '#contract/customer-list.ts'
import { FILTER_KEYS, type FilterValues, toFilter } from './customer-filter.ts'
import { filterText, toFilterValues } from './stored-filter.ts'

const NONE = { q: '', estudio: '', ...Object.fromEntries(FILTER_KEYS.map((key) => [key, ''])) } as FilterValues
const NAMES = { tags: new Map([[3, 'VIP']]), packages: new Map([[9, 'Diez']]), locations: new Map([[2, 'Roma Norte']]) }

test('a filter as texts is the same filter again', () => {
  const filters: SegmentFilter[] = [
    {},
    { query: 'ana', state: ['at_risk', 'expiring'], location_id: 2, tag_id: 3, class_package_id: 9, birthday_month: 12 },
    { owes: true, penalised: false, has_account: true, consent: false, documents_missing: true },
    { created_from: '2026-01-01', created_to: '2026-06-30', has_next_class: false, visits_30_min: 4, visits_30_max: 7, spent_min: 2000 },
    { visits_30_max: 0, spent_min: 0, spent_max: 0 },
    { last_class_before: '2026-11-01', expires_before: '2026-12-01', away_days: 30, expires_in_days: 7, subscription: 'past_due' },
  ]
  for (const filter of filters) expect(toFilter(toFilterValues(filter))).toEqual(filter)
})

test('what the address has and is no filter is left out', () => {
  const wrong: FilterValues = {
    ...NONE,
    estado: 'todos',
    etiqueta: '-1',
    cumple: '13',
    adeudo: 'quizá',
    antes: '2026-02-30',
    ausente: '400',
    suscripcion: 'x',
    'alta-desde': 'ayer',
    proxima: '1',
    visitas: '2000-',
    gastado: 'mucho',
  }
  expect(toFilter(wrong)).toEqual({})
})

test('a filter is described in words, also one whose records are gone', () => {
  expect(filterText({ state: ['at_risk', 'expiring'], tag_id: 3, location_id: 2, away_days: 30, owes: true }, NAMES)).toBe(
    'En riesgo o Por vencer · Etiqueta VIP · Roma Norte · Sin venir en 30 días · Debe',
  )
  expect(filterText({ tag_id: 4, away_days: 45, expires_before: '2026-12-01', query: 'ana' }, NAMES)).toBe(
    'Etiqueta que ya no existe · Sin venir: 45 días · Vence antes del 01 dic 2026 · “ana”',
  )
  expect(
    filterText({ created_from: '2026-01-01', has_next_class: false, visits_30_min: 4, visits_30_max: 7, spent_min: 5000 }, NAMES),
  ).toBe('Sin próxima clase · 4 a 7 clases en 30 días · Gastado: 5,000 o más · Alta desde el 01 ene 2026')
  expect(filterText({ visits_30_max: 2, spent_min: 100, spent_max: 200 }, NAMES)).toBe('Clases en 30 días: hasta 2 · Gastado: 100 a 200')
})
