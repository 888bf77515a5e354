/**
 * The plain lists of the catalogue as the administration edits them: their fields, columns, words and calls. One screen draws all of them.
 */
import type { ComponentType } from 'react'
import type { UseCount } from '#contract/errors.ts'
import { formatPhone } from '#contract/phone.ts'
import { spotRows } from '#contract/spots.ts'
import type { CellValue } from '#web/features/admin/table/row-order.ts'
import { api, queries } from '#web/lib/api.ts'
import type { CallContext } from '#web/lib/client.ts'
import { CoachLink } from './coach-link.tsx'

/** The value of a field in the form: text, or a switch. */
export type FieldValue = string | boolean
export type RecordValues = Readonly<Record<string, FieldValue>>
/** A record on the wire. */
export type CatalogueRecord = Readonly<Record<string, unknown>>

export interface ListField {
  key: string
  label: string
  kind:
    | 'text'
    | 'long'
    | 'number'
    | 'money'
    | 'date'
    | 'switch'
    | 'select'
    | 'picture'
    | 'colour'
    | 'packages'
    | 'segment'
    | 'types'
    | 'steps'
    | 'percent'
  hint?: string
  required?: boolean
  max?: number
  options?: readonly { value: string; label: string }[]
  /** sent as a number; numbers and percentages always are */
  isNumber?: boolean
  /** a picture that is sent as `{ src }` */
  isObject?: boolean
  /** only in the form of a new record: later it is changed elsewhere */
  onlyNew?: boolean
  /** the value of a new record; '' or false otherwise */
  initial?: FieldValue
}

export interface CatalogueList {
  /** last part of its address */
  slug: string
  title: string
  /** "Nuevo tipo de clase", "Tipo de clase" */
  add: string
  one: string
  /** within a sentence: "este tipo de clase" */
  thisOne: string
  /** what it is for, when there is none */
  empty: string
  idKey: string
  fields: readonly ListField[]
  /** the name of a row; by default `name` and `last_name` */
  recordName?: (row: CatalogueRecord) => string
  /** acts on a record beside its fields */
  verbs?: (row: CatalogueRecord) => readonly { label: string; call: () => Promise<unknown>; done: string }[]
  /** a search by name, and the text when nothing matches */
  search?: { label: string; nothing: string }
  /** what a list without an order of its own can be sorted by: the name in the address, the words, the value, numbers downwards first */
  sorts?: readonly { by: string; header: string; value: (row: CatalogueRecord) => CellValue; first?: 'down' }[]
  /** shown under the fields of a record */
  details?: ComponentType<{ row: CatalogueRecord }>
  /** second line of a row */
  about: (row: CatalogueRecord) => string
  /** query options of the whole list, and its rows */
  query: () => { queryKey: readonly unknown[]; queryFn?: unknown }
  rowsOf: (answer: unknown) => readonly CatalogueRecord[]
  /** `how` has the idempotency key of the new record */
  create: (fields: CatalogueRecord, how?: { context: CallContext }) => Promise<unknown>
  update: (fields: CatalogueRecord) => Promise<unknown>
  /** null: a record is archived by a verb instead */
  remove: ((id: number) => Promise<unknown>) | null
  /** what a copy takes along beside the fields, as a switch that can be turned off; null: this record has nothing of it */
  copied?: (row: CatalogueRecord) => { label: string; hint: string; sent: CatalogueRecord } | null
  /** archiving, order and uses, where the list has them */
  arranged?: {
    archive: (id: number, archived: boolean) => Promise<unknown>
    order: (ids: number[]) => Promise<unknown>
    uses: (id: number) => Promise<{ uses: readonly UseCount[] }>
    /** rows with different values of this field are listed under their own heading, and ordered apart */
    groupBy?: string
    /** that heading; without it `about` is, and the rows have none */
    groupName?: (row: CatalogueRecord) => string
  }
  /** the confirmations of the specification where it has them */
  saved: string
  removed: string
}

const { admin } = queries.catalogue
export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
/** The facts of a record in one line; a condition that does not hold leaves its fact out. */
export const joinFacts = (...parts: unknown[]): string =>
  parts
    .map((part) => (part === false ? '' : text(part)))
    .filter(Boolean)
    .join(' · ')

