/** Sentences of the audit trail. */
import { expect, test } from 'vitest'
import { type AuditAction, auditSentence, auditSentences } from './audit.ts'
import { auditActionLabel } from './audit-actions.ts'

const monica = (action: string, facts: { subject?: string | null; before?: unknown; after?: unknown }) =>
  auditSentence('Mónica', action, { subject: null, before: null, after: null, ...facts })

test('names one changed value with its amounts, and several by their names (Y3)', () => {
  const before = { title: 'Paquete 10', price_centavos: 190_000, sold: 3, updatedAt: 'x' }
  expect(
    monica('class_package.change', { subject: 'Paquete 10', before, after: { ...before, price_centavos: 179_000, updatedAt: 'y' } }),
  ).toBe('Mónica cambió el precio de Paquete 10 de $1,900.00 a $1,790.00')
  expect(monica('class_package.change', { subject: 'Diez', before, after: { ...before, title: 'Diez', price_centavos: 1 } })).toBe(
    'Mónica cambió el título y el precio del paquete Diez',
  )
  expect(monica('class_package.change', { subject: 'Diez', before, after: before })).toBe('Mónica cambió el paquete Diez')
  expect(monica('staff.change', { subject: 'Lorena', before: { role: 'reception' }, after: { role: 'manager' } })).toBe(
    'Mónica cambió el rol de Lorena de Recepción a Gerencia',
  )
  expect(monica('staff.change', { subject: 'Lorena', before: { rights_added: [] }, after: { rights_added: ['sales.refund'] } })).toBe(
    'Mónica cambió los permisos agregados de Lorena',
  )
})

test('names a setting by its label, and long or marked-up values not at all (Y3)', () => {
  expect(monica('setting.change', { subject: 'business_name', before: 'Estudio', after: 'Vaivén' })).toBe(
    'Mónica cambió el ajuste “Nombre del estudio” de “Estudio” a “Vaivén”',
  )
  expect(monica('setting.change', { subject: 'head', before: '', after: '<script>1</script>' })).toBe(
    'Mónica cambió el ajuste “Código en <head>”',
  )
})

test('one of something is written as one', () => {
  expect(monica('credits.extend_all', { after: { extended: 1, days: 1 } })).toBe('Mónica alargó 1 paquete de créditos 1 día')
  expect(monica('credits.extend_all', { after: { extended: 40, days: 7 } })).toBe('Mónica alargó 40 paquetes de créditos 7 días')
  expect(monica('discount.series', { after: { series: 'MAYO', count: 1 } })).toBe('Mónica creó la serie de códigos MAYO con 1 código')
})

test('every action has a sentence for any recorded values (Y3)', () => {
  const odd = [null, undefined, 0, 'x', [], ['a'], {}, { amount: 'x', kind: 3, attend: 'no', single_class_ids: 4, channel: null }]
  for (const action of Object.keys(auditSentences))
    for (const before of odd)
      for (const subject of [null, 'Ana Ruiz']) {
        const sentence = monica(action, { subject, before, after: before })
        expect(sentence, action).toMatch(/^Mónica \S.*\S$/)
        expect(sentence, action).not.toMatch(/undefined|null|NaN|\[object|\bde el\b|\ba el\b/)
      }
  expect(monica('something.gone', { subject: 'Ana Ruiz' })).toBe('Mónica hizo un cambio en Ana Ruiz')
})

test('every action has a name of its own for the filter, without values (Y2)', () => {
  const labels = Object.keys(auditSentences).map((action) => auditActionLabel(action as AuditAction))
  for (const label of labels) expect(label).toMatch(/^[A-ZÁÉÍÓÚ][^$·:—0-9]*$/)
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  expect([auditActionLabel('reservation.cancel'), auditActionLabel('attendance.mark')]).toEqual([
    'Canceló la reservación de …',
    'Marcó la asistencia de …',
  ])
})
