import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import { PictureField } from '#web/features/admin/catalogue/picture-field.tsx'
import { queries } from '#web/lib/api.ts'
import { Switch } from '#web/ui/choice.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ColourField, hasSamples, SampleField } from './brand-fields.tsx'
import { markedParts, type Typed } from './setting-draft.ts'

const HtmlEditor = lazy(() => import('#web/features/admin/content/html-editor.tsx'))
const ChannelMatrix = lazy(() => import('./channel-matrix.tsx'))

interface SettingFieldProps {
  setting: EditedSetting
  /** the values that the studio would have with what is typed */
  values: Readonly<Record<string, unknown>>
  typed: Typed
  problem: string | undefined
  /** what is searched: matching words of the label are marked */
  search: string
  disabled: boolean
  onChange: (typed: Typed) => void
}

/** The label with the words that the search found marked. */
function Label({ text, search }: { text: string; search: string }) {
  if (!search) return text
  return markedParts(text, search).map(({ text, marked }, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
    return marked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>
  })
}

/** The field of a setting, by its type. */
export function SettingField({ setting, values, typed, problem, search, disabled, onChange }: SettingFieldProps) {
  const label = <Label text={setting.label} search={search} />
  const texts = { label, hint: setting.help, error: problem, disabled }
  const text = typeof typed === 'string' ? typed : ''
  const field = { ...texts, value: text, onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) }
  const after = setting.unit ? <span className="muted">{setting.unit}</span> : undefined
  const whole = { setting, values, typed, problem, disabled, onChange }
  if (hasSamples(setting.key)) return <SampleField {...whole} />
  switch (setting.type) {
    case 'colour':
      return <ColourField {...whole} />
    case 'boolean':
      return (
        <>
          <Switch
            checked={typed === true}
            hint={setting.help}
            disabled={disabled}
            onChange={(event) => onChange(event.currentTarget.checked)}
          >
            {label}
          </Switch>
          {problem && <FieldError>{problem}</FieldError>}
        </>
      )
    case 'select':
      return (
        <Select {...field}>
          {(setting.options ?? []).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )
    case 'integer':
    case 'number':
      return <TextField {...field} required={false} inputMode={setting.type === 'integer' ? 'numeric' : 'decimal'} after={after} />
    case 'html':
      // The editor has no read-only state.
      if (disabled) return <TextArea {...field} required={false} rows={5} />
      return (
        <Suspense fallback={<Skeleton height="220px" />}>
          <HtmlField label={setting.label} help={setting.help} problem={problem} text={text} onChange={onChange} />
        </Suspense>
      )
    case 'long':
      return <TextArea {...field} required={false} rows={5} maxLength={setting.max ?? undefined} />
    case 'code':
    case 'object':
      return <TextArea {...field} required={false} rows={6} className="setting-code" spellCheck={false} autoCapitalize="none" />
    case 'image':
      return (
        <PictureField
          label={setting.label}
          name={setting.key}
          hint={setting.help}
          error={problem}
          optional={false}
          value={text}
          onChange={onChange}
        />
      )
    case 'ref':
      return <RefField {...field} list={setting.ref ?? ''} />
    case 'matrix':
      return (
        <Suspense fallback={<Skeleton height="320px" />}>
          <ChannelMatrix
            setting={setting}
            value={typed as Readonly<Record<string, readonly string[]>>}
            problem={problem}
            disabled={disabled}
            onChange={onChange}
          />
        </Suspense>
      )
    case 'link':
      return <TextField {...field} required={false} inputMode="url" autoCapitalize="none" spellCheck={false} />
    case 'phone':
      return <TextField {...field} required={false} type="tel" inputMode="tel" />
    default:
      return <TextField {...field} required={false} maxLength={setting.max ?? undefined} after={after} />
  }
}

interface HtmlFieldProps {
  label: string
  help: string
  problem: string | undefined
  text: string
  onChange: (html: string) => void
}

/** A text with formats. A value that comes from elsewhere (discarded, restored, undone) opens the editor again. */
function HtmlField({ label, help, problem, text, onChange }: HtmlFieldProps) {
  const [written, setWritten] = useState(text)
  const [opened, setOpened] = useState({ version: 0, start: text })
  if (text !== written) {
    setWritten(text)
    setOpened({ version: opened.version + 1, start: text })
  }
  return (
    <>
      <HtmlEditor
        key={opened.version}
        label={label}
        start={opened.start}
        error={problem}
        onChange={(html) => {
          setWritten(html)
          onChange(html)
        }}
      />
      <p className="field-hint">{help}</p>
    </>
  )
}

interface RefFieldProps {
  /** "/forms" or "/class_packages" */
  list: string
  label: React.ReactNode
  hint: string
  error: string | undefined
  disabled: boolean
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
}

/** A choice of one record of a list of the studio, or none. */
function RefField({ list, ...field }: RefFieldProps) {
  const isForms = list === '/forms'
  const forms = useQuery({ ...queries.forms.list.queryOptions({ meta: { handled: true } }), enabled: isForms })
  const packages = useQuery({ ...queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } }), enabled: !isForms })
  const options = isForms
    ? (forms.data?.forms ?? []).map(({ form_id, name }) => ({ id: form_id, name }))
    : (packages.data?.class_packages ?? []).map(({ class_package_id, title }) => ({ id: class_package_id, name: title }))
  const isListed = field.value === '' || options.some(({ id }) => String(id) === field.value)
  return (
    <Select {...field}>
      <option value="">Ninguno</option>
      {!isListed && <option value={field.value}>#{field.value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </Select>
  )
}
