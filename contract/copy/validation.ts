/** Messages for invalid values, replacing Zod's own Spanish texts, which speak of patterns and types. Used by the whole program. */
import * as z from 'zod'

/** Allowed options are listed in the message only up to this number. */
const MOST_OPTIONS = 8

const KINDS: Readonly<Record<string, string>> = {
  string: 'Escribe un texto.',
  number: 'Escribe un número.',
  int: 'Escribe un número entero.',
  boolean: 'Elige sí o no.',
  array: 'Escribe una lista.',
  date: 'Escribe una fecha válida.',
}
const FORMATS: Readonly<Record<string, string>> = {
  email: 'Escribe un correo válido.',
  url: 'Escribe una dirección completa, con https://',
  datetime: 'Escribe una fecha y una hora válidas.',
  date: 'Escribe una fecha válida.',
  time: 'Escribe una hora válida.',
}
const NO = 'Ese valor no se puede usar.'

const count = (value: number | bigint, singular: string, many: string) =>
  `${value.toLocaleString('es-MX')} ${Number(value) === 1 ? singular : many}`

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (origin === 'string') return `Escribe ${count(maximum, 'carácter', 'caracteres')} como máximo.`
  if (origin === 'array' || origin === 'set') return `Elige ${count(maximum, 'opción', 'opciones')} como máximo.`
  if (origin === 'date') return 'Escribe una fecha anterior.'
  if (origin === 'file') return 'Ese archivo es demasiado grande.'
  return `Escribe un número ${inclusive ? 'no mayor que' : 'menor que'} ${maximum.toLocaleString('es-MX')}.`
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string')
    return Number(minimum) === 1 ? 'Debes llenar este campo.' : `Escribe al menos ${count(minimum, 'carácter', 'caracteres')}.`
  if (origin === 'array' || origin === 'set') return `Elige al menos ${count(minimum, 'opción', 'opciones')}.`
  if (origin === 'date') return 'Escribe una fecha posterior.'
  if (origin === 'file') return 'Ese archivo está vacío.'
  return `Escribe un número ${inclusive ? 'no menor que' : 'mayor que'} ${minimum.toLocaleString('es-MX')}.`
}

/** The message of an issue whose schema has none of its own. */
function sentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'Debes llenar este campo.' : (KINDS[issue.expected] ?? NO)
    case 'invalid_value':
      return issue.values.length > 1 && issue.values.length <= MOST_OPTIONS
        ? `Elige una de estas opciones: ${issue.values.map(String).join(', ')}.`
        : NO
    case 'too_big':
      return tooBig(issue as z.core.$ZodIssueTooBig)
    case 'too_small':
      return tooSmall(issue as z.core.$ZodIssueTooSmall)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Revisa cómo está escrito.'
    case 'not_multiple_of':
      return `Escribe un múltiplo de ${issue.divisor.toLocaleString('es-MX')}.`
    case 'unrecognized_keys':
      return `${issue.keys.length === 1 ? 'Este dato sobra' : 'Estos datos sobran'}: ${issue.keys.join(', ')}.`
    default:
      return NO
  }
}

z.config({ localeError: sentence })
