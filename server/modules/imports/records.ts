/**
 * Rows of files that are no customers: coaches, classes, reservations, notes, past purchases, subscriptions. Pure: docs/domain.md
 * IM9 to IM11, IM14, IM15 and IM17.
 */
import * as z from 'zod'
import { hasCardNumber } from '#contract/card-number.ts'
import type { DateOrder, ImportField, ImportKind } from '#contract/imports.ts'
import { instagramHandle, isInstagram } from '#contract/instagram.ts'
import { formatMoney, parsePesos } from '#contract/money.ts'
import { splitName } from '#contract/person-name.ts'
import { isZone } from '#contract/time.ts'
import { normalizeWords, parseDay, parsePhone, type RowIssue, withoutPlaceholder } from './rules.ts'

const textOrNull = z.string().nullable()

const importedClass = z.object({
  kind: z.literal('classes'),
  external_ref: textOrNull,
  class_type: z.string(),
  instructors: z.array(z.string()),
  /** Null: the studio's only one. */
  location: textOrNull,
  /** Of a location that is created; missing in rows that were read before this column existed. */
  timezone: textOrNull.optional(),
  room: textOrNull,
  /** "2026-12-01T19:00", on the clocks of the location. */
  starts: z.string(),
  /** Null: the usual length of its type. */
  minutes: z.int().nullable(),
  capacity: z.int(),
  spot_map: textOrNull,
  /** The class of the schedule that it is, as the check found it. */
  single_class_id: z.int().nullable(),
})
export type ImportedClass = z.infer<typeof importedClass>

const importedCoach = z.object({
  kind: z.literal('coaches'),
  external_ref: textOrNull,
  name: z.string(),
  last_name: textOrNull,
  nick_name: textOrNull,
  birthdate: textOrNull,
  instagram: textOrNull,
  short_bio: textOrNull,
  specialties: textOrNull,
  /** The coach of the studio that it is, as the check found them. */
  instructor_id: z.int().nullable(),
})
export type ImportedCoach = z.infer<typeof importedCoach>

/** Whose row it is. */
const whose = z.object({
  customer_ref: textOrNull,
  email: textOrNull,
  phone: textOrNull,
  /** For the screen only: two people may share a name. */
  name: z.string(),
  /** The customer, as the check found them. */
  customer_id: z.int().nullable(),
})
export type Whose = z.infer<typeof whose>

const importedReservation = whose.extend({
  kind: z.literal('reservations'),
  external_ref: textOrNull,
  class_ref: textOrNull,
  class_type: textOrNull,
  location: textOrNull,
  /** Null: the class has a number. */
  starts: textOrNull,
  spot: textOrNull,
  guest: textOrNull,
  guest_spot: textOrNull,
  attend: z.boolean().nullable(),
  package: textOrNull,
  /** Until when a credit that a cancellation returns can be used. */
  expires_on: textOrNull,
  single_class_id: z.int().nullable(),
})
export type ImportedReservation = z.infer<typeof importedReservation>

const importedNote = whose.extend({
  kind: z.literal('notes'),
  external_ref: textOrNull,
  text: textOrNull,
  tags: z.array(z.string()),
  written_on: textOrNull,
})
export type ImportedNote = z.infer<typeof importedNote>

const importedPurchase = whose.extend({
  kind: z.literal('purchases'),
  external_ref: textOrNull,
  bought_on: z.string(),
  /** As the file calls it. */
  title: z.string(),
  total_centavos: z.int(),
  way: textOrNull,
})
export type ImportedPurchase = z.infer<typeof importedPurchase>

const importedSubscription = whose.extend({
  kind: z.literal('subscriptions'),
  external_ref: textOrNull,
  /** As the file calls it. */
  title: z.string(),
  next_charge_on: z.string(),
  price_centavos: z.int(),
  /** Which subscription of ours it is, as the check found it. */
  class_package_id: z.int().nullable(),
})
export type ImportedSubscription = z.infer<typeof importedSubscription>

export const importedRecord = z.discriminatedUnion('kind', [
  importedCoach,
  importedClass,
  importedReservation,
  importedNote,
  importedPurchase,
  importedSubscription,
])
export type ImportedRecord = z.infer<typeof importedRecord>

