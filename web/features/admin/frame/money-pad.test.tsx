import { renderToStaticMarkup as html } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MoneyPad } from './money-pad.tsx'

const pad = (shape: { whole?: boolean; disabled?: boolean } = {}) =>
  html(<MoneyPad label="Recibí" value="700" onChange={() => undefined} {...shape} />)

test('the money pad names its field, and announces nothing before a key is pressed', () => {
  expect(pad()).toContain('aria-label="Teclado para Recibí"')
  expect(pad()).toContain('<span role="status" class="sr-only"></span>')
})

test('pieces have no key for a point, and a pad that is off has no key to press', () => {
  expect(pad()).toContain('aria-label="Punto"')
  expect(pad({ whole: true })).not.toContain('aria-label="Punto"')
  expect(pad()).not.toContain('disabled')
  expect(pad({ disabled: true }).match(/disabled=""/g)).toHaveLength(12)
})