/** "5,7,6" as people say it: "18 lugares en 3 filas". */
export function mapText(map: string): string | null {
  const rows = spotRows(map)
  if (!rows) return null
  const spots = rows.reduce((sum, size) => sum + size, 0)
  return `${spots === 1 ? '1 lugar' : `${spots} lugares`} en ${rows.length === 1 ? '1 fila' : `${rows.length} filas`}`
}

/**
 * The calls of one list. A form's values are text, so the type of the input cannot be checked here; the server validates it with the
 * contract. That is the reason for the one cast in this file.
 */
export function apiCalls<Create, Update>(calls: {
  create: (input: Create, how?: { context: CallContext }) => Promise<unknown>
  update: (input: Update) => Promise<unknown>
  remove: (id: number) => Promise<unknown>
}): Pick<CatalogueList, 'create' | 'update' | 'remove'> {
  return { ...calls, create: (fields, how) => calls.create(fields as Create, how), update: (fields) => calls.update(fields as Update) }
}

const { arranged } = api.catalogue.admin

const NAME: ListField = { key: 'name', label: 'Nombre', kind: 'text', required: true, max: 120 }

export const CATALOGUE_LISTS: readonly CatalogueList[] = [
  {
    slug: 'tipos',
    title: 'Tipos de clase',
    add: 'Nuevo tipo de clase',
    one: 'Tipo de clase',
    thisOne: 'este tipo de clase',
    idKey: 'class_type_id',
    empty: 'Aquí van las clases que das: Ciclo, Reformer, Yoga.',
    fields: [
      NAME,
      { key: 'description', label: 'Descripción', kind: 'long', max: 4000 },
      { key: 'duration_minutes', label: 'Duración en minutos', kind: 'number', required: true, initial: '60' },
      {
        key: 'intensity',
        label: 'Intensidad',
        kind: 'select',
        isNumber: true,
        options: ['1', '2', '3', '4', '5'].map((value) => ({ value, label: `${value} de 5` })),
      },
      { key: 'spot_map', label: 'Lugares por fila', kind: 'text', max: 120, hint: 'Por ejemplo 5,7,6. Vacío: sin mapa.' },
      { key: 'price', label: 'Precio suelto', kind: 'money', hint: 'Lo que cuesta un lugar en recepción. Vacío: el de Ajustes.' },
      { key: 'image', label: 'Imagen', kind: 'picture' },
      { key: 'color', label: 'Color en el horario', kind: 'colour', hint: 'Distingue sus clases en el horario del equipo.' },
    ],
    about: (row) =>
      joinFacts(`${text(row.duration_minutes)} min`, row.spot_map && mapText(text(row.spot_map)), row.price && `$${text(row.price)}`),
    query: () => admin.classTypes.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { class_types: CatalogueRecord[] }).class_types,
    ...apiCalls({
      create: api.catalogue.admin.classTypes.create,
      update: api.catalogue.admin.classTypes.update,
      remove: (class_type_id) => api.catalogue.admin.classTypes.remove({ class_type_id }),
    }),
    arranged: {
      archive: (class_type_id, archived) => api.catalogue.admin.classTypes.update({ class_type_id, archived }),
      order: (ids) => arranged.classTypes.order({ ids }),
      uses: (class_type_id) => arranged.classTypes.uses({ class_type_id }),
    },
    saved: 'Guardado.',
    removed: 'Eliminado.',
  },
  {
    slug: 'coaches',
    title: 'Coaches',
    add: 'Nuevo coach',
    one: 'Coach',
    thisOne: 'este coach',
    idKey: 'instructor_id',
    empty: 'Aquí van las personas que dan clases.',
    fields: [
      NAME,
      { key: 'last_name', label: 'Apellidos', kind: 'text', max: 120 },
      { key: 'nick_name', label: 'Cómo le dicen', kind: 'text', max: 80 },
      { key: 'photo', label: 'Foto', kind: 'picture' },
      { key: 'quote', label: 'Frase', kind: 'text', max: 300 },
      { key: 'short_bio', label: 'Quién es', kind: 'long', max: 4000 },
      { key: 'specialties', label: 'Especialidades', kind: 'text', max: 400 },
      { key: 'class_type_ids', label: 'Qué puede dar', kind: 'types', hint: 'Ninguna elegida: todas. El horario avisa si da otra.' },
      { key: 'music_type', label: 'Música', kind: 'text', max: 200 },
      { key: 'instagram', label: 'Instagram', kind: 'text', max: 80, hint: 'Como @estudio.' },
      { key: 'birthdate', label: 'Cumpleaños', kind: 'date', hint: 'En el sitio solo se ven el día y el mes.' },
      { key: 'is_home', label: 'En la portada', kind: 'switch', initial: true },
    ],
    details: CoachLink,
    about: (row) => joinFacts(row.nick_name, row.specialties, row.is_home && 'En la portada'),
    query: () => admin.instructors.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { instructors: CatalogueRecord[] }).instructors,
    ...apiCalls({
      create: api.catalogue.admin.instructors.create,
      update: api.catalogue.admin.instructors.update,
      remove: (instructor_id) => api.catalogue.admin.instructors.remove({ instructor_id }),
    }),
    arranged: {
      archive: (instructor_id, archived) => api.catalogue.admin.instructors.update({ instructor_id, archived }),
      order: (ids) => arranged.instructors.order({ ids }),
      uses: (instructor_id) => arranged.instructors.uses({ instructor_id }),
    },
    saved: 'Guardado.',
    removed: 'Eliminado.',
  },
  {
    slug: 'estudios',
    title: 'Estudios',
    add: 'Nuevo estudio',
    one: 'Estudio',
    thisOne: 'este estudio',
    idKey: 'location_id',
    empty: 'Aquí van tus estudios, cada uno con su dirección y su horario.',
    fields: [
      NAME,
      { key: 'address', label: 'Dirección', kind: 'long', max: 400 },
      { key: 'phone', label: 'Teléfono', kind: 'text', max: 10, hint: 'Diez dígitos.' },
      {
        key: 'hours',
        label: 'Horario de atención',
        kind: 'long',
        max: 600,
        hint: 'Una línea por horario: Lunes a viernes de 6:30 a 21:30.',
      },
      { key: 'map_link', label: 'Enlace del mapa', kind: 'text', max: 2000 },
      {
        key: 'postal_code',
        label: 'Código postal',
        kind: 'text',
        max: 5,
        hint: 'Lugar de expedición de sus facturas. Vacío: el fiscal del estudio.',
      },
      {
        key: 'tax_rate',
        label: 'IVA',
        kind: 'select' as const,
        isNumber: true,
        hint: 'De lo que se cobra aquí. Sin elegir: el de Ajustes. El de un paquete va antes.',
        options: ['16', '8', '0'].map((value) => ({ value, label: `${value} %` })),
      },
      {
        key: 'timezone',
        label: 'Zona horaria',
        kind: 'select',
        hint: 'Vacío: la del estudio.',
        options: [
          'America/Mexico_City',
          'America/Cancun',
          'America/Hermosillo',
          'America/Mazatlan',
          'America/Chihuahua',
          'America/Tijuana',
          'America/Monterrey',
          'America/Merida',
          'America/Bahia_Banderas',
          'America/Ciudad_Juarez',
          'America/Ojinaga',
          'America/Matamoros',
        ].map((value) => ({ value, label: value.slice(8).replaceAll('_', ' ') })),
      },
    ],
    about: (row) => joinFacts(row.address, row.phone && formatPhone(text(row.phone))),
    query: () => admin.locations.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { locations: CatalogueRecord[] }).locations,
    ...apiCalls({
      create: api.catalogue.admin.locations.create,
      update: api.catalogue.admin.locations.update,
      remove: (location_id) => api.catalogue.admin.locations.remove({ location_id }),
    }),
    arranged: {
      archive: (location_id, archived) => api.catalogue.admin.locations.update({ location_id, archived }),
      order: (ids) => arranged.locations.order({ ids }),
      uses: (location_id) => arranged.locations.uses({ location_id }),
    },
    saved: 'Guardado.',
    removed: 'Eliminado.',
  },
  {
    slug: 'categorias',
    title: 'Categorías',
    add: 'Nueva categoría',
    one: 'Categoría',
    thisOne: 'esta categoría',
    idKey: 'class_category_id',
    empty: 'Con categorías agrupas tus clases.',
    fields: [
      NAME,
      { key: 'description', label: 'Descripción', kind: 'long', max: 2000 },
      { key: 'available', label: 'Se muestra', kind: 'switch', initial: true },
    ],
    about: (row) => joinFacts(row.description, row.available === false && 'No se muestra'),
    query: () => admin.classCategories.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { class_categories: CatalogueRecord[] }).class_categories,
    ...apiCalls({
      create: api.catalogue.admin.classCategories.create,
      update: api.catalogue.admin.classCategories.update,
      remove: (class_category_id) => api.catalogue.admin.classCategories.remove({ class_category_id }),
    }),
    arranged: {
      archive: (class_category_id, archived) => api.catalogue.admin.classCategories.update({ class_category_id, archived }),
      order: (ids) => arranged.classCategories.order({ ids }),
      uses: (class_category_id) => arranged.classCategories.uses({ class_category_id }),
    },
    saved: 'Guardado.',
    removed: 'Eliminado.',
  },
  {
    slug: 'etiquetas',
    title: 'Etiquetas',
    add: 'Nueva etiqueta',
    one: 'Etiqueta',
    thisOne: 'esta etiqueta',
    idKey: 'tag_id',
    empty: 'Con etiquetas señalas clases, videos y clientes.',
    fields: [
      { ...NAME, max: 60 },
      {
        key: 'type',
        label: 'De qué',
        kind: 'select',
        required: true,
        initial: 'class',
        options: [
          { value: 'class', label: 'Clases' },
          { value: 'video', label: 'Videos' },
          { value: 'customer', label: 'Clientes' },
        ],
      },
      { key: 'color', label: 'Color', kind: 'colour' },
    ],
    about: (row) => ({ class: 'Clases', video: 'Videos', customer: 'Clientes' })[text(row.type)] ?? text(row.type),
    query: () => admin.tags.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { tags: CatalogueRecord[] }).tags,
    ...apiCalls({
      create: api.catalogue.admin.tags.create,
      update: api.catalogue.admin.tags.update,
      remove: (tag_id) => api.catalogue.admin.tags.remove({ tag_id }),
    }),
    arranged: {
      archive: (tag_id, archived) => api.catalogue.admin.tags.update({ tag_id, archived }),
      order: (ids) => arranged.tags.order({ ids }),
      uses: (tag_id) => arranged.tags.uses({ tag_id }),
      groupBy: 'type',
    },
    saved: 'Tag saved.',
    removed: 'Tag deleted.',
  },
  {
    slug: 'formas-de-pago',
    title: 'Formas de pago',
    add: 'Nueva forma de pago',
    one: 'Forma de pago',
    thisOne: 'esta forma de pago',
    idKey: 'payment_method_id',
    empty: 'Aquí van las formas en que recibes dinero en recepción.',
    fields: [
      NAME,
      { key: 'description', label: 'Descripción', kind: 'long', max: 1000 },
      {
        key: 'kind',
        label: 'Cómo llega el dinero',
        kind: 'select',
        hint: 'Una transferencia espera a que alguien la vea en el banco.',
        options: [
          { value: 'terminal', label: 'Terminal bancaria' },
          { value: 'transfer', label: 'Transferencia' },
          { value: 'cash', label: 'Efectivo' },
          { value: 'other', label: 'Otra' },
        ],
      },
      { key: 'archived', label: 'Archivada', kind: 'switch', hint: 'Ya no se ofrece; los pagos anteriores conservan su nombre.' },
    ],
    about: (row) => joinFacts(row.description, row.archived && 'Archivada'),
    query: () => admin.paymentMethods.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { payment_methods: CatalogueRecord[] }).payment_methods,
    ...apiCalls({
      create: api.catalogue.admin.paymentMethods.create,
      update: api.catalogue.admin.paymentMethods.update,
      remove: (payment_method_id) => api.catalogue.admin.paymentMethods.remove({ payment_method_id }),
    }),
    saved: 'payment_method saved.',
    removed: 'payment_method deleted.',
  },
]

