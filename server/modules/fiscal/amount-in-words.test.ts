import { expect, test } from 'vitest'
import { amountInWords } from './amount-in-words.ts'

test.each([
  ['0.01', 'CERO PESOS 01/100 M.N.'],
  ['1.00', 'UN PESO 00/100 M.N.'],
  ['21.50', 'VEINTIÚN PESOS 50/100 M.N.'],
  ['100.00', 'CIEN PESOS 00/100 M.N.'],
  ['131.00', 'CIENTO TREINTA Y UN PESOS 00/100 M.N.'],
  ['1450.00', 'MIL CUATROCIENTOS CINCUENTA PESOS 00/100 M.N.'],
  ['500000.00', 'QUINIENTOS MIL PESOS 00/100 M.N.'],
  ['1000000.00', 'UN MILLÓN DE PESOS 00/100 M.N.'],
  ['2021001.09', 'DOS MILLONES VEINTIÚN MIL UN PESOS 09/100 M.N.'],
])('%s in words', (amount, words) => expect(amountInWords(amount)).toBe(words))
