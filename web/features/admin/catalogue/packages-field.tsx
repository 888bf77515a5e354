import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

interface ChoiceProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** ids with commas between them; '' = all */
  value: string
  onChange: (value: string) => void
}

/** Chooses packages; none chosen means all. */
export function PackagesField(props: ChoiceProps) {
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } })).data?.class_packages ?? []
  return <Choice {...props} options={packages.map(({ class_package_id, title }) => ({ id: String(class_package_id), name: title }))} />
}

/** Chooses types of class; none chosen means all. */
export function TypesField(props: ChoiceProps) {
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ meta: { handled: true } })).data?.class_types ?? []
  return <Choice {...props} options={types.map(({ class_type_id, name }) => ({ id: String(class_type_id), name }))} />
}

function Choice({ label, hint, error, value, onChange, options }: ChoiceProps & { options: readonly { id: string; name: string }[] }) {
  const chosen = value.split(',').filter(Boolean)
  return (
    <fieldset className="stack gap-8">
      <legend className="strong">{label}</legend>
      {hint && <p className="small muted">{hint}</p>}
      {error && <p className="field-error">{error}</p>}
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          onChange={(event) => {
            const next = event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id)
            onChange(next.sort((a, b) => Number(a) - Number(b)).join(','))
          }}
        >
          {name}
        </Checkbox>
      ))}
    </fieldset>
  )
}