/** What a record is called. */
export const recordName = (list: CatalogueList, row: CatalogueRecord): string =>
  list.recordName?.(row) ?? [row.name, row.last_name].map(text).filter(Boolean).join(' ')

/** A list by the last part of its address. Throws for one that does not exist. */
export function getCatalogueList(slug: string): CatalogueList {
  const list = CATALOGUE_LISTS.find((catalogueList) => catalogueList.slug === slug)
  if (!list) throw new Error(`The catalogue has no list ${slug}.`)
  return list
}

/** The form of a record; of a new one without `row`. */
export function toFormValues(list: CatalogueList, row: CatalogueRecord | null): RecordValues {
  return Object.fromEntries(
    list.fields.map((field) => {
      if (!row) return [field.key, field.initial ?? (field.kind === 'switch' ? false : '')]
      const value = row[field.key]
      if (field.kind === 'switch') return [field.key, value === true]
      if (field.kind === 'steps') return [field.key, stepsText(value)]
      const picture = field.kind === 'picture' && value && typeof value === 'object' && 'src' in value ? value.src : value
      return [field.key, text(picture)]
    }),
  )
}

/** Steps as the form holds them: "10=300.00;20=400.00". */
const stepsText = (value: unknown): string =>
  ((value as { from: number; amount: string }[] | undefined) ?? []).map(({ from, amount }) => `${from}=${amount}`).join(';')
