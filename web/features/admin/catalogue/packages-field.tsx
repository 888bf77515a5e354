import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

interface PackagesFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** ids with commas between them; '' = all */
  value: string
  onChange: (value: string) => void
}

/** Chooses packages; none chosen means all. */
export function PackagesField({ label, hint, error, value, onChange }: PackagesFieldProps) {
  const packs = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } })).data?.class_packages ?? []
  const chosen = value.split(',').filter(Boolean)
  return (
    <fieldset className="stack gap-8">
      <legend className="strong">{label}</legend>
      {hint && <p className="small muted">{hint}</p>}
      {error && <p className="field-error">{error}</p>}
      {packs.map(({ class_package_id, title }) => {
        const id = String(class_package_id)
        return (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={(event) => onChange((event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id)).join(','))}
          >
            {title}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}
