/** The draft of a form in its builder, and its conversion for the API. */
import type { Form } from '#contract/form-endpoints.ts'
import { ADDRESS_FORM_ID, type FieldType, type FormField, isFieldType, sortFields } from '#contract/forms.ts'

export interface FormDraft {
  name: string
  fields: readonly FormField[]
}

export const NEW_FORM: FormDraft = { name: '', fields: [] }

export const draftOfForm = (form: Form): FormDraft => ({ name: form.name, fields: sortFields(form.form_fields as FormField[]) })

export const FIELD_TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  text: 'Texto corto',
  textarea: 'Texto largo',
  boolean: 'Sí o no',
  select: 'Una opción',
  'creatable-select': 'Varias opciones',
  number: 'Número',
  date: 'Fecha',
  time: 'Hora',
  'datetime-local': 'Fecha y hora',
  phone: 'Teléfono',
  address: 'Dirección',
  file: 'Archivo',
  image: 'Imagen',
}

export const hasOptions = (type: string): boolean => type === 'select' || type === 'creatable-select'

/** A key for a label that no other field has: "¿Tienes una lesión?" -> "tienes_una_lesion". */
export function newFieldKey(label: string, takenKeys: readonly string[]): string {
  const plain = label
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 50)
  const begin = plain || 'campo'
  for (let n = 1; ; n++) {
    const key = n === 1 ? begin : `${begin}_${n}`
    if (!takenKeys.includes(key)) return key
  }
}

/** The fields with the one at `from` put at `to`; it takes the step of the one that was there. */
export function withOrder(before: readonly FormField[], next: readonly FormField[], to: number): FormField[] {
  const step = before[to]?.step ?? 1
  return next.map((field, at) => (at === to ? { ...field, step } : field))
}

/** The field under its key with other values; fields are sorted by step again. */
export function withField(fields: readonly FormField[], key: string, change: Partial<FormField>): FormField[] {
  const changed = fields.map((field) => (field.key === key ? { ...field, ...change } : field))
  return changed.map((field, at) => ({ ...field, order: at })).sort((a, b) => a.step - b.step || a.order - b.order)
}

/** Without a field, and without the conditions on it. */
export const withoutField = (fields: readonly FormField[], key: string): FormField[] =>
  fields.flatMap((field) => (field.key === key ? [] : [field.precondition?.key === key ? { ...field, precondition: null } : field]))

/** Options typed one per line; those that were there keep the value that answers were stored with. */
export function parseOptions(text: string, before: FormField['options']): FormField['options'] {
  const labels = [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
  return labels.map((label) => before.find((option) => option.label === label) ?? { value: label, label })
}

/** "Solo si Lesión = Sí"; null when the field is always shown. */
export function conditionText(field: FormField, fields: readonly FormField[]): string | null {
  if (!field.precondition) return null
  const { key, value } = field.precondition
  const other = fields.find((field) => field.key === key)
  const label = other?.label ?? key
  if (value === undefined || value === null) return `Solo si ${label} tiene respuesta`
  const nameOf = (value: unknown) =>
    typeof value === 'boolean' ? (value ? 'Sí' : 'No') : (other?.options.find((option) => option.value === value)?.label ?? String(value))
  return `Solo si ${label} = ${Array.isArray(value) ? value.map(nameOf).join(' o ') : nameOf(value)}`
}

/** The answers that a condition on a field can name; empty: only whether there is one. */
export function conditionValues(field: FormField | undefined): readonly { value: unknown; label: string }[] {
  if (field?.type === 'boolean')
    return [
      { value: true, label: 'Sí' },
      { value: false, label: 'No' },
    ]
  return field?.type === 'select' ? field.options : []
}

/** What is wrong with a draft, in a sentence; null when nothing is. The server checks everything again. */
export function formProblem({ name, fields }: FormDraft): string | null {
  if (name.trim() === '') return 'Escribe el nombre del formulario.'
  const bare = fields.find(({ label }) => label.trim() === '')
  if (bare) return 'Un campo no tiene pregunta.'
  const empty = fields.find(({ type, options }) => type === 'select' && options.length === 0)
  return empty ? `Escribe las opciones de “${empty.label}”.` : null
}

/** Whether the address needs the field as it is (F5). */
export const isFixedField = (form_id: number | null, key: string): boolean =>
  form_id === ADDRESS_FORM_ID && ['city', 'state', 'country'].includes(key)

export const toRequest = ({ name, fields }: FormDraft) => ({
  name: name.trim(),
  form_fields: fields.map((field, order) => ({
    ...field,
    health: field.health ?? false,
    label: field.label.trim(),
    options: [...field.options],
    order,
  })),
})

/** A field in words: "Texto corto · Paso 1 · Obligatorio". */
export const fieldText = (field: FormField, fields: readonly FormField[]): string =>
  [
    isFieldType(field.type) ? FIELD_TYPE_NAMES[field.type] : field.type,
    `Paso ${field.step}`,
    field.required && 'Obligatorio',
    field.health && 'De salud',
    conditionText(field, fields),
  ]
    .filter(Boolean)
    .join(' · ')

/**
 * Where two versions of a form differ, in words: its name, each field that differs, and the order of the fields. '' = that version has
 * no such field.
 */
export function formVersions(theirs: FormDraft, mine: FormDraft): { label: string; theirs: string; mine: string }[] {
  const textOf = ({ fields }: FormDraft, key: string) => {
    const field = fields.find((field) => field.key === key)
    return field
      ? [field.label, fieldText(field, fields), field.options.map(({ label }) => label).join(', ')].filter(Boolean).join(' · ')
      : ''
  }
  const keysOf = ({ fields }: FormDraft) => fields.map(({ key }) => key)
  const labelsOf = ({ fields }: FormDraft) => fields.map(({ label }) => label).join(', ')
  const keys = [...new Set([...keysOf(theirs), ...keysOf(mine)])]
  const labelOf = (key: string) => [...mine.fields, ...theirs.fields].find((field) => field.key === key)?.label ?? key
  return [
    { label: 'Nombre', theirs: theirs.name, mine: mine.name },
    ...keys.map((key) => ({ label: labelOf(key), theirs: textOf(theirs, key), mine: textOf(mine, key) })),
    ...(keysOf(theirs).join() === keysOf(mine).join() ? [] : [{ label: 'Campos', theirs: labelsOf(theirs), mine: labelsOf(mine) }]),
  ].filter((field) => field.theirs !== field.mine)
}
