/**
 * Dynamic forms: fields, their order, and validation of answers (spec 2 section 5). Pure and without schemas: the browser shows exactly the
 * messages with which the server refuses.
 */
import { checkField, validation } from './copy/messages.ts'
import { PHONE_PATTERN } from './phone.ts'
import { isRecord } from './record.ts'
import { isLocalDate } from './time.ts'

/** Types of a field (S2-5.27). Any other type is the name of an object, whose custom fields are shown (S2-5.25). */
export const FIELD_TYPES = [
  'file',
  'date',
  'text',
  'time',
  'image',
  'phone',
  'select',
  'number',
  'boolean',
  'textarea',
  'datetime-local',
  'creatable-select',
  'address',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** The form that defines the fields of an address (S1-9.13). */
export const ADDRESS_FORM_ID = 6

export interface FieldOption {
  value: string | number | boolean
  label: string
}

/** A field is shown only when another one has this answer; without `value`, when it has any; with a list, when it has one of them. */
export interface Precondition {
  key: string
  value?: unknown
}

export interface FormField {
  key: string
  label: string
  /** One of `FIELD_TYPES`, or the name of an object. */
  type: string
  required: boolean
  step: number
  order: number
  options: readonly FieldOption[]
  precondition: Precondition | null
  /** About health: its answers are for the customer and for staff with `customers.health` only. */
  health?: boolean | undefined
}

/** Answers of a form by the keys of its fields; the answer to an address or object is the answers to its own fields. */
export type Answers = Readonly<Record<string, unknown>>

/** Fields that other fields refer to: those of form 6, and the custom fields of each object. */
export interface FieldSource {
  address: readonly FormField[]
  objects: Readonly<Record<string, readonly FormField[]>>
}

export interface FieldProblem {
  /** `city`, or `home.city` within an address. */
  key: string
  label: string
  message: string
}

/** Whether a type is one of ours and not the name of an object. */
export function isFieldType(type: string): type is FieldType {
  return (FIELD_TYPES as readonly string[]).includes(type)
}

/** Sorted by step, then by order (S2-5.26); the sort is stable. */
export function sortFields<F extends Pick<FormField, 'step' | 'order'>>(fields: readonly F[]): F[] {
  return [...fields].sort((a, b) => a.step - b.step || a.order - b.order)
}

/** The displayed label: optional fields are marked (S2-5.28). */
export function fieldLabel(field: Pick<FormField, 'label' | 'required'>): string {
  return field.required ? field.label : `${field.label} (Opcional)`
}

/** Whether a field has any answer at all; `false` and 0 are answers. */
export function isAnswered(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'string') return value.trim() !== ''
  return !Array.isArray(value) || value.length > 0
}

/** An answer in words, for lists: the labels of options, "Sí" or "No", the parts of an address; '' when there is none. */
export function answerText(field: Pick<FormField, 'type' | 'options'>, value: unknown): string {
  if (!isAnswered(value)) return ''
  if (Array.isArray(value)) return value.map((item) => answerText(field, item)).join(', ')
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (field.type === 'file' || field.type === 'image') return 'Archivo'
  if (isRecord(value))
    return Object.values(value)
      .map((part) => answerText({ type: 'text', options: [] }, part))
      .filter(Boolean)
      .join(', ')
  return field.options.find((option) => option.value === value)?.label ?? String(value)
}

/** Whether a field is shown, given the other answers: its precondition holds, and the field it refers to exists and is itself shown. */
export function isFieldVisible(field: FormField, fields: readonly FormField[], answers: Answers): boolean {
  const seen = new Set<string>()
  for (let at: FormField | undefined = field; at?.precondition; ) {
    if (seen.has(at.key)) return false
    seen.add(at.key)
    const { key, value }: Precondition = at.precondition
    const answer = answers[key]
    if (!isAnswered(answer)) return false
    if (value !== undefined && value !== null && !(Array.isArray(value) ? value.includes(answer) : answer === value)) return false
    at = fields.find((other) => other.key === key)
    if (!at) return false
  }
  return true
}

