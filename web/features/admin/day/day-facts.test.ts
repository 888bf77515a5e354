import { describe, expect, test } from 'vitest'
import { begunCount, classStatusText, type DayClass, daySentence, statusText } from './day-facts.ts'

const NOW = Date.parse('2026-11-18T18:40:00.000Z')
const figures = {
  held: 0,
  waiting: 0,
  attended: 0,
  absent: 0,
  unpaid: 0,
  owed: null,
  cancelled: false,
  cancel_reason: null,
  low_attendance: false,
}
const at = (hours: number, change: Partial<DayClass> = {}): DayClass => ({
  single_class_id: 1,
  starts_at: new Date(NOW + hours * 3_600_000).toISOString(),
  ends_at: new Date(NOW + (hours + 1) * 3_600_000).toISOString(),
  capacity: 12,
  taken: 6,
  class_instructors: [{}] as DayClass['class_instructors'],
  state: 'available' as const,
  figures,
  ...change,
})
const factText = (cls: DayClass) => {
  const status = classStatusText(cls, NOW)
  return status && statusText(status).text
}

describe('the most important fact of a class', () => {
  test.each([
    ['nothing, when all is as it should be', at(2), null],
    ['cancelled before anything else', at(2, { capacity: null, figures: { ...figures, cancelled: true } }), 'Cancelada'],
    ['who came, once it has begun', at(-1, { figures: { ...figures, attended: 5 } }), '5 asistieron'],
    ['that nobody was marked', at(-1), 'Sin pasar lista'],
    ['nothing of a class over that nobody booked', at(-1, { taken: 0 }), null],
    ['that it has no capacity and appears full', at(2, { capacity: null }), 'Sin capacidad'],
    ['that nobody teaches it', at(2, { class_instructors: [] }), 'Falta coach'],
    ['who waits', at(2, { taken: 12, figures: { ...figures, waiting: 3 } }), '3 en espera'],
    ['that it is full', at(2, { taken: 12 }), 'Llena'],
    ['few people, hours before', at(5, { taken: 3, figures: { ...figures, low_attendance: true } }), 'Poca gente'],
    ['not yet, when much time is left', at(7, { taken: 3, figures: { ...figures, low_attendance: true } }), null],
  ])('%s', (_what, cls, text) => {
    expect(factText(cls)).toBe(text)
  })
})

test('the summary of the day leaves cancelled classes out', () => {
  const day = [at(-2), at(2, { taken: 1 }), at(3, { state: 'cancelled', figures: { ...figures, cancelled: true } })]
  expect(daySentence(day, NOW)).toBe('2 clases hoy, 7 personas esperadas, 1 ya terminó.')
  expect(begunCount(day, NOW)).toBe(1)
  expect(daySentence([], NOW)).toBe('Sin clases hoy.')
})
