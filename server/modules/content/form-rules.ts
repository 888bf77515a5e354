/** Which answers to a form are stored. Pure: docs/domain.md, "Forms"; the checks of single answers are in contract/forms.ts. */
import { type FieldIssue, type Refusal, refuse } from '#contract/errors.ts'
import {
  type Answers,
  type FieldSource,
  type FormField,
  formMessage,
  formProblems,
  innerFields,
  isAnswered,
  isFieldType,
  visibleFields,
} from '#contract/forms.ts'
import { isRecord } from '#contract/record.ts'

const MAX_TEXT = 4_000
const MAX_LIST = 50

const isText = (value: unknown, max = MAX_TEXT) => typeof value === 'string' && value.length <= max && !value.includes('\u0000')
const isScalar = (value: unknown) =>
  isText(value, 200) || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

/** The id of an uploaded file in an answer: `{file_id}` or the number itself; null for anything else. */
function fileIdOf(value: unknown): number | null {
  const id = isRecord(value) ? value.file_id : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : null
}

/** The file ids of an answer: one, or a list. Null for any other value. */
function fileIds(value: unknown): number[] | null {
  const list = Array.isArray(value) ? value : [value]
  const ids = list.map(fileIdOf)
  return list.length <= MAX_LIST && ids.every((id) => id !== null) ? ids : null
}

/** Whether an answer has the shape of its field's type; validity is checked separately, for required fields only. */
function hasShape(field: FormField, value: unknown): boolean {
  switch (field.type) {
    case 'file':
    case 'image':
      return fileIds(value) !== null
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return isScalar(value) && typeof value !== 'boolean'
    case 'select':
      return field.options.length === 0 ? isScalar(value) : field.options.some((option) => option.value === value)
    case 'creatable-select':
      return Array.isArray(value) && value.length <= MAX_LIST && value.every(isScalar)
    default:
      return isText(value)
  }
}

export interface StoredAnswers {
  answers: Record<string, unknown>
  /** Files in the answers; the caller checks their ownership. */
  file_ids: number[]
}

/**
 * The answers to store: of current fields only, each in its type's shape, files as ids (F2, F3). Otherwise the refusal: INVALID_INPUT for a
 * wrong shape, FORM_FIELD or FORM_FIELDS for answers that the form does not accept (F4).
 */
export function storedAnswers(fields: readonly FormField[], input: Answers, source: FieldSource): StoredAnswers | Refusal {
  const issues: FieldIssue[] = []
  const ids: number[] = []
  const storedValues = (of: readonly FormField[], from: Answers, path: string): Record<string, unknown> => {
    const stored: Record<string, unknown> = {}
    for (const field of visibleFields(of, from)) {
      const value = from[field.key]
      const key = `${path}${field.key}`
      if (!isAnswered(value)) continue
      if (field.type === 'address' || !isFieldType(field.type)) {
        // Nested objects are not checked further.
        if (!isRecord(value) || path) issues.push({ path: key, message: 'Esta respuesta no es de este campo.' })
        else stored[field.key] = storedValues(innerFields(field, source), value, `${field.key}.`)
      } else if (!hasShape(field, value)) issues.push({ path: key, message: 'Esta respuesta no es de este campo.' })
      else if (field.type === 'file' || field.type === 'image') {
        const named = fileIds(value) ?? []
        ids.push(...named)
        stored[field.key] = Array.isArray(value) ? named.map((file_id) => ({ file_id })) : { file_id: named[0] }
      } else stored[field.key] = value
    }
    return stored
  }
  const answers = storedValues(fields, input, '')
  const problems = formProblems(fields, input, source)
  const [first] = problems
  if (first) {
    const list = problems.map(({ key, message }) => ({ path: key, message }))
    return problems.length === 1
      ? refuse('FORM_FIELD', { label: first.label, key: first.key, message: first.message, issues: list })
      : refuse('FORM_FIELDS', { message: formMessage(problems) ?? '', issues: list })
  }
  return issues.length ? refuse('INVALID_INPUT', { issues }) : { answers, file_ids: ids }
}

/** The address form keeps the fields that an address requires, otherwise addresses could not be validated (F5). */
export function whyNotAddressForm(fields: readonly Pick<FormField, 'key' | 'required' | 'precondition'>[]): Refusal | null {
  const hasAddress = ['city', 'state', 'country'].every((key) =>
    fields.some((field) => field.key === key && field.required && !field.precondition),
  )
  return hasAddress ? null : refuse('PROTECTED')
}
