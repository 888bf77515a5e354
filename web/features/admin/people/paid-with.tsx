import { useQuery } from '@tanstack/react-query'
import { useLocationChoices } from '#web/features/admin/frame/location-filter.tsx'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'
import { Select, TextField } from '#web/ui/field.tsx'
import { NO_SLIP, slipProblem, slipSent, TerminalFields, type TerminalSlip } from './terminal-fields.tsx'

/** Payment method, location and reference of received money, as the endpoints of the counter take them. */
export interface PaidWith {
  payment_method_id: number | null
  location_id: number | null
  reference: string
  /** the data of a terminal's slip; empty with any other method */
  slip: TerminalSlip
}

/** The initial choice: cash, without a location and a reference. */
export const BY_DEFAULT: PaidWith = { payment_method_id: null, location_id: null, reference: '', slip: NO_SLIP }

/** The fields to send; empty ones are left out. */
export const receivedOf = ({ payment_method_id, location_id, reference, slip }: PaidWith) => ({
  ...(payment_method_id === null ? {} : { payment_method_id }),
  ...(location_id === null ? {} : { location_id }),
  ...(reference.trim() ? { reference: reference.trim() } : {}),
  ...slipSent(slip),
})

const useMethods = () =>
  useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000, meta: { handled: true } })).data?.payment_methods ?? []

/** What is missing before the money can be recorded, in Spanish; null: nothing. */
export function usePaidProblem({ payment_method_id, slip }: PaidWith): string | null {
  const { needsTerminalFields } = useStaff()
  const method = useMethods().find((method) => method.payment_method_id === payment_method_id)
  return slipProblem(method?.kind, slip, needsTerminalFields)
}

interface PaidWithFieldsProps {
  value: PaidWith
  onChange: (value: PaidWith) => void
  /** Several payments at once have no slip: each would need its own. */
  isSeveral?: boolean
}

/** Fields for received money: the payment method, the location if there are several, and the reference of a slip. */
export function PaidWithFields({ value, onChange, isSeveral = false }: PaidWithFieldsProps) {
  const { needsTerminalFields } = useStaff()
  const methods = useMethods().filter(({ kind }) => kind !== 'terminal' || !isSeveral || !needsTerminalFields)
  const kind = methods.find((method) => method.payment_method_id === value.payment_method_id)?.kind
  const locations = useLocationChoices()
  return (
    <div className="stack gap-12">
      <div className="field-pair">
        <Select
          label="Cómo se pagó"
          value={value.payment_method_id ?? ''}
          onChange={(event) => onChange({ ...value, payment_method_id: Number(event.currentTarget.value) || null, slip: NO_SLIP })}
        >
          <option value="">Efectivo</option>
          {methods
            .filter(({ kind }) => kind !== 'cash' && kind !== 'online')
            .map(({ payment_method_id, name }) => (
              <option key={payment_method_id} value={payment_method_id}>
                {name}
              </option>
            ))}
        </Select>
        {locations.length > 1 && (
          <Select
            label="Dónde"
            value={value.location_id ?? ''}
            onChange={(event) => onChange({ ...value, location_id: Number(event.currentTarget.value) || null })}
          >
            <option value="">Elige el estudio</option>
            {locations.map(({ location_id, name }) => (
              <option key={location_id} value={location_id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
      {kind === 'terminal' && !isSeveral && <TerminalFields value={value.slip} onChange={(slip) => onChange({ ...value, slip })} />}
      {value.payment_method_id !== null && (
        <TextField
          label="Referencia"
          optional
          maxLength={80}
          hint="Lo que dice el comprobante de la terminal o de la transferencia."
          value={value.reference}
          onChange={(event) => onChange({ ...value, reference: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