const stepsOf = (typed: string) =>
  (typed === '' ? [] : typed.split(';')).map((step) => {
    const [from = '', amount = ''] = step.split('=')
    return { from: Number(from), amount }
  })

/** The value that is sent for what a field holds; undefined: it is left out. */
function sentValue(
  { key, kind, isObject, isNumber = kind === 'number' || kind === 'percent' || kind === 'segment' }: ListField,
  value: FieldValue,
): unknown {
  if (typeof value === 'boolean') return value
  const typed = value.trim()
  if (kind === 'steps') return stepsOf(typed)
  if (kind === 'packages' || kind === 'types') return typed === '' ? null : typed.split(',').map(Number)
  // The contract stores these fields as an empty text.
  if (typed === '') return EMPTY_TEXTS.has(key) ? '' : null
  if (isObject) return { src: typed }
  return isNumber ? Number(typed) : typed
}

const EMPTY_TEXTS: ReadonlySet<string> = new Set(['description', 'short_description', 'address', 'last_name'])

/** What is sent for the fields that differ; all that are not empty for a new record. */
export function diffRecord(list: CatalogueList, before: RecordValues | null, after: RecordValues): CatalogueRecord {
  const differs = ({ key }: ListField) => (before ? before[key] !== after[key] : after[key] !== '')
  return Object.fromEntries(list.fields.filter(differs).map((field) => [field.key, sentValue(field, after[field.key] ?? '')]))
}

