/** Every message about a class has English for all of its sentences (contract/english/mails.ts). */
import { expect, test } from 'vitest'
import { textsInEnglish } from '#server/modules/messages/language.ts'
import type { OutgoingMessage } from '#server/modules/messages/messages.ts'
import * as emails from './emails.ts'

const facts = { single_class_id: 7, date: '2026-11-20', starts_at: new Date('2026-11-20T16:00:00Z'), zone: 'America/Mexico_City' }
const cls = {
  facts,
  type: 'Reformer Flow',
  when: 'vie 20 nov, 10:00',
  place: 'Roma Norte',
  line: 'Reformer Flow, vie 20 nov, 10:00, con Rena y Max.',
  where: 'Roma Norte, Tonalá 118.',
} as unknown as emails.ClassTexts
const to = { customer_id: 1 }
const reservation = { class_reservation_id: 3, customer_id: 1, spot: '2-5', guest: 'Luis', guest_spot: '2-6' }
const at = '2026-11-19T16:00:00.000Z'
const until = new Date('2026-11-20T15:00:00Z')
const penalty = { class_reservation_penalty_id: 2, customer_id: 1, reason: 'Three absences', ends_at: until }

const messages: OutgoingMessage[] = [
  emails.confirmationEmail(cls, reservation, ['Solo puedes cancelar clases con 12 horas de anticipacion']),
  ...[emails.confirmedAll([cls, cls], 1, [3, 4], [])].filter((outgoingMessage) => outgoingMessage !== null),
  emails.reminder(cls, { ...reservation, guest_spot: null }, []),
  ...['returned', 'courtesy', 'kept', 'unpaid', 'revoked'].map((credit) => emails.cancelled(cls, reservation, credit)),
  emails.classCancelled(cls, to, { at, reason: 'Flood', part: 'booked', back: '20 nov', others: [cls] }),
  emails.classCancelled(cls, to, { at, reason: 'Flood', part: 'waiting', back: null, others: [] }),
  ...(['booked', 'lost', 'waiting'] as const).map((part) => emails.classRestored(cls, to, { at, part })),
  emails.classChanged(cls, to, {
    at,
    before: 'Reformer Flow, jue 19 nov, 10:00.',
    free: true,
    changes: ['Nueva hora: vie 20 nov, 10:00.', 'Nuevo lugar: Roma Norte.', 'Ahora da la clase Rena.'],
  }),
  emails.classChanged(cls, to, {
    at,
    before: 'Reformer Flow, jue 19 nov, 10:00.',
    free: false,
    changes: ['Tu lugar cambió: ahora es fila 2, lugar 5 (antes fila 1, lugar 4).'],
  }),
  emails.waitlistOpeningEmail(cls, 1, 9),
  emails.waitlistOfferEmail(cls, { waitlist_id: 5, customer_id: 1, offers: 1, offer_until: until }, '/oferta/x'),
  emails.waitlistBookedEmail(cls, reservation, []),
  ...['NO_CREDITS', 'NO_MATCHING_CREDITS', 'CLASS_SOLD_AS_PACKAGE', 'OVERLAPPING_RESERVATION', 'DOCUMENTS_REQUIRED', 'PENALTY_ACTIVE'].map(
    (code) => emails.waitlistSkippedEmail(cls, { waitlist_id: 5, customer_id: 1 }, code, { class_packages_path: '/paquetes' }),
  ),
  emails.noShow(cls, reservation, 2, 3),
  emails.penalised(penalty, 'America/Mexico_City'),
  emails.forgiven({ ...penalty, forgive_reason: 'Flu' }),
]

const SPANISH = /[¿¡ñ]|\b(?:tus?|el|la|los?|las|con|de|del|para|hasta|fila|lugar|clases?|una?|se|ya|y|vie|jue|nov,|cr[eé]dito)\b/

test.each(messages.map((message) => [message.event, message] as const))('%s', (_event, message) => {
  const { title, subject = '', lines, notes, action } = textsInEnglish(message.texts('Ana'))
  for (const text of [title, subject, ...lines, ...notes, action?.label ?? '']) expect(SPANISH.exec(text)?.[0] ?? text).toBe(text)
})
