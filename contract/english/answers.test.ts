/** The server's texts in English. */
import { expect, test } from 'vitest'
import { errors, sentence } from '#contract/errors.ts'
import { answerInEnglish, mailInEnglish, receiptInEnglish, sentenceInEnglish } from './answers.ts'
import { errorsInEnglish } from './errors.ts'
import { mailsInEnglish } from './mails.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()

test('every refusal has an English sentence with the same values', () => {
  for (const [code, english] of Object.entries(errorsInEnglish)) {
    const { message } = errors[code as keyof typeof errors]
    expect([code, placeholders(english)]).toEqual([code, placeholders(message)])
    expect(english, code).not.toMatch(/[áéíóúñ¿¡]/i)
    expect(sentenceInEnglish(message), code).toBe(english)
  }
})

test('values inside a sentence stay, and times among them are said in English', () => {
  expect(sentenceInEnglish(sentence('CLASS_NOT_OPEN', { opens: 'mié 18 mar, 18:00' }))).toBe('Booking opens Wed 18 Mar, 18:00.')
  expect(sentenceInEnglish(sentence('CANCEL_TOO_LATE', { window: '12 horas' }))).toBe(
    'You can only cancel classes at least 12 hours in advance',
  )
  expect(sentenceInEnglish(sentence('PRICE_CHANGED', { price: '$1,450.00' }))).toContain('it is now $1,450.00.')
  expect(sentenceInEnglish(sentence('HOLIDAY_OVERLAP', { name: 'Día de la Hora' }))).toContain('Día de la Hora')
  expect(sentenceInEnglish('Solo lun a vie, 07:00–12:00 y sáb, 08:00–10:00')).toBe('Only Mon to Fri, 07:00–12:00 and Sat, 08:00–10:00')
  expect(sentenceInEnglish('Solo en Roma Norte')).toBe('Only at Roma Norte')
  expect(sentenceInEnglish('Escribe 80 caracteres como máximo.')).toBe('Enter at most 80 characters.')
})

test('only what the server says is changed in an answer', () => {
  const answer = {
    title: 'Cancelada',
    status: 'Cancelada',
    why_not: { code: 'CLASS_FULL', message: errors.CLASS_FULL.message },
    data: { issues: [{ path: 'name', message: 'Debes llenar este campo.' }] },
    limits: ['Solo en Condesa'],
    class_type: { name: 'Efectivo' },
    payment_method: { name: 'Visa terminada en 4242' },
    policy: { cancel: 'Solo puedes cancelar clases con 12 horas de anticipacion', limit: null, window: '12 horas' },
    sessions: [{ device: 'Chrome en Linux' }, { device: 'Dispositivo desconocido' }],
    count: 3,
    at: null,
  }
  expect(answerInEnglish(answer)).toEqual({
    ...answer,
    why_not: { code: 'CLASS_FULL', message: errorsInEnglish.CLASS_FULL },
    data: { issues: [{ path: 'name', message: 'You need to fill in this field.' }] },
    limits: ['Only at Condesa'],
    payment_method: { name: 'Visa ending in 4242' },
    policy: { cancel: 'You can only cancel classes at least 12 hours in advance', limit: null, window: '12 hours' },
    sessions: [{ device: 'Chrome on Linux' }, { device: 'Unknown device' }],
  })
})

test('sentences of mails have the same values in English', () => {
  const numberedPlaceholders = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([placeholder]) => placeholder).sort()
  for (const [spanish, english] of Object.entries(mailsInEnglish))
    expect([spanish, numberedPlaceholders(english)]).toEqual([spanish, numberedPlaceholders(spanish)])
})

test.each([
  ['El 20 nov 2026 se cobran $450.00 a Visa terminada en 4242.', 'On 20 Nov 2026 you’ll be charged $450.00 to Visa ending in 4242.'],
  [
    'Tu banco quiere que confirmes el cargo de $450.00 a Tarjeta terminada en 4242. Hazlo desde este enlace, o usa otra tarjeta.',
    'Your bank wants you to confirm the charge of $450.00 to Card ending in 4242. Do it with this link, or use another card.',
  ],
  ['Tu banco no aceptó el cargo de $450.00.', 'Your bank declined the charge of $450.00.'],
  [
    'Tu suscripción sigue: el próximo cargo es de $450.00 el 20 dic 2026.',
    'Your subscription is active again: the next charge is $450.00 on 20 Dec 2026.',
  ],
  [
    'Tu suscripción está en pausa: no se cobra nada hasta que se reanude.',
    'Your subscription is paused: you won’t be charged until it resumes.',
  ],
  [
    'Tu lugar cambió: ahora es fila 2, lugar 5 (antes fila 1, lugar 4).',
    'Your spot changed: it’s now row 2, spot 5 (before: row 1, spot 4).',
  ],
  ['Motivo: 3 faltas seguidas.', 'Reason: 3 no-shows in a row.'],
  ['La sustituye la nota de crédito F-12.', 'It is replaced by credit note F-12.'],
  [
    'Ana te regaló 8 clases, 8 clases. Ya está en tu cuenta: solo reserva.',
    'Ana gave you 8 clases, 8 classes. It’s already in your account: just book.',
  ],
  ['Se canceló Ocho clases de Barre', 'Ocho clases de Barre was canceled'],
])('a mail says in English: %s', (spanish, english) => expect(mailInEnglish(spanish)).toBe(english))

test.each([
  ['8 clases', '8 classes'],
  ['Pagado con Efectivo y Visa terminada en 4242.', 'Paid with Cash and Visa ending in 4242.'],
  ['Después: $1,450.00 cada 3 meses desde el 26 nov 2026.', 'After the trial: $1,450.00 every 3 months from 26 Nov 2026.'],
  ['Folio 0012-7 · 18 mar 2026', 'No. 0012-7 · 18 Mar 2026'],
])('a receipt says in English: %s', (spanish, english) => expect(receiptInEnglish(spanish)).toBe(english))