/** The version that a change was made from, as it is sent. */
export const lockFields = (record: CatalogueRecord | null): { if_updatedAt?: string } =>
  typeof record?.updatedAt === 'string' ? { if_updatedAt: record.updatedAt } : {}

/** The name of a copy: "Barre (copia)", and "(copia 2)" when there is one. */
export function copyName(name: string, takenNames: readonly string[]): string {
  const bare = name.replace(/ \(copia(?: \d+)?\)$/, '')
  const nth = (n: number) => `${bare} (copia${n === 1 ? '' : ` ${n}`})`
  let n = 1
  while (takenNames.includes(nth(n))) n++
  return nth(n)
}

/** What is wrong, by field; the server checks the rest. */
export function validate(list: CatalogueList, values: RecordValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.fields.flatMap(({ key, kind, required }) => {
      const value = values[key]
      if (typeof value !== 'string') return []
      const typed = value.trim()
      if (required && typed === '') return [[key, 'Debes llenar este campo.']]
      if (kind === 'number' && typed !== '' && !/^-?\d{1,6}$/.test(typed)) return [[key, 'Escribe un número entero.']]
      if (kind === 'percent' && !/^\d{1,3}(\.\d{1,2})?$/.test(typed)) return [[key, 'Escribe un por ciento, como 40.']]
      if (kind === 'steps' && stepsOf(typed).some(({ from, amount }) => !/^\d{1,4}$/.test(String(from)) || from < 1 || amount === ''))
        return [[key, 'Escribe desde cuántas personas y cuánto se paga.']]
      if (kind === 'money' && typed !== '' && !/^\d{1,6}(\.\d{1,2})?$/.test(typed)) return [[key, 'Escribe un precio, como 220 o 220.50.']]
      return []
    }),
  )
}
