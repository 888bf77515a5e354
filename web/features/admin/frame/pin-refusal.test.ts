import { expect, test } from 'vitest'
import { pinRefusal } from './pin-refusal.ts'

const LIMITED = { code: 'TOO_MANY_REQUESTS', message: 'Hiciste demasiados intentos. Espera un momento e intenta de nuevo.' } as const

test('too many PINs say how many minutes to wait; below two, and without a time, the sentence of the server stays (E16)', () => {
  expect(pinRefusal({ ...LIMITED, data: { retry_after: 661 } })).toBe(
    'Demasiados intentos. Espera 12 minutos, o usa tu cuenta en otro dispositivo.',
  )
  for (const data of [{ retry_after: 60 }, {}, { retry_after: 'mucho' }]) expect(pinRefusal({ ...LIMITED, data })).toBe(LIMITED.message)
  expect(pinRefusal({ code: 'PIN_WRONG', message: 'El PIN no es correcto.', data: { retry_after: 661 } })).toBe('El PIN no es correcto.')
})