/** The fields that are shown, in their given order. */
export function visibleFields(fields: readonly FormField[], answers: Answers): FormField[] {
  return sortFields(fields).filter((field) => isFieldVisible(field, fields, answers))
}

/** Whether it is an existing calendar day: "2026-02-28". */
const isDate = (value: unknown) => typeof value === 'string' && isLocalDate(value)

/** Whether it is "2026-02-28T18:30", with or without seconds. */
function isDateTime(value: unknown): boolean {
  const found = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/.exec(value) : null
  return found !== null && isLocalDate(found[1] ?? '')
}

/** Whether it is a number not below zero, or a text of one (S2-5.21). */
function isAmount(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) && Number.isFinite(Number(value))
}

/** Messages of the address form's own fields (S2-5.01 to S2-5.03). */
const ADDRESS_MESSAGES: Readonly<Record<string, string>> = {
  city: validation.city,
  state: validation.state,
  country: validation.country,
}

/** The message for an invalid answer of a simple type; null when it is valid. Optional fields are always valid (S2-5.15). */
export function problemOf(field: Pick<FormField, 'type' | 'required' | 'options'>, value: unknown): string | null {
  if (!field.required) return null
  switch (field.type as FieldType) {
    case 'text':
    case 'time':
    case 'textarea':
      return typeof value === 'string' && value.trim() !== '' ? null : validation.fillField
    case 'date':
      return isDate(value) ? null : validation.fillField
    case 'datetime-local':
      return isDateTime(value) ? null : validation.fillField
    case 'file':
    case 'image':
      return isAnswered(value) ? null : validation.uploadFile
    case 'phone':
      if (!isAnswered(value)) return validation.fillField
      return typeof value === 'string' && PHONE_PATTERN.test(value) ? null : validation.phone
    case 'select':
      return isAnswered(value) || field.options.some((option) => option.value === value) ? null : validation.chooseOption
    case 'number':
      return isAmount(value) ? null : validation.fillField
    case 'creatable-select':
      return Array.isArray(value) && value.length > 0 ? null : validation.chooseOption
    default:
      // Boolean has no rule (S2-5.23); `formProblems` checks addresses and objects.
      return null
  }
}

/** The inner fields of a field: those of form 6, or the custom fields of its object; none for a simple type. */
export function innerFields(field: Pick<FormField, 'type'>, source: FieldSource): readonly FormField[] {
  if (field.type === 'address') return source.address
  return isFieldType(field.type) ? [] : Object.hasOwn(source.objects, field.type) ? (source.objects[field.type] ?? []) : []
}

/**
 * All problems of a form's answers, in the order of its fields. An address or object is checked only when it is required, and then each of
 * its required fields (S2-5.24, S2-5.25); objects within objects are not checked.
 */
export function formProblems(fields: readonly FormField[], answers: Answers, source: FieldSource): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const field of visibleFields(fields, answers)) {
    if (field.type === 'address' || !isFieldType(field.type)) {
      if (!field.required) continue
      const answer = answers[field.key]
      const inside = isRecord(answer) ? answer : {}
      for (const inner of visibleFields(innerFields(field, source), inside)) {
        const message = problemOf(inner, inside[inner.key])
        const own = field.type === 'address' ? ADDRESS_MESSAGES[inner.key] : undefined
        if (message) problems.push({ key: `${field.key}.${inner.key}`, label: inner.label, message: own ?? message })
      }
      continue
    }
    const message = problemOf(field, answers[field.key])
    if (message) problems.push({ key: field.key, label: field.label, message })
  }
  return problems
}

/** The message above a form: one field, or several; null when there is no problem (S2-5.29, S2-5.30). */
export function formMessage(problems: readonly FieldProblem[]): string | null {
  const [first] = problems
  if (!first) return null
  return problems.length === 1 ? checkField(first.label) : validation.severalInvalid
}
