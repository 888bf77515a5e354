import { expect, test } from 'vitest'
import { mailParts } from './mail-text.ts'

test('the addresses of a mail are its links, without the sentence that ends behind them', () => {
  expect(mailParts('Elige:\nhttps://marea.mx/cuenta?x=1&y=2\n\nVence hoy.')).toEqual([
    { text: 'Elige:\n', href: null },
    { text: 'https://marea.mx/cuenta?x=1&y=2', href: 'https://marea.mx/cuenta?x=1&y=2' },
    { text: '\n\nVence hoy.', href: null },
  ])
  expect(mailParts('Reserva en (http://marea.mx).').map(({ href }) => href)).toEqual([null, 'http://marea.mx', null])
  expect(mailParts('javascript:alert(1) ftp://x')).toEqual([{ text: 'javascript:alert(1) ftp://x', href: null }])
  expect(mailParts('')).toEqual([])
})