export interface ReadRecord {
  record: ImportedRecord | null
  issues: RowIssue[]
  /** Why it is left out although nothing is wrong with it. */
  out?: string
}

type Values = Partial<Record<ImportField, string>>

/** "18:30" of "6:30 PM", "18:30:00" and "2026-12-01 18:30"; null when there is no hour in it. */
export function parseHour(text: string): string | null {
  const found = /(?:^|[\sT])(\d{1,2})(?::(\d{2}))?(?::\d{2})?(?:\.\d+)?\s*(a\.?\s?m\.?|p\.?\s?m\.?|hrs?\.?|h)?\s*(?:Z)?$/i.exec(text.trim())
  if (!found) return null
  const [, hours = '', minutes, mark = ''] = found
  // "19" alone may be anything; "7 PM" and "19 h" are hours.
  if (minutes === undefined && mark === '') return null
  const isAfternoon = /^p/i.test(mark)
  const isTwelve = /^[ap]/i.test(mark)
  let hour = Number(hours)
  if (isTwelve && (hour < 1 || hour > 12)) return null
  if (isTwelve) hour = (hour % 12) + (isAfternoon ? 12 : 0)
  const minute = Number(minutes ?? 0)
  if (hour > 23 || minute > 59) return null
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** Parses the attendance words of other systems: attended or not, or `cancelled` when the reservation was cancelled. Null: unknown word. */
export function parseAttendance(text: string): boolean | null | 'cancelled' {
  const word = normalizeWords(text)
  if (/(cancel|anulad|waitlist|lista de espera)/.test(word)) return 'cancelled'
  if (/^(no show|noshow|no asistio|falto|falta|ausente|absent|missed|no)$/.test(word)) return false
  if (/^(asistio|attended|checked in|check in|signed in|presente|present|completed|completada|si|yes|true|1)$/.test(word)) return true
  return null
}

/** Centavos of "$1,450.00", "MXN 1450" and "1.450,00"; null when it is no amount, or more than a million pesos. */
export function parseAmount(text: string): number | null {
  const bare = text
    .trim()
    .replace(/^(mxn|mx)?\s*\$?\s*/i, '')
    .replace(/\s*(mxn|mx|pesos)$/i, '')
  if (/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare)) return parsePesos(bare.replaceAll(',', ''))
  if (/^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(bare)) return parsePesos(bare.replaceAll('.', '').replace(',', '.'))
  return parsePesos(bare)
}

/** Purchases before it are slips of the pen. */
const FIRST_PURCHASE = '1990-01-01'
const FIRST_BIRTHDATE = '1900-01-01'

const list = (text: string, by: RegExp): string[] => [
  ...new Set(
    text
      .split(by)
      .map((text) => text.trim())
      .filter(Boolean),
  ),
]

interface Base {
  order: DateOrder
  today: string
  isOurs?: boolean
}

/** Parses a row of a file of this kind, with the problems to correct first. */
export function readRecord(kind: Exclude<ImportKind, 'customers'>, values: Values, base: Base): ReadRecord {
  const reader = new RecordReader(values, base)
  if (kind === 'coaches') return reader.coach()
  if (kind === 'classes') return reader.class()
  if (kind === 'reservations') return reader.reservation()
  if (kind === 'notes') return reader.note()
  return kind === 'purchases' ? reader.purchase() : reader.subscription()
}

class RecordReader {
  readonly issues: RowIssue[] = []
  private readonly values: Values
  private readonly base: Base
  constructor(values: Values, base: Base) {
    this.values = values
    this.base = base
  }

  private textOf(field: ImportField): string {
    return withoutPlaceholder(this.values[field])
  }

  private wrong(field: ImportField, message: string, suggestion: string | null = null): null {
    this.issues.push({ field, message, suggestion })
    return null
  }

  private day(field: 'date' | 'expires' | 'next_charge' | 'birthdate'): string | null {
    const text = this.textOf(field)
    return text ? (parseDay(text, this.base.order) ?? this.wrong(field, 'Ese día no existe.')) : null
  }

