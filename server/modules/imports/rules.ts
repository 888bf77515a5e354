/** How files of other systems are read: headers, dates, telephones, names, credits. Pure: docs/domain.md, "Imports". */
import * as z from 'zod'
import { type DateOrder, fieldsOfKind, type ImportField, type ImportKind, type ImportSource } from '#contract/imports.ts'
import { splitName } from '#contract/person-name.ts'
import { visibleText } from '#contract/text.ts'
import { isLocalDate } from '#contract/time.ts'

/** Lower case, without accents, punctuation and double spaces. */
export const normalizeWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9ñ]+/g, ' ')
    .trim()

/** Names of columns, as they are exported and as people write them. The first field with a match is taken. */
const HEADERS: readonly (readonly [ImportField, RegExp])[] = [
  [
    'external_ref',
    /^(id|uuid|(client|member|customer|user|socio|cliente|miembro|alumno)s? ?(id|no|num|number|numero|barcode)|id (de )?(cliente|socio|miembro|alumno|usuario)|(no|num|numero) (de )?(cliente|socio|miembro|alumno)|rss ?id|clave|folio|external ref|customer id)$/,
  ],
  ['email', /^(e ?mail( address)?|correo( electronico)?|mail)$/],
  [
    'phone',
    /^((mobile|cell|home|work|primary)? ?(phone|phone number|tel)|mobile|cell|celular|telefono( movil| celular)?|movil|whatsapp|tel|phone ?1)$/,
  ],
  ['birthdate', /^(birth ?(date|day)|date of birth|dob|(f|fecha|fec) (de )?nac(imiento)?|nacimiento|cumpleanos)$/],
  [
    'promotions_on',
    /^((acepto|acepta) (promociones|publicidad|marketing)( el| desde)?|(marketing|promotions?|promotional|email) (emails? )?(opt ?in|consent|accepted) (date|on|at)|(consent|opt ?in) date|(fecha|dia) (de|del) consentimiento)$/,
  ],
  ['whatsapp_on', /^((acepto|acepta) whatsapp( el| desde)?|whatsapp (opt ?in|consent|accepted) (date|on|at))$/],
  ['last_name', /^(last ?name|surname|family name|apellidos?|apellido paterno)$/],
  [
    'full_name',
    /^(full ?name|name|client( name)?|customer( name)?|member( name)?|nombre completo|cliente|socio|alumno|nombre y apellidos?)$/,
  ],
  ['name', /^(first ?name|given name|nombres?)$/],
  [
    'created_on',
    /^((fecha|dia) (de|del) (alta|registro|ingreso|inscripcion)|alta|registrad[oa]( el)?|miembro desde|cliente desde|(created|creation|joined|join|sign ?up|registration|registered)( date| on| at)?|date (created|joined)|(member|client|customer) since)$/,
  ],
  [
    'last_visit',
    /^(ultim[ao] (visita|asistencia|clase|check ?in)|(fecha|dia) (de la|de|del) ultima (visita|asistencia|clase)|last (visit|attendance|class|check ?in|attended)( date| on| at)?|date of last (visit|class))$/,
  ],
  [
    'visits',
    /^((total|num(ero)?|cuantas|cantidad)? ?(de )?(visitas|asistencias)( totales)?|clases tomadas|(total |number of |no of |lifetime |all time )?(visits|attendances|check ?ins)( count| total)?|(total )?(classes )?attended|visit count)$/,
  ],
  [
    'credits',
    /^((clases|creditos|sesiones) (disp(onibles)?|restantes|por usar)|clases|creditos|sesiones|(visits|sessions|classes|credits|count|events?|uses|passes) (remaining|left)|remaining( (visits|sessions|classes|credits))?|credits|available( classes| credits)?|disponibles)$/,
  ],
  [
    'expires',
    /^(vence|vencimiento|(fecha de )?(vencimiento|expiracion|caducidad)|caduca|exp(iration|iry)?( date)?|expires( at| on)?|valid (until|to)|end date|vigencia)$/,
  ],
  [
    'frozen',
    /^((paquete |membresia |plan )?(congelad[oa]|suspendid[oa]|pausad[oa])( desde| el)?|(fecha|dia) de (congelamiento|congelacion|suspension|pausa)|(frozen|freeze|hold|suspended|suspension|paused|pause)( date| start( date)?| since| on| from)?)$/,
  ],
  [
    'package',
    /^(paquete|membresia|plan|(pricing|purchase) option|membership( name| plan| type)?|pass( name)?|package( name)?|product|contract|series)$/,
  ],
]

