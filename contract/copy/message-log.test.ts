import { expect, test } from 'vitest'
import { whyNotSent } from './message-log.ts'

const message = { channel: 'mail', next_at: null, reason: null } as const

test('says in Spanish why a message was not sent, whatever the service answered', () => {
  expect(whyNotSent({ ...message, status: 'failed', reason: 'smtp.ejemplo.mx answered 550.' })).toBe('El servicio de correo no lo aceptó.')
  expect(whyNotSent({ ...message, status: 'failed', channel: 'whatsapp', reason: '131026' })).toBe('WhatsApp no lo entregó.')
  expect(whyNotSent({ ...message, status: 'failed', reason: 'No address is known.' })).toBe('No tiene correo.')
  expect(whyNotSent({ ...message, status: 'moot', reason: 'too late' })).toBe('Ya había pasado su hora.')
  expect(whyNotSent({ ...message, status: 'waiting', reason: 'timeout' })).toBe('No se pudo enviar; se intentará de nuevo.')
  expect(whyNotSent({ ...message, status: 'delivered' })).toBeNull()
})
