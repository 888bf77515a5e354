/** Texts and steps of the import's screen. Pure. */
import {
  COMPARED_FIELDS,
  type ComparedField,
  type ImportKind,
  type ImportRow,
  type ImportRowState,
  type ImportView,
  importDates,
  importFields,
} from '#contract/imports.ts'
import { formatPesos } from '#contract/money.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatWall } from '#contract/time.ts'

export const STEPS = [
  ['archivo', 'Archivo'],
  ['columnas', 'Columnas'],
  ['valores', 'Valores'],
  ['revision', 'Revisión'],
  ['importar', 'Importar'],
] as const
export type Step = (typeof STEPS)[number][0]

export const FILE_TITLE: Readonly<Record<ImportKind, string>> = {
  customers: 'Sube el archivo de tus clientes',
  coaches: 'Sube el archivo de tus coaches',
  classes: 'Sube el archivo de tu horario',
  reservations: 'Sube el archivo de tus reservaciones',
  notes: 'Sube el archivo de tus notas',
  purchases: 'Sube el archivo de las compras',
  subscriptions: 'Sube el archivo de tus suscripciones',
}

/** Requirements of a file of each kind, and the imports that must precede it. */
export const KIND_HELP: Readonly<Record<ImportKind, string>> = {
  customers: 'Un renglón por persona, con su correo o teléfono; si trae paquete, clases por usar y vencimiento, se dan.',
  coaches:
    'Un renglón por coach: nombre, y si los trae, apodo, fecha de nacimiento, Instagram, biografía y especialidades. Nadie recibe invitación: eso se hace en Equipo.',
  classes: 'Un renglón por clase: tipo, fecha, hora, coach y lugares. También las que ya pasaron, para conservar tu historia.',
  reservations: 'Un renglón por lugar: de quién es y en qué clase. Importa antes a tus clientes y tu horario.',
  notes: 'Un renglón por nota, con el número, correo o teléfono del cliente. Importa antes a tus clientes.',
  purchases:
    'Un renglón por compra: de quién, día, paquete, monto y forma de pago. Queda como historia en su ficha, fuera de caja y reportes.',
  subscriptions:
    'Un renglón por suscripción: de quién, paquete, próximo cobro y precio. No se cobra nada: cada quien pone su tarjeta con un enlace.',
}

const NAMES: Readonly<Record<ImportKind, readonly [one: string, many: string]>> = {
  customers: ['persona', 'personas'],
  coaches: ['coach', 'coaches'],
  classes: ['clase', 'clases'],
  reservations: ['reservación', 'reservaciones'],
  notes: ['nota', 'notas'],
  purchases: ['compra', 'compras'],
  subscriptions: ['suscripción', 'suscripciones'],
}

/** "2 personas", "1 clase": what the rows of an import are. */
export const recordsText = (kind: ImportKind, n: number): string => `${n.toLocaleString('es-MX')} ${NAMES[kind][n === 1 ? 0 : 1]}`

/** What an import did. */
export function doneText(kind: ImportKind, n: number): string {
  const noun = kind === 'customers' ? (n === 1 ? 'cliente' : 'clientes') : NAMES[kind][n === 1 ? 0 : 1]
  return `${n === 1 ? 'Se importó' : 'Se importaron'} ${n.toLocaleString('es-MX')} ${noun}.`
}

export const STATE_NAMES: Readonly<Record<ImportRowState, string>> = {
  new: 'Nuevos',
  update: 'Se actualizan',
  same: 'Sin cambios',
  duplicate: 'Duplicados',
  error: 'Con error',
  skipped: 'Omitidos',
  done: 'Importados',
  failed: 'No se pudieron',
  undone: 'Deshechos',
  stayed: 'Se quedaron',
}

/** The same of one row. */
export const ROW_STATES: Readonly<Record<ImportRowState, string>> = {
  ...STATE_NAMES,
  new: 'Nuevo',
  update: 'Se actualiza',
  duplicate: 'Duplicado',
  skipped: 'Omitido',
  done: 'Importado',
  failed: 'No se pudo',
  undone: 'Deshecho',
  stayed: 'Se quedó',
}

/** What a row is after somebody corrected it or decided about it. */
export function fixedText({ state, decision }: Pick<ImportRow, 'state' | 'decision'>): string {
  if (state === 'skipped') return 'Omitido.'
  const verb = decision === 'merge' ? 'Combinado' : decision === 'new' ? 'Es otra persona' : 'Corregido'
  if (state === 'new') return `${verb}, ahora es nuevo.`
  if (state === 'update') return `${verb}, ahora se actualiza.`
  if (state === 'same') return `${verb}, ya está igual.`
  return `${verb}.`
}