const CUSTOMER_NUMBER =
  /^((client|member|customer|user|socio|cliente|miembro|alumno)s? ?(id|no|num|number|numero|barcode)|id (del? )?(cliente|socio|miembro|alumno|usuario)|(no|num|numero) (del? )?(cliente|socio|miembro|alumno))$/

/** Names of columns of the other kinds of files, before those above. */
const RECORD_HEADERS: readonly (readonly [ImportField, RegExp])[] = [
  ['customer_ref', CUSTOMER_NUMBER],
  ['class_ref', /^(id (de )?(la )?(clase|sesion)|(single )?(class|session|event) id)$/],
  [
    'external_ref',
    /^(id|uuid|folio|clave|id (de )?(la )?(clase|sesion|reservacion|reserva|nota)|(class|session|event|booking|reservation|visit) id)$/,
  ],
  ['instructor', /^(coach(es)?|instructor(es|s|a)?|teachers?|staff( name)?|maestr[oa]s?|profesor(es|a)?)$/],
  ['location', /^(estudio|sucursal|location( name)?|studio|site|club)$/],
  ['room', /^(sala|salon|room|resource)$/],
  ['time', /^(hora( de)?( inicio)?|start time|time|inicio|horario)$/],
  ['ends', /^(fin|termina|hora( de)? fin|end( time)?|ends)$/],
  [
    'date',
    /^(fecha( y hora)?( de (la clase|clase|inicio))?|dia|(class |start |event |booking |visit )?date( time)?|starts?( at)?|start datetime|creada?|created( at)?)$/,
  ],
  ['minutes', /^(minutos|duracion( min(utos)?)?|duration( min(utes)?)?|length)$/],
  ['capacity', /^(lugares|cupo|capacidad|capacity|max capacity|size|spots|aforo)$/],
  ['spot', /^(lugar|spot|bici|bike|reformer|asiento|seat|spot (number|name))$/],
  ['spot_map', /^mapa( de lugares)?$/],
  ['timezone', /^(zona horaria|time ?zone|tz)$/],
  ['guest', /^(invitado|acompanante|guest( name)?)$/],
  ['guest_spot', /^(lugar del invitado|guest spot)$/],
  ['status', /^(asistencia|estado|estatus|status|attendance|attended|asistio|booking status|check ?in)$/],
  [
    'class_type',
    /^((tipo( de)? |nombre (de )?(la )?)?clase|tipo|disciplina|actividad|class( name| type)?|session( name| type)?|service( name)?|event name|activity)$/,
  ],
  ['note', /^(notas?|comentarios?|observaciones|notes?|comments?|alert)$/],
  ['tags', /^(etiquetas?|tags?|grupos?|indexes)$/],
]

/** Names of columns of purchases, before those of the other kinds. */
const PURCHASE_HEADERS: readonly (readonly [ImportField, RegExp])[] = [
  [
    'external_ref',
    /^((id|no|num|numero) (de )?(la )?(compra|venta|orden|ticket|transaccion|recibo)|orden|recibo|(sale|order|purchase|transaction|payment|receipt|invoice) ?(id|no|num|number))$/,
  ],
  [
    'date',
    /^(fecha( y hora)? (de (la )?)?(compra|venta|pago)|(sale|purchase|order|transaction|payment) (date|time)( time)?|purchased( at| on)?)$/,
  ],
  ['package', /^(que compro|compra|concepto|articulo|producto|descripcion|servicio|item( name)?|description|service( name)?)$/],
  [
    'amount',
    /^((monto|importe|total|precio)( pagado| cobrado)?|pagado|cobrado|(amount|total|price)( paid)?|paid|(sale|item) (total|price|amount))$/,
  ],
  ['way', /^((forma|metodo|medio|tipo) de pago|(payment|pay) (method|type)|tender( type)?)$/],
]

