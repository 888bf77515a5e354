/** Messages about invalid input are Spanish sentences for every kind of schema. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import './validation.ts'

const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? []

test.each<[string, z.ZodType, unknown]>([
  ['Debes llenar este campo.', z.string(), undefined],
  ['Debes llenar este campo.', z.string().min(1), ''],
  ['Escribe un texto.', z.string(), 5],
  ['Escribe un número.', z.coerce.number(), 'abc'],
  ['Escribe un número entero.', z.int(), 2.5],
  ['Elige sí o no.', z.boolean(), 'x'],
  ['Escribe 1 carácter como máximo.', z.string().max(1), 'ab'],
  ['Escribe 1,200 caracteres como máximo.', z.string().max(1_200), 'x'.repeat(1_201)],
  ['Escribe al menos 2 caracteres.', z.string().min(2), 'a'],
  ['Elige al menos 1 opción.', z.array(z.string()).min(1), []],
  ['Elige 2 opciones como máximo.', z.array(z.string()).max(2), ['a', 'b', 'c']],
  ['Escribe un número no mayor que 5.', z.number().max(5), 6],
  ['Escribe un número menor que 5.', z.number().lt(5), 5],
  ['Escribe un número no menor que 0.', z.number().min(0), -1],
  ['Escribe un número mayor que 0.', z.number().positive(), 0],
  ['Escribe un múltiplo de 5.', z.number().multipleOf(5), 7],
  ['Escribe un correo válido.', z.email(), 'ana'],
  ['Escribe una dirección completa, con https://', z.url(), 'estudio'],
  ['Escribe una fecha válida.', z.iso.date(), 'ayer'],
  ['Escribe una fecha y una hora válidas.', z.iso.datetime(), 'ayer'],
  ['Revisa cómo está escrito.', z.string().regex(/^a$/), 'b'],
  ['Elige una de estas opciones: dia, noche.', z.enum(['dia', 'noche']), 'tarde'],
  ['Este dato sobra: precio.', z.strictObject({}), { precio: 1 }],
  ['Estos datos sobran: precio, total.', z.strictObject({}), { precio: 1, total: 2 }],
  ['Ese valor no se puede usar.', z.union([z.int(), z.boolean()]), 'x'],
  ['Ese valor no se puede usar.', z.object({}), 'x'],
  ['Ya pasó.', z.string().refine(() => false, 'Ya pasó.'), 'x'],
])('%s', (sentence, schema, value) => expect(messagesOf(schema, value)).toEqual([sentence]))