export interface ColumnState {
  tone: 'ok' | 'ask' | 'none'
  text: string
}

const many = (n: number, singular: string, all: string): string => (n === 1 ? singular : all.replace('%', n.toLocaleString('es-MX')))

/** Estado of a column: what is known, asked or left out about it. */
export function columnState({ field, locked, empty, samples }: ImportView['columns'][number], view: ImportView): ColumnState {
  if (locked) return { tone: 'none', text: 'Nunca se importa' }
  if (field === null) return { tone: 'none', text: 'No se importa si sigues' }
  if (importDates.has(field) && view.date_question) return { tone: 'ask', text: '¿Qué va primero?' }
  const ok = (text: string): ColumnState => ({ tone: 'ok', text })
  if (field === 'phone' && samples.some((sample) => sample.replace(/\D/g, '').length > 10)) return ok('Se quitan 01, 044, 045, 52 y 521')
  if (field === 'email' && empty > 0) return ok(many(empty, '1 sin correo', '% sin correo'))
  if (field === 'phone' && empty > 0) return ok(many(empty, '1 sin teléfono', '% sin teléfono'))
  if (field === 'package' && view.packages.length > 0)
    return ok(many(view.packages.length, '1 nombre, sigue en Valores', '% nombres, siguen en Valores'))
  if (field === 'credits') return ok(`Suman ${view.credits.toLocaleString('es-MX')}`)
  if (field === 'promotions_on' || field === 'whatsapp_on') return ok('Sin fecha no hay permiso')
  if (field === 'external_ref') return ok('Evita duplicar si repites')
  return ok('Reconocida')
}

/** "12 de 13 columnas listas" */
export function columnsText(view: ImportView): string {
  const ready = view.columns.filter((column) => columnState(column, view).tone === 'ok').length
  return `${ready} de ${view.columns.length === 1 ? '1 columna lista' : `${view.columns.length} columnas listas`}`
}

/** "A" to "Z", "AA": the columns of a sheet. */
export const sheetColumn = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : sheetColumn(Math.floor(index / 26) - 1) + sheetColumn(index % 26)

/** "03 abr 1994" of "1994-04-03". */
export const dayText = (day: string): string => formatWall(`${day}T00:00:00Z`, 'date')

/** "4 clases de Diez"; empty: none. */
export function creditsText({ credits, package: name }: Pick<NonNullable<ImportRow['person']>, 'credits' | 'package'>): string {
  if (credits === 0) return ''
  return `${credits === -1 ? 'Clases ilimitadas' : classesText(credits)}${name ? ` de ${name}` : ''}`
}

/** "12 visitas, la última el 3 mar 2026"; empty: none. */
export const visitsText = ({ visits, last_visit }: Pick<NonNullable<ImportRow['person']>, 'visits' | 'last_visit'>): string =>
  visits === 0 ? '' : `${visits === 1 ? '1 visita' : `${visits} visitas`}${last_visit ? `, la última el ${dayText(last_visit)}` : ''}`

/** "Promociones desde 03 abr 2025". */
export const consentTexts = ({
  promotions_on,
  whatsapp_on,
}: Pick<NonNullable<ImportRow['person']>, 'promotions_on' | 'whatsapp_on'>): string[] => [
  ...(promotions_on ? [`Promociones desde ${dayText(promotions_on)}`] : []),
  ...(whatsapp_on ? [`WhatsApp desde ${dayText(whatsapp_on)}`] : []),
]

export const COMPARED_NAMES: Readonly<Record<ComparedField, string>> = { email: 'Correo', phone: 'Teléfono', birthdate: 'Nació' }

export const comparedText = (field: ComparedField, value: string): string =>
  field === 'phone' ? formatPhone(value) : field === 'birthdate' ? dayText(value) : value

export interface Compared {
  field: ComparedField
  ours: string | null
  file: string | null
  /** Which one stays. */
  stays: 'ours' | 'file'
  /** Why the value of the file cannot stay; null: it can. */
  why: string | null
}