/** Names of columns of subscriptions, before those of the other kinds. */
const SUBSCRIPTION_HEADERS: readonly (readonly [ImportField, RegExp])[] = [
  [
    'external_ref',
    /^((id|no|num|numero) (de )?(la )?(suscripcion|membresia|contrato)|(subscription|membership|contract|autopay) ?(id|no|num|number))$/,
  ],
  [
    'next_charge',
    /^((fecha (de |del )?)?(proximo|siguiente) (cobro|pago|cargo)|(fecha (de )?)?(proxima )?renovacion|se renueva|next (payment|billing|charge|renewal|invoice|autopay)( date| on| at)?|(autopay|billing|renewal)( date)?|renews( on| at)?)$/,
  ],
  ['package', /^(suscripcion|subscription( name)?|contract( name)?)$/],
  ['amount', /^((monto|importe|total|precio|mensualidad)|(amount|total|price|rate)|(autopay|billing|next payment) amount)$/],
]

/** Names of columns of coaches, before those of the other kinds. */
const COACH_HEADERS: readonly (readonly [ImportField, RegExp])[] = [
  [
    'external_ref',
    /^(id|uuid|(id|no|num|numero) (de(l)? )?(coach|instructor|empleado|staff)|(coach|instructor|staff|teacher|trainer|employee) ?(id|no|num|number))$/,
  ],
  ['nick_name', /^(apodo|nick ?name|nombre (corto|publico)|display name)$/],
  ['instagram', /^(instagram|ig|cuenta de instagram)( handle| user(name)?)?$/],
  ['short_bio', /^((short |public )?bio(graphy)?|biografia|semblanza|acerca de|about( me)?|perfil|profile)$/],
  ['specialties', /^(especialidad(es)?|disciplinas?|specialt(y|ies)|skills|certificaciones|certifications)$/],
  [
    'full_name',
    /^((coach|instructor|instructora|staff|teacher|trainer|employee)( (full )?name)?|maestr[oa]|profesor(a)?|nombre (del |de la )?(coach|instructor(a)?))$/,
  ],
]

/** Names of columns that only files of a kind have. */
const OWN_HEADERS: Readonly<Partial<Record<ImportKind, typeof PURCHASE_HEADERS>>> = {
  coaches: COACH_HEADERS,
  purchases: PURCHASE_HEADERS,
  subscriptions: SUBSCRIPTION_HEADERS,
}

/** Never imported, whatever is chosen. */
const LOCKED = /(card|tarjeta|cc ?number|cvv|cvc|iban|clabe|password|contrasena|\bpin\b|account number)/

export const isLockedHeader = (header: string): boolean =>
  LOCKED.test(normalizeWords(header)) && !/(id ?card|gift)/.test(normalizeWords(header))

const EMAIL_LENGTH = 254

/** The length comes first: without a limit, a long cell of `@` and `.` takes minutes to compare. */
export const isEmailLike = (text: string): boolean => text.length <= EMAIL_LENGTH && /^\S+@\S+\.\S+$/.test(text)

/** The field of a column, by its header, or by its contents where the header is unknown. */
export function guessField(header: string, samples: readonly string[], kind: ImportKind = 'customers'): ImportField | null {
  if (isLockedHeader(header)) return null
  const name = normalizeWords(header)
  const fields = fieldsOfKind[kind]
  if (kind === 'classes' && /^(name|nombre)$/.test(name)) return 'class_type'
  const known = [...(OWN_HEADERS[kind] ?? []), ...(kind === 'customers' ? [] : RECORD_HEADERS), ...HEADERS]
  const found = known.find(([field, pattern]) => fields.includes(field) && pattern.test(name))?.[0]
  if (found) return found
  const filled = samples.filter(Boolean)
  if (fields.includes('email') && filled.length > 0 && filled.every(isEmailLike)) return 'email'
  return null
}

/** How many cells of a row are headers that we know: the header of a file is the row with most of them. */
export const headerScore = (cells: readonly string[], kind: ImportKind = 'customers'): number =>
  new Set(cells.map((cell) => guessField(cell, [], kind)).filter(Boolean)).size