  /** Day and hour, which may be in one column. */
  private starts(): string | null {
    const day = this.day('date')
    const hour = parseHour(this.textOf('time')) ?? (this.textOf('time') ? null : parseHour(this.textOf('date')))
    if (day === null) return this.textOf('date') ? null : this.wrong('date', 'Falta el día.')
    if (hour === null) return this.wrong('time', this.textOf('time') ? 'No es una hora.' : 'Falta la hora.')
    return `${day}T${hour}`
  }

  /** Names in one cell: as our export divides them, or as other systems do. */
  private names(field: 'instructor' | 'tags', by: RegExp): string[] {
    return list(this.textOf(field), this.base.isOurs ? / \| / : by)
  }

  private number(field: 'minutes' | 'capacity', most: number): number | null {
    const text = this.textOf(field)
    if (text === '') return null
    const found = /^(\d{1,4})(?:[.,]0+)?(?:\s*(?:min\w*|lugares|personas))?$/i.exec(text)
    const value = found ? Number(found[1]) : 0
    return value >= 1 && value <= most ? value : this.wrong(field, `No es un número del 1 al ${most}.`)
  }

  private spot(field: 'spot' | 'guest_spot'): string | null {
    const text = this.textOf(field)
    if (text === '') return null
    return /^[1-9]\d?-[1-9]\d?$/.test(text) ? text : this.wrong(field, 'El lugar se escribe como fila y columna: 2-5.', '')
  }

  private whose(): Whose {
    const together = this.textOf('full_name') || (this.textOf('last_name') ? '' : this.textOf('name'))
    const { name, last_name } = together ? splitName(together) : { name: this.textOf('name'), last_name: this.textOf('last_name') }
    const read = this.textOf('phone') ? parsePhone(this.textOf('phone')) : null
    const phone = read && 'phone' in read ? read.phone : null
    const email = this.textOf('email').toLowerCase() || null
    const customer_ref = this.textOf('customer_ref').slice(0, 100) || null
    if (customer_ref === null && email === null && phone === null)
      this.wrong('customer_ref', 'Hace falta el número, el correo o el teléfono del cliente.')
    return { customer_ref, email, phone, name: `${name} ${last_name}`.trim(), customer_id: null }
  }

  private end<T extends ImportedRecord>(record: () => T): ReadRecord {
    return this.issues.length > 0 ? { record: null, issues: this.issues } : { record: record(), issues: [] }
  }

  private ref = (): string | null => this.textOf('external_ref').slice(0, 100) || null

  coach(): ReadRecord {
    const names = { name: this.textOf('name') || this.textOf('full_name'), last_name: this.textOf('last_name') }
    // A column of whole names may stand beside one of last names. Our own names are whole.
    const { name, last_name } = names.last_name || this.base.isOurs ? names : splitName(names.name)
    if (!name) this.wrong('name', 'Falta el nombre.')
    if (name.length > 120 || last_name.length > 120) this.wrong('name', 'El nombre es demasiado largo.')
    const birthdate = this.day('birthdate')
    if (birthdate !== null && (birthdate > this.base.today || birthdate < FIRST_BIRTHDATE)) this.wrong('birthdate', 'Ese día no puede ser.')
    const instagram = this.textOf('instagram')
    if (!isInstagram(instagram)) this.wrong('instagram', 'Escribe la cuenta, como @estudio.', '')
    // With its lines, which other cells lose.
    const short_bio = this.textOf('short_bio') ? (this.values.short_bio ?? '').replaceAll('\r\n', '\n').trim().slice(0, 4_000) : null
    return this.end(() => ({
      kind: 'coaches' as const,
      external_ref: this.ref(),
      name,
      last_name: last_name || null,
      birthdate,
      short_bio,
      nick_name: this.textOf('nick_name').slice(0, 80) || null,
      instagram: instagram ? instagramHandle(instagram) : null,
      specialties: this.textOf('specialties').slice(0, 400) || null,
      instructor_id: null,
    }))
  }

