import { acceptedTypes } from '#contract/files.ts'
import {
  type Answers,
  type FieldSource,
  type FormField,
  fieldLabel,
  formProblems,
  innerFields,
  isFieldType,
  visibleFields,
} from '#contract/forms.ts'
import type { Signup } from '#contract/people.ts'
import { phoneDigits } from '#contract/phone.ts'
import type { Field } from '#web/lib/form.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import './dynamic-form.css'

type Given = Readonly<Record<string, unknown>>
const isGiven = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File)
const inside = (value: unknown): Given => (isGiven(value) ? value : {})

/**
 * The `fields` option of `useForm` for a studio's own form: one entry per visible field, inner fields as `address.city`. Browser and
 * server check with the same rules (contract/forms.ts). `prefix` avoids clashes with the field names of a surrounding form.
 */
export function dynamicChecks(fields: readonly FormField[], source: FieldSource, answers: Answers, prefix = ''): Record<string, Field> {
  const problems = new Map(formProblems(fields, answers, source).map(({ key, message }) => [key, message]))
  const check = (key: string, label: string): [string, Field] => [`${prefix}${key}`, { label, check: () => problems.get(key) ?? null }]
  return Object.fromEntries(
    visibleFields(fields, answers).flatMap((field) =>
      isCompound(field)
        ? visibleFields(innerFields(field, source), inside(answers[field.key])).map((visibleField) =>
            check(`${field.key}.${visibleField.key}`, visibleField.label),
          )
        : [check(field.key, field.label)],
    ),
  )
}

const isCompound = (field: FormField): boolean => field.type === 'address' || !isFieldType(field.type)

type Sent = NonNullable<Signup['form_answers']>

/** The answers to send: of visible fields only. Files are uploaded first and replaced by their ids (S2-4.30). */
export async function answersToSend(
  fields: readonly FormField[],
  source: FieldSource,
  answers: Answers,
  upload: (field: string, file: File) => Promise<{ file_id: number }>,
  path = '',
): Promise<Sent> {
  const ready: Sent = {}
  for (const field of visibleFields(fields, answers)) {
    const value = answers[field.key]
    if (value === undefined || value === null || value === '') continue
    if (value instanceof File) ready[field.key] = { file_id: (await upload(`${path}${field.key}`, value)).file_id }
    else
      ready[field.key] = isCompound(field)
        ? await answersToSend(innerFields(field, source), source, inside(value), upload, `${field.key}.`)
        : (value as Sent[string])
  }
  return ready
}

interface DynamicFieldsProps {
  fields: readonly FormField[]
  source: FieldSource
  /** answers by key; a chosen file is the File itself until it is uploaded */
  answers: Answers
  onChange: (answers: Answers) => void
  /** problems by key; inner fields as `address.city` */
  errors: Readonly<Record<string, string>>
  prefix?: string
}

/** The fields of a studio's own form: every type, in order, each only while its precondition is true (S2-5.15 to S2-5.33). */
export function DynamicFields({ prefix = '', ...form }: DynamicFieldsProps) {
  return <Fields {...form} path={prefix} />
}

interface FieldsProps extends Omit<DynamicFieldsProps, 'prefix'> {
  path: string
  within?: boolean
}

function Fields({ fields, source, answers, onChange, errors, path, within = false }: FieldsProps) {
  return visibleFields(fields, answers).map((field) => {
    const change = (value: unknown) => onChange({ ...answers, [field.key]: value })
    if (!isCompound(field))
      return (
        <OneField
          key={field.key}
          field={field}
          name={`${path}${field.key}`}
          value={answers[field.key]}
          onChange={change}
          error={errors[`${path}${field.key}`]}
        />
      )
    // The contract allows one level of objects only.
    if (within) return null
    return (
      <fieldset key={field.key} className="dynamic-group">
        <legend>{fieldLabel(field)}</legend>
        <Fields
          fields={innerFields(field, source)}
          source={source}
          answers={inside(answers[field.key])}
          onChange={change}
          errors={errors}
          path={`${path}${field.key}.`}
          within
        />
      </fieldset>
    )
  })
}

interface OneFieldProps {
  field: FormField
  name: string
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
}

const MAX_TEXT = 4_000
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function OneField({ field, name, value, onChange, error }: OneFieldProps) {
  const fieldProps = { label: field.label, optional: !field.required, error, name }
  switch (field.type) {
    case 'textarea':
      return <TextArea {...fieldProps} maxLength={MAX_TEXT} value={text(value)} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'date':
    case 'time':
    case 'datetime-local':
      return <TextField {...fieldProps} type={field.type} value={text(value)} onChange={(event) => onChange(event.currentTarget.value)} />
    case 'phone':
      return (
        <TextField
          {...fieldProps}
          type="tel"
          inputMode="numeric"
          value={text(value)}
          onChange={(event) => onChange(phoneDigits(event.currentTarget.value))}
        />
      )
    case 'number':
      return (
        <TextField
          {...fieldProps}
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          value={text(value)}
          onChange={({ currentTarget }) => onChange(Number.isNaN(currentTarget.valueAsNumber) ? '' : currentTarget.valueAsNumber)}
        />
      )
    case 'select': {
      // The value of an option may be false or a number, so the list uses indexes.
      const at = field.options.findIndex((option) => option.value === value)
      return (
        <Select
          {...fieldProps}
          value={at < 0 ? '' : String(at)}
          onChange={(event) => onChange(event.currentTarget.value === '' ? null : field.options[Number(event.currentTarget.value)]?.value)}
        >
          <option value="">Elige una opción</option>
          {field.options.map((option, index) => (
            <option key={String(option.value)} value={index}>
              {option.label}
            </option>
          ))}
        </Select>
      )
    }
    case 'boolean':
      return (
        <Checkbox name={name} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} error={error}>
          {fieldLabel(field)}
        </Checkbox>
      )
    case 'creatable-select':
      return (
        <TagsField
          {...fieldProps}
          offered={field.options.map((option) => option.label)}
          value={(Array.isArray(value) ? value : []).map(
            (value) => field.options.find((option) => option.value === value)?.label ?? String(value),
          )}
          onChange={(labels) => onChange(labels.map((label) => field.options.find((option) => option.label === label)?.value ?? label))}
        />
      )
    case 'file':
    case 'image':
      return (
        <FileField
          {...fieldProps}
          accept={field.type === 'image' ? acceptedTypes('image') : acceptedTypes('image', 'document')}
          chosen={value instanceof File ? value : null}
          onChoose={onChange}
          current={value && !(value instanceof File) ? { name: 'Archivo guardado', thumbnail: null } : null}
        />
      )
    default:
      return (
        <TextField {...fieldProps} maxLength={MAX_TEXT} value={text(value)} onChange={(event) => onChange(event.currentTarget.value)} />
      )
  }
}
