/** What the server says, in English. */
import { expect, test } from 'vitest'
import { errors, sentence } from '#contract/errors.ts'
import { answerInEnglish, sentenceInEnglish } from './answers.ts'
import { errorsInEnglish } from './errors.ts'
import { mailsInEnglish } from './mails.ts'

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()

test('every refusal has an English sentence with the same values', () => {
  for (const [code, english] of Object.entries(errorsInEnglish)) {
    const { message } = errors[code as keyof typeof errors]
    expect([code, places(english)]).toEqual([code, places(message)])
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
    sessions: [{ device: 'Chrome en Linux' }],
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
    sessions: [{ device: 'Chrome on Linux' }],
  })
})

test('sentences of mails have the same values in English', () => {
  const places = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).sort()
  for (const [spanish, english] of Object.entries(mailsInEnglish)) expect([spanish, places(english)]).toEqual([spanish, places(spanish)])
})