  class(): ReadRecord {
    const class_type = this.textOf('class_type')
    if (!class_type) this.wrong('class_type', 'Falta el tipo de clase.')
    if (class_type.length > 100) this.wrong('class_type', 'El nombre es demasiado largo.')
    const starts = this.starts()
    const ends = parseHour(this.textOf('ends'))
    let minutes = this.number('minutes', 1440)
    if (minutes === null && ends && starts) {
      const at = (hour: string) => Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3))
      minutes = (at(ends) - at(starts.slice(11)) + 1440) % 1440 || null
    }
    const capacity = this.textOf('capacity') ? this.number('capacity', 1000) : this.wrong('capacity', 'Falta cuántos lugares tiene.')
    const timezone = this.textOf('timezone') || null
    if (timezone !== null && !isZone(timezone)) this.wrong('timezone', 'Esa zona horaria no existe.', '')
    const map = this.textOf('spot_map').replace(/\s/g, '')
    if (map && !/^[1-9]\d?(,[1-9]\d?)*$/.test(map)) this.wrong('spot_map', 'El mapa se escribe como lugares por fila: 5,7,6.', '')
    return this.end(() => ({
      kind: 'classes' as const,
      external_ref: this.ref(),
      class_type,
      instructors: this.names('instructor', /[,;/]|\sy\s/),
      location: this.textOf('location') || null,
      timezone,
      room: this.textOf('room') || null,
      starts: starts ?? '',
      minutes,
      capacity: capacity ?? 0,
      spot_map: map || null,
      single_class_id: null,
    }))
  }

  reservation(): ReadRecord {
    const attend = parseAttendance(this.textOf('status'))
    if (attend === 'cancelled') return { record: null, issues: [], out: 'Está cancelada o en lista de espera.' }
    const whose = this.whose()
    const class_ref = this.textOf('class_ref').slice(0, 100) || null
    const starts = class_ref === null || this.textOf('date') ? this.starts() : null
    const spots = { spot: this.spot('spot'), guest_spot: this.spot('guest_spot') }
    const expires_on = this.day('expires')
    return this.end(() => ({
      kind: 'reservations' as const,
      external_ref: this.ref(),
      ...whose,
      class_ref,
      starts,
      ...spots,
      attend,
      expires_on,
      class_type: this.textOf('class_type') || null,
      location: this.textOf('location') || null,
      guest: this.textOf('guest') || null,
      package: this.textOf('package') || null,
      single_class_id: null,
    }))
  }

  note(): ReadRecord {
    const whose = this.whose()
    // With its lines, which other cells lose.
    const text = this.textOf('note') ? (this.values.note ?? '').replaceAll('\r\n', '\n').trim().slice(0, 2_000) : null
    const tags = this.names('tags', /[,;|]/)
    if (text === null && tags.length === 0) return { record: null, issues: [], out: 'No trae nota ni etiquetas.' }
    const long = tags.find((tag) => tag.length > 40)
    if (long) this.wrong('tags', 'Una etiqueta tiene hasta 40 letras.')
    const written_on = this.day('date')
    return this.end(() => ({ kind: 'notes' as const, external_ref: this.ref(), ...whose, text, tags, written_on }))
  }

  purchase(): ReadRecord {
    const whose = this.whose()
    const bought_on = this.day('date') ?? (this.textOf('date') ? null : this.wrong('date', 'Falta el día.'))
    if (bought_on !== null && bought_on > this.base.today) this.wrong('date', 'Ese día todavía no llega.')
    if (bought_on !== null && bought_on < FIRST_PURCHASE) this.wrong('date', 'Ese día no puede ser.')
    const title = this.textOf('package')
    if (!title) this.wrong('package', 'Falta qué compró.')
    if (title.length > 200) this.wrong('package', 'El nombre es demasiado largo.')
    const amount = this.textOf('amount')
    const total_centavos = parseAmount(amount)
    if (total_centavos === null) this.wrong('amount', amount ? 'No es un monto en pesos.' : 'Falta cuánto pagó.', amount ? null : '0')
    const paymentMethod = this.textOf('way').slice(0, 60) || null
    for (const field of ['package', 'way'] as const)
      if (hasCardNumber(this.textOf(field))) this.wrong(field, 'Trae un número de tarjeta: nunca se importa.', field === 'way' ? '' : null)
    return this.end(() => ({
      kind: 'purchases' as const,
      external_ref: this.ref(),
      ...whose,
      bought_on: bought_on ?? '',
      title,
      total_centavos: total_centavos ?? 0,
      way: paymentMethod,
    }))
  }

  subscription(): ReadRecord {
    const whose = this.whose()
    const next_charge_on =
      this.day('next_charge') ?? (this.textOf('next_charge') ? null : this.wrong('next_charge', 'Falta cuándo se cobra.'))
    if (next_charge_on !== null && next_charge_on < this.base.today) this.wrong('next_charge', 'Ese día ya pasó.')
    const title = this.textOf('package')
    if (!title) this.wrong('package', 'Falta qué suscripción es.')
    const amount = this.textOf('amount')
    const price_centavos = parseAmount(amount)
    if (!price_centavos) this.wrong('amount', amount ? 'No es un monto en pesos.' : 'Falta cuánto se cobra.')
    return this.end(() => ({
      kind: 'subscriptions' as const,
      external_ref: this.ref(),
      ...whose,
      title: title.slice(0, 200),
      next_charge_on: next_charge_on ?? '',
      price_centavos: price_centavos ?? 0,
      class_package_id: null,
    }))
  }
}

