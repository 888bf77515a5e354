import { useQuery } from '@tanstack/react-query'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'
import { Select } from '#web/ui/field.tsx'

interface SegmentFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** id; '' = everybody */
  value: string
  onChange: (value: string) => void
}

/** Chooses a segment; none chosen means everybody. Nothing for whoever may not read customers. */
export function SegmentField({ label, hint, error, value, onChange }: SegmentFieldProps) {
  const canRead = may(useStaff(), 'customers.read')
  const { data } = useQuery({ ...queries.segments.all.queryOptions({ meta: { handled: true } }), enabled: canRead })
  if (!canRead) return null
  const segments = data?.segments ?? []
  return (
    <Select label={label} optional hint={hint} error={error} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">Para todos</option>
      {segments.map(({ segment_id, name, count }) => (
        <option key={segment_id} value={segment_id}>
          {name} ({count.toLocaleString('es-MX')})
        </option>
      ))}
      {value !== '' && !segments.some(({ segment_id }) => String(segment_id) === value) && <option value={value}>Un segmento</option>}
    </Select>
  )
}
