/**
 * What the server answers in words, in English: refusals, messages and the few labels that it computes. Its texts are written in Spanish
 * where they arise; here each is matched by its sentence and replaced by the English one with the same values. Other texts, such as the
 * studio's own, stay.
 */
import { type ErrorCode, errors } from '#contract/errors.ts'
import { errorsInEnglish } from './errors.ts'
import { mailsInEnglish, receiptsInEnglish } from './mails.ts'
import { MONTHS_IN_ENGLISH } from './months.ts'
import { contractInEnglish } from './texts.ts'

/** Labels that the server computes for customers. */
export const labelsInEnglish: Readonly<Record<string, string>> = {
  Nombre: 'First name',
  Apellidos: 'Last name',
  Teléfono: 'Phone',
  'Correo electrónico': 'Email',
  Efectivo: 'Cash',
  'Tarjeta de regalo': 'Gift card',
  'Pago en línea': 'Online payment',
  'Puedes cancelar tus clases hasta que comiencen.': 'You can cancel your classes until they start.',
  'el dinero se devolvió': 'the money was returned',
  'el estudio quitó el acceso': 'the studio removed the access',
  'el banco dio la razón al estudio': 'the bank ruled for the studio',
  'días que dio el estudio': 'days given by the studio',
  'se canceló a tiempo y el lote ya había vencido': 'canceled in time, and the credits had already expired',
  'el estudio canceló una clase': 'the studio canceled a class',
  'primer video': 'first video',
  '{0} faltas seguidas': '{0} no-shows in a row',
  'se corrigió la asistencia': 'the attendance was corrected',
  'se retiraron los créditos con los que se pagó': 'the credits that paid for it were withdrawn',
  'Retirados por el estudio': 'Withdrawn by the studio',
  '{0} terminada en {1}': '{0} ending in {1}',
  '{0} y Tarjeta de regalo': '{0} and gift card',
  Tarjeta: 'Card',
  'terminada en {0}': 'ending in {0}',
}

type Sentences = readonly (readonly [string, string])[]

const sentences: Sentences = [
  ...Object.entries(errors).map(([code, { message }]) => [message, errorsInEnglish[code as ErrorCode]] as const),
  ...Object.entries(contractInEnglish),
  ...Object.entries(labelsInEnglish),
]

const PLACEHOLDER = /\{(\w+)\}/g
const TRANSLATIONS: Readonly<Record<string, string>> = {
  lun: 'Mon',
  mar: 'Tue',
  mié: 'Wed',
  jue: 'Thu',
  vie: 'Fri',
  sáb: 'Sat',
  dom: 'Sun',
  lunes: 'Monday',
  martes: 'Tuesday',
  miércoles: 'Wednesday',
  jueves: 'Thursday',
  viernes: 'Friday',
  sábado: 'Saturday',
  domingo: 'Sunday',
  ene: 'Jan',
  feb: 'Feb',
  abr: 'Apr',
  may: 'May',
  jun: 'Jun',
  jul: 'Jul',
  ago: 'Aug',
  sep: 'Sep',
  oct: 'Oct',
  nov: 'Nov',
  dic: 'Dec',
  ...MONTHS_IN_ENGLISH,
  segundo: 'second',
  segundos: 'seconds',
  minuto: 'minute',
  minutos: 'minutes',
  hora: 'hour',
  horas: 'hours',
  día: 'day',
  días: 'days',
  vez: 'time',
  veces: 'times',
}

/**
 * Times in English, alone or inside a sentence: "mié 18 nov, 18:00", "2 horas", "lun a vie". "mar" is a month after a number and a
 * day elsewhere.
 */
export const timesInEnglish = (text: string): string =>
  text
    .replace(/(?<=\d )mar(?!\p{L})/gu, 'Mar')
    .replace(/(?<=\d) de (?=\p{L})/gu, ' ')
    .replace(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu, (word) => TRANSLATIONS[word] ?? word)
    .replace(/(?<=Mon|Tue|Wed|Thu|Fri|Sat|Sun|day) a (?=[MTWFS])/g, ' to ')
    .replace(/(?<=\d|Mon|Tue|Wed|Thu|Fri|Sat|Sun|day) y (?=[MTWFS])/g, ' and ')

/** Whether a value may be times: those have no capitals, and names do. */
const IS_TIME = /^[\d\p{Ll}\s.,:–]+$/u

/** Says what is among some sentences in English, earlier lists first; any other text unchanged. */
function translator(...lists: readonly Sentences[]): (text: string) => string {
  const exact = new Map(lists.toReversed().flat())
  // In a list those with more words of their own first, because "{0} y {1}" fits much.
  const patterns = lists
    .flatMap((list) =>
      list
        .filter(([spanish]) => spanish.replace(PLACEHOLDER, '') !== spanish)
        .sort(([text], [other]) => other.replace(PLACEHOLDER, '').length - text.replace(PLACEHOLDER, '').length),
    )
    .map(([spanish, english]) => ({
      names: [...spanish.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
      pattern: new RegExp(
        `^${spanish
          .split(/\{\w+\}/)
          .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join('([^]+?)')}$`,
      ),
      english,
    }))
  return function translate(text: string): string {
    const known = exact.get(text)
    if (known !== undefined) return known
    for (const { pattern, names, english } of patterns) {
      const found = pattern.exec(text)
      if (!found) continue
      const values = new Map(names.map((name, at) => [name, found[at + 1] ?? '']))
      return english.replace(PLACEHOLDER, (_all, name: string) => {
        const value = values.get(name) ?? ''
        const english = translate(value)
        return english === value && IS_TIME.test(value) ? timesInEnglish(value) : english
      })
    }
    return text
  }
}

/** A sentence of the server in English; any other text unchanged. */
export const sentenceInEnglish = translator(sentences)

/** A sentence of a mail in English; any other text unchanged. */
export const mailInEnglish = translator(Object.entries(mailsInEnglish), sentences)

/** A text of a receipt as PDF in English; any other text unchanged. */
export const receiptInEnglish = translator(Object.entries(receiptsInEnglish), Object.entries(mailsInEnglish), sentences)

/** Fields with texts of the server; after a point, where they are inside the one before it. */
const TEXT_FIELDS = new Set([
  'message',
  'why',
  'label',
  'limits',
  'reason',
  'payment_method.name',
  'plan_change',
  'policy.cancel',
  'policy.limit',
])

/** An answer of the API with the server's words in English. Texts of the studio and its customers stay unchanged. */
export function answerInEnglish(answer: unknown, field = '', parent = ''): unknown {
  if (typeof answer === 'string') {
    if (field === 'late_window' || `${parent}.${field}` === 'policy.window') return timesInEnglish(answer)
    // "Chrome en Linux"
    if (field === 'device') return answer === 'Dispositivo desconocido' ? 'Unknown device' : answer.replace(' en ', ' on ')
    return TEXT_FIELDS.has(field) || TEXT_FIELDS.has(`${parent}.${field}`) ? sentenceInEnglish(answer) : answer
  }
  if (Array.isArray(answer)) return answer.map((item) => answerInEnglish(item, field, parent))
  if (typeof answer !== 'object' || answer === null || Object.getPrototypeOf(answer) !== Object.prototype) return answer
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, answerInEnglish(value, key, field)]))
}
