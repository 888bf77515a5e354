import { useQuery } from '@tanstack/react-query'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { queries } from '#web/lib/api.ts'
import { Select } from '#web/ui/field.tsx'

interface SubstituteFieldProps {
  /** The class; null where several are given to the same coach. */
  single_class_id: number | null
  value: string
  onChange: (value: string) => void
}

/** The substitute of a class: first coaches who teach its type and are free then. */
export function SubstituteField({ single_class_id, value, onChange }: SubstituteFieldProps) {
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const eligible = useQuery(
    queries.substitutions.eligible.queryOptions({
      input: { single_class_id: single_class_id ?? 0 },
      enabled: single_class_id !== null,
      meta: { handled: true },
    }),
  )
  const first = new Set(eligible.data?.instructors.map(({ instructor_id }) => instructor_id))
  const all = coaches.data?.instructors ?? []
  const options = (from: typeof all) =>
    from.map((coach) => (
      <option key={coach.instructor_id} value={coach.instructor_id}>
        {instructorName(coach)}
      </option>
    ))
  const [able, others] = [
    all.filter((instructor) => first.has(instructor.instructor_id)),
    all.filter((instructor) => !first.has(instructor.instructor_id)),
  ]
  return (
    <Select label="Quién la da" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">Elige a una persona</option>
      {able.length > 0 ? (
        <>
          <optgroup label="Dan esta clase y están libres">{options(able)}</optgroup>
          <optgroup label="Los demás">{options(others)}</optgroup>
        </>
      ) : (
        options(others)
      )}
    </Select>
  )
}