/** Whether a row is a totals row at the end of a report instead of a person. */
export const isTotalsRow = (cells: readonly string[]): boolean => {
  const first = cells.find((cell) => cell !== '') ?? ''
  return /^(gran total|grand total|sub ?total(es)?|total(es)?|promedio|average|suma)\b/.test(normalizeWords(first))
}

/** What the dates of each source begin with where a file leaves it open. */
export const usualOrder = (source: ImportSource): DateOrder =>
  source === 'mindbody' || source === 'momence' || source === 'arketa' ? 'mdy' : 'dmy'

const MONTHS = ['ene jan', 'feb', 'mar', 'abr apr', 'may', 'jun', 'jul', 'ago aug', 'sep set', 'oct', 'nov', 'dic dec']

interface DayParts {
  first: number
  second: number
  year: number
}

/** "03/04/26": two numbers whose order a file may leave open. Null for any other form. */
function slashed(text: string): DayParts | null {
  const [, first, second, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ T].*)?$/.exec(text.trim()) ?? []
  return year ? { first: Number(first), second: Number(second), year: fullYear(Number(year)) } : null
}

/** Two digits: up to 40 of this century (expiries), the others of the last one (birthdays). */
const fullYear = (year: number): number => (year >= 100 ? year : year <= 40 ? 2000 + year : 1900 + year)

const isoOf = (year: number, month: number, day: number): string | null => {
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isLocalDate(text) ? text : null
}

/** A day as "2026-04-03"; null when there is no such day. */
export function parseDay(text: string, order: DateOrder): string | null {
  const trimmed = text.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T].*)?$/.exec(trimmed)
  if (iso) return isoOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const parts = slashed(trimmed)
  if (parts) return order === 'dmy' ? isoOf(parts.year, parts.second, parts.first) : isoOf(parts.year, parts.first, parts.second)
  const words = normalizeWords(trimmed)
    .split(' ')
    .filter((word) => word !== 'de' && word !== 'del')
  const month = MONTHS.findIndex((names) => words.some((word) => names.split(' ').some((name) => word.startsWith(name)))) + 1
  const numbers = words.filter((word) => /^\d{1,4}$/.test(word)).map(Number)
  const year = numbers.find((number) => number > 31) ?? numbers[1]
  const day = numbers.find((number) => number <= 31)
  return month > 0 && year !== undefined && day !== undefined ? isoOf(fullYear(year), month, day) : null
}

/**
 * Whether day or month comes first in the dates of a file: known when one of them has a number above 12, or none is written in that form.
 * `open`: how many fit both ways.
 */
export function detectDateOrder(texts: readonly string[]): { order: DateOrder | null; open: number; sample: string } {
  let [open, sample] = [0, '']
  let order: DateOrder | null = null
  for (const text of texts) {
    const parts = slashed(text)
    if (!parts) continue
    if (parts.first > 12 && parts.second <= 12) order = 'dmy'
    else if (parts.second > 12 && parts.first <= 12) order = 'mdy'
    else if (parts.first !== parts.second && parts.first <= 12) {
      open++
      sample ||= text
    }
  }
  return { order, open, sample }
}

/** Ten digits, without 01, 044, 045, 52 and 521. `missing`: how many digits are missing (negative: too many). */
export function parsePhone(text: string): { phone: string } | { missing: number } {
  const digits = text.replace(/\.0$/, '').replace(/\D/g, '')
  const rest = [/^(?:00)?521(?=\d{10}$)/, /^(?:00)?52(?=\d{10}$)/, /^04[45](?=\d{10}$)/, /^01(?=\d{10}$)/, /^1(?=\d{10}$)/].reduce(
    (left, prefix) => left.replace(prefix, ''),
    digits,
  )
  return rest.length === 10 ? { phone: rest } : { missing: 10 - rest.length }
}

/** A number of classes; -1 for unlimited ones. Null when it is neither. */
export function parseCredits(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === '-') return 0
  if (/^(ilim|unlim|sin limite|∞)/.test(normalizeWords(trimmed) || trimmed)) return -1
  const found = /^(\d{1,4})(?:[.,]0+)?(?:\s*(?:\/|de|of|clases?|classes?|sesiones).*)?$/i.exec(trimmed)
  return found ? Number(found[1]) : null
}