/** What identifies a class at its source. */
const classRef = ({ external_ref, class_type, starts, location }: ImportedClass): string =>
  external_ref ? `class ${external_ref}` : `class ${normalizeWords(class_type)} ${starts} ${normalizeWords(location ?? '')}`.trim()

/** The name of a coach, as it is compared. */
export const normalizedCoachName = ({ name, last_name }: { name: string; last_name: string | null }): string =>
  normalizeWords(`${name} ${last_name ?? ''}`)

/** What identifies anything at its source; the customer and the class are already known. */
export function recordRef(record: ImportedRecord): string {
  if (record.kind === 'classes') return classRef(record)
  if (record.kind === 'coaches') return record.external_ref ? `coach ${record.external_ref}` : `coach ${normalizedCoachName(record)}`
  const { external_ref, customer_id } = record
  if (record.kind === 'reservations')
    return external_ref ? `reservation ${external_ref}` : `reservation ${customer_id} in ${record.single_class_id}`
  if (record.kind === 'subscriptions')
    return external_ref ? `subscription ${external_ref}` : `subscription ${customer_id} ${record.class_package_id}`
  if (record.kind === 'purchases')
    return external_ref
      ? `purchase ${external_ref}`
      : `purchase ${customer_id} ${record.bought_on} ${record.total_centavos} ${normalizeWords(record.title)}`
  return external_ref
    ? `note ${external_ref}`
    : `note ${customer_id} ${record.written_on ?? ''} ${normalizeWords(record.text ?? record.tags.join(' ')).slice(0, 200)}`
}

/** A record in a few words, for the screen. */
export function recordTitle(record: ImportedRecord): string {
  if (record.kind === 'classes') return record.class_type
  if (record.kind === 'coaches') return `${record.name} ${record.last_name ?? ''}`.trim()
  return record.name || record.email || record.phone || `Cliente ${record.customer_ref}`
}

const hourText = (starts: string) => starts.replace('T', ' ')

/** Further facts of a record for the list. */
export function recordFacts(record: ImportedRecord): string[] {
  const facts: (string | null)[] =
    record.kind === 'coaches'
      ? [record.nick_name, record.birthdate, record.instagram && `@${record.instagram}`, record.specialties, record.short_bio]
      : record.kind === 'classes'
        ? [
            hourText(record.starts),
            record.minutes === null ? null : `${record.minutes} min`,
            record.instructors.join(', '),
            record.location,
            record.room,
            record.capacity === 1 ? '1 lugar' : `${record.capacity} lugares`,
          ]
        : record.kind === 'reservations'
          ? [
              record.class_type,
              record.starts && hourText(record.starts),
              record.spot && `Lugar ${record.spot}`,
              record.guest && `Invitado: ${record.guest}`,
              record.attend === null ? null : record.attend ? 'Asistió' : 'No asistió',
            ]
          : record.kind === 'purchases'
            ? [record.bought_on, record.title, formatMoney(record.total_centavos), record.way]
            : record.kind === 'subscriptions'
              ? [record.title, formatMoney(record.price_centavos), `Próximo cobro ${record.next_charge_on}`]
              : [record.text, record.tags.join(', ')]
  return facts.filter((fact): fact is string => Boolean(fact))
}