/** What a row and its customer know of the same person; nothing where neither knows anything. */
export function comparedValues({ match, person, choices }: Pick<ImportRow, 'match' | 'person' | 'choices'>): Compared[] {
  const ours = match?.ours
  if (!ours || !person) return []
  return COMPARED_FIELDS.flatMap((field) => {
    const [here, there] = [ours[field], person[field]]
    if (here === null && there === null) return []
    const why =
      there === null || there === here
        ? null
        : field === 'email' && ours.has_account
          ? 'Entra con su correo: lo cambia desde su cuenta.'
          : ours.taken.includes(field)
            ? 'Ya es de otra persona.'
            : null
    const chosen = choices[field] ?? (here === null ? 'file' : 'ours')
    return [{ field, ours: here, file: there, stays: there === null || why ? 'ours' : chosen, why }]
  })
}

/** Whether somebody has to look: two values for the same thing. */
export const isContested = ({ ours, file }: Compared): boolean => ours !== null && file !== null && ours !== file

/** The step of an import; a requested step counts while it can be shown. */
export function currentStep(view: ImportView, wanted: string | null): Step {
  if (view.state !== 'draft') return 'importar'
  if (view.file_name === null) return 'archivo'
  const known = STEPS.find(([key]) => key === wanted)?.[0] ?? 'columnas'
  return known === 'importar' ? 'revision' : known
}

/** Whose row it is, or what it is about. */
export const personName = ({ person, title, values }: ImportRow): string =>
  title ||
  (person ? `${person.name} ${person.last_name}` : `${values.full_name ?? values.name ?? ''} ${values.last_name ?? ''}`).trim() ||
  values.class_type ||
  values.email ||
  'Sin nombre'

export const fieldLabel = (field: string): string =>
  Object.hasOwn(importFields, field) ? importFields[field as keyof typeof importFields] : field

const classesText = (n: number): string => (n === 1 ? '1 clase' : `${n.toLocaleString('es-MX')} clases`)

/** "2 personas y 4 clases listas", "12 reservaciones listas". */
export const readyText = ({ kind, people, credits, value }: Pick<ImportView, 'kind' | 'people' | 'credits' | 'value'>): string =>
  `${recordsText(kind, people)}${kind === 'customers' ? ` y ${classesText(credits)}${Number(value) > 0 ? ` (${formatPesos(value)} a tus precios)` : ''}` : ''} ${kind === 'coaches' ? (people === 1 ? 'listo' : 'listos') : people === 1 && kind !== 'customers' ? 'lista' : 'listas'}`

const names = (fields: ImportRow['adds']): string => fields.map((field) => importFields[field].toLowerCase()).join(', ')

/** "Se completa: teléfono, clases por usar. Cambia: correo." */
export function addsText(row: Pick<ImportRow, 'adds' | 'match' | 'person' | 'choices'>): string {
  const contested = new Set<string>(comparedValues(row).flatMap((comparedValue) => (isContested(comparedValue) ? comparedValue.field : [])))
  const [changed, added] = [row.adds.filter((field) => contested.has(field)), row.adds.filter((field) => !contested.has(field))]
  return [added.length > 0 && `Se completa: ${names(added)}.`, changed.length > 0 && `Cambia: ${names(changed)}.`].filter(Boolean).join(' ')
}

/** What is done with a row and all others that wait for the same. */
export function alikeText(
  use: 'suggestion' | 'merge' | 'new',
  { alike, issues, match }: Pick<ImportRow, 'alike' | 'issues' | 'match'>,
): string {
  const all = (alike + 1).toLocaleString('es-MX')
  if (use === 'suggestion') return issues[0]?.suggestion === '' ? `Dejar vacíos los ${all}` : `Corregir los ${all}`
  const where = match?.row == null ? `con ${match?.why.toLowerCase() ?? ''}` : 'repetidos en el archivo'
  return use === 'merge' ? `Combinar los ${all} ${where}` : `Los ${all} ${where} son otras personas`
}

/** "Faltan 21 · 1 resuelto": what is left of a list, and what was answered in it. */
export const fixedCount = (left: number, fixed: number): string =>
  `${left === 1 ? 'Falta 1' : `Faltan ${left.toLocaleString('es-MX')}`} · ${fixed === 1 ? '1 resuelto' : `${fixed} resueltos`}`

/** How many rows stay out of an import if it is run as it is. */
export const leftOut = ({ counts }: ImportView): number => (counts.error ?? 0) + (counts.duplicate ?? 0)

/** "Invitar a 2,914 personas a crear su contraseña" */
export const inviteText = (people: number): string =>
  `Invitar a ${people === 1 ? '1 persona' : `${people.toLocaleString('es-MX')} personas`} a crear su contraseña`

/** Who works at some locations only. */
export const IMPORT_EVERYWHERE = 'Importar cambia lo de todos los estudios, y tú trabajas solo en algunos. Pídelo a quien trabaje en todos.'