/** A number of visits, also with a mark of thousands ("1,234"); null when it is none. */
export function parseVisits(text: string): number | null {
  const trimmed = text
    .trim()
    .replace(/^(\d{1,2})[.,](?=\d{3}$)/, '$1')
    .replace(/[.,]0{1,2}$/, '')
  if (trimmed === '' || trimmed === '-') return 0
  return /^\d{1,5}$/.test(trimmed) ? Number(trimmed) : null
}

const TYPOS: Readonly<Record<string, string>> = {
  'gmial.com': 'gmail.com',
  'gmai.com': 'gmail.com',
  'gmal.com': 'gmail.com',
  'gmail.con': 'gmail.com',
  'gnail.com': 'gmail.com',
  'hotmial.com': 'hotmail.com',
  'hotmal.com': 'hotmail.com',
  'hotmail.con': 'hotmail.com',
  'yaho.com': 'yahoo.com',
  'outlok.com': 'outlook.com',
  'iclod.com': 'icloud.com',
}

/** The address that was probably meant; null when it seems correct. */
export function correctedEmail(email: string): string | null {
  const [local, host = ''] = email.split('@')
  return TYPOS[host] ? `${local}@${TYPOS[host]}` : null
}

const textOrNull = z.string().nullable()

export const importedPerson = z.object({
  external_ref: textOrNull,
  name: z.string(),
  last_name: z.string(),
  email: textOrNull,
  phone: textOrNull,
  birthdate: textOrNull,
  /** Days of consent; missing in rows that were read before these columns existed. */
  promotions_on: textOrNull.optional(),
  whatsapp_on: textOrNull.optional(),
  /** Missing in rows that were read before these columns existed. */
  created_on: textOrNull.optional(),
  visits: z.int().optional(),
  last_visit: textOrNull.optional(),
  package: textOrNull,
  /** -1: unlimited. */
  credits: z.int(),
  expires_on: textOrNull,
  /** Missing in rows that were read before this column existed. */
  frozen_on: textOrNull.optional(),
})
export type ImportedPerson = z.infer<typeof importedPerson>

/** How a file is read. `today`: a day of the studio. */
export interface CheckBase {
  order: DateOrder
  today: string
  /** An export of Estudio: its names are whole, and its lists are divided by ` | `. */
  isOurs?: boolean
  /** Numbers of people at the source who were imported before: such a row needs no mail or telephone. */
  knownNumbers?: ReadonlySet<string>
  columns: readonly { index: number; field: ImportField | null }[]
}

export const rowIssue = z.object({ field: z.string(), message: z.string(), suggestion: textOrNull })
export type RowIssue = z.infer<typeof rowIssue>

export interface ReadRow {
  person: ImportedPerson | null
  issues: RowIssue[]
}

/** Why a file cannot be read that takes more memory than there is. */
export const TOO_LARGE = 'Es demasiado grande para leerlo. Guarda solo esa hoja como CSV, o divídelo en varios.'

