/** Texts and steps of the import's screen. Pure. */
import { type ImportKind, type ImportRow, type ImportRowState, type ImportView, importFields } from '#contract/imports.ts'
import { formatPesos } from '#contract/money.ts'

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

/** "Se completa: teléfono, clases por usar." */
export const addsText = (adds: ImportRow['adds']): string =>
  `Se completa: ${adds.map((field) => importFields[field].toLowerCase()).join(', ')}.`

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

/** How many rows stay out of an import if it is run as it is. */
export const leftOut = ({ counts }: ImportView): number => (counts.error ?? 0) + (counts.duplicate ?? 0)

/** "Invitar a 2,914 personas a crear su contraseña" */
export const inviteText = (people: number): string =>
  `Invitar a ${people === 1 ? '1 persona' : `${people.toLocaleString('es-MX')} personas`} a crear su contraseña`

/** Who works at some locations only. */
export const IMPORT_EVERYWHERE = 'Importar cambia lo de todos los estudios, y tú trabajas solo en algunos. Pídelo a quien trabaje en todos.'
