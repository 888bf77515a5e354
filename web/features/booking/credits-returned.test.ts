import { expect, test } from 'vitest'
import { returnedCreditsText } from './credits-returned.ts'

test.each([
  [{ returned: 1, courtesy: 0 }, 'mine', 'Tu crédito regresa a tu paquete.'],
  [{ returned: 2, courtesy: 0 }, 'mine', 'Tus dos créditos regresan a tu paquete.'],
  [{ returned: 1, courtesy: 0 }, 'guest', 'El crédito de tu invitado regresa a tu paquete.'],
  [{ returned: 0, courtesy: 1 }, 'mine', 'Tu paquete ya venció: recibes un crédito de cortesía.'],
  [{ returned: 0, courtesy: 2 }, 'mine', 'Tu paquete ya venció: recibes dos créditos de cortesía.'],
  [
    { returned: 1, courtesy: 1 },
    'mine',
    'Un crédito regresa a tu paquete; por el otro, de un paquete que ya venció, recibes uno de cortesía.',
  ],
  [{ returned: 0, courtesy: 0 }, 'mine', 'No se gastó ningún crédito: no pierdes nada.'],
] as const)('the text of what %j returns (S2-2.52, S2-5.10, settled 19)', (back, whose, text) => {
  expect(returnedCreditsText({ ...back, kept: 0 }, whose)).toBe(text)
})
