/** Texts and steps of the import's screen. Pure. */
import { type ImportRow, type ImportRowState, type ImportSource, type ImportView, importFields } from '#contract/imports.ts'

export const STEPS = [
  ['archivo', 'Archivo'],
  ['columnas', 'Columnas'],
  ['valores', 'Valores'],
  ['revision', 'Revisión'],
  ['importar', 'Importar'],
] as const
export type Step = (typeof STEPS)[number][0]

/** How a list of clients is exported at each source. */
export const SOURCE_HELP: Readonly<Record<ImportSource, string>> = {
  mindbody: 'En Mindbody: Reports › Clients › Clients (o Membership), y Export to Excel.',
  fitco: 'En Fitco: Socios › Exportar, como Excel o CSV.',
  teamup: 'En TeamUp: Customers › Customer List › Export, como CSV o Excel.',
  glofox: 'En Glofox: Reports › Members, y Export CSV.',
  momence: 'En Momence: Customers › Export, como CSV.',
  arketa: 'En Arketa: Clients › Export, como CSV.',
  estudio: 'El archivo clientes.csv de una exportación de Estudio.',
  other: 'Un renglón por persona, con encabezados. CSV o Excel (.xlsx).',
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

/** The step that an import is at; a step that was asked for counts while it can be shown. */
export function stepOf(view: ImportView, wanted: string | null): Step {
  if (view.state !== 'draft') return 'importar'
  if (view.file_name === null) return 'archivo'
  const known = STEPS.find(([key]) => key === wanted)?.[0] ?? 'columnas'
  return known === 'importar' ? 'revision' : known
}

export const personName = ({ person, values }: ImportRow): string =>
  (person ? `${person.name} ${person.last_name}` : `${values.full_name ?? values.name ?? ''} ${values.last_name ?? ''}`).trim() ||
  'Sin nombre'

export const fieldLabel = (field: string): string =>
  Object.hasOwn(importFields, field) ? importFields[field as keyof typeof importFields] : field

export const peopleText = (n: number): string => (n === 1 ? '1 persona' : `${n.toLocaleString('es-MX')} personas`)
export const classesText = (n: number): string => (n === 1 ? '1 clase' : `${n.toLocaleString('es-MX')} clases`)

/** How many rows stay out of an import if it is run as it is. */
export const leftOut = ({ counts }: ImportView): number => (counts.error ?? 0) + (counts.duplicate ?? 0)