const PLACEHOLDERS = /^(n\/?a|null|none|sin (correo|telefono|dato)|no tiene|-+|x+)$/i
export const withoutPlaceholder = (text: string | undefined): string => {
  const value = visibleText(text ?? '')
    .normalize('NFC')
    .replace(/[\p{Cc}\u00a0]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return PLACEHOLDERS.test(value) ? '' : value
}

/** The person's number at the source; null: the row has none. */
export const toExternalRef = (values: Partial<Record<ImportField, string>>): string | null =>
  withoutPlaceholder(values.external_ref).slice(0, 100) || null

const isYes = (text: string): boolean => /^(s[ií]|yes|y|true|verdadero|1|x|ok)$/i.test(text)

/** The person of a row, and what must be corrected first. `today`: a day of the studio. */
export function readRow(
  values: Partial<Record<ImportField, string>>,
  { order, today, isOurs = false, knownNumbers }: Omit<CheckBase, 'columns'>,
): ReadRow {
  const issues: RowIssue[] = []
  const wrong = (field: ImportField, message: string, suggestion: string | null = null) => {
    issues.push({ field, message, suggestion })
    return null
  }
  const textOf = (field: ImportField) => withoutPlaceholder(values[field])
  const full = textOf('full_name') && !textOf('name') ? splitName(textOf('full_name')) : null
  const together = !isOurs && textOf('name') && !textOf('last_name') && textOf('name').includes(' ') ? splitName(textOf('name')) : null
  const name = (together ?? full)?.name ?? textOf('name')
  const last_name = (together ?? full)?.last_name ?? textOf('last_name')
  if (!name) wrong('name', 'Sin nombre no se puede crear.')
  if (name.length > 80 || last_name.length > 80) wrong('name', 'El nombre es demasiado largo.')

  const mail = textOf('email').toLowerCase()
  const isMail = mail.length <= EMAIL_LENGTH && /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[a-z]{2,}$/.test(mail)
  const better = isMail ? correctedEmail(mail) : null
  if (mail && !isMail) wrong('email', 'Este correo no está completo.', '')
  if (better) wrong('email', `¿Quisiste decir ${better.split('@')[1]}?`, better)

  const typed = textOf('phone')
  const read = typed ? parsePhone(typed) : null
  if (read && 'missing' in read)
    wrong(
      'phone',
      read.missing > 0 ? `${read.missing === 1 ? 'Falta 1 dígito' : `Faltan ${read.missing} dígitos`}.` : 'Sobran dígitos.',
      '',
    )
  const phone = read && 'phone' in read ? read.phone : null

  const day = (field: 'birthdate' | 'expires') => {
    const text = textOf(field)
    return text ? (parseDay(text, order) ?? wrong(field, 'Ese día no existe.')) : null
  }
  const birthdate = day('birthdate')
  if (birthdate && (birthdate > today || birthdate < '1900-01-01')) wrong('birthdate', 'Esa fecha de nacimiento no puede ser.', '')
  /** A consent counts with its day only; "no" and nothing are none. */
  const consent = (field: 'promotions_on' | 'whatsapp_on') => {
    const text = textOf(field)
    if (text === '' || /^(no|n|0|false|falso)$/i.test(text)) return null
    const on = parseDay(text, order)
    if (on === null) return wrong(field, isYes(text) ? 'Falta el día en que aceptó: sin él no cuenta.' : 'Ese día no existe.', '')
    return on > today ? wrong(field, 'Ese día todavía no llega.', '') : on
  }
  const consents = { promotions_on: consent('promotions_on'), whatsapp_on: consent('whatsapp_on') }
  const past = (field: 'created_on' | 'last_visit' | 'frozen') => {
    const text = textOf(field)
    const on = text === '' ? null : (parseDay(text, order) ?? wrong(field, 'Ese día no existe.', ''))
    return on !== null && on > today ? wrong(field, 'Ese día todavía no llega.', '') : on
  }
  const [created_on, last_visit] = [past('created_on'), past('last_visit')]
  const visits = parseVisits(textOf('visits')) ?? wrong('visits', 'No es un número de visitas.', '') ?? 0
  const expires_on = day('expires')
  const frozenText = textOf('frozen')
  const isFrozen = frozenText !== '' && !/^(no|n|0|false|falso|activ[oa]|active)$/i.test(frozenText)
  const isWithoutDay = isFrozen && isYes(frozenText)
  const frozen_on = isWithoutDay ? wrong('frozen', 'Falta el día desde el que están congeladas.', '') : isFrozen ? past('frozen') : null
  const credits = parseCredits(textOf('credits')) ?? wrong('credits', 'No es un número de clases.', '0') ?? 0
  if (credits !== 0 && expires_on === null && !issues.some(({ field }) => field === 'expires'))
    wrong('expires', 'Falta cuándo vencen sus clases.')
  const external_ref = toExternalRef(values)
  if (!mail && !phone && !knownNumbers?.has(external_ref ?? '') && issues.every(({ field }) => field !== 'phone'))
    wrong('phone', 'Hace falta su teléfono o su correo.')
  if (issues.length > 0) return { person: null, issues }
  return {
    person: {
      external_ref,
      name,
      last_name,
      email: mail || null,
      phone,
      birthdate,
      ...consents,
      created_on,
      visits: last_visit === null ? visits : Math.max(1, visits),
      last_visit,
      package: textOf('package') || null,
      credits,
      expires_on,
      frozen_on,
    },
    issues,
  }
}
