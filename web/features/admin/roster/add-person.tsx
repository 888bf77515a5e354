import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf } from '#web/features/admin/people/paid-with.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { seatsOf } from '#web/ui/spot-geometry.ts'
import type { RosterEntry } from './roster-entries.ts'
import { useRosterChanged } from './use-roster.ts'

interface AddPersonProps {
  cls: { single_class_id: number; class_type: string; class_date: string; spot_map: string | null; closed_spots: readonly string[] }
  entries: readonly RosterEntry[]
  location_id: number | null
  /** a seat that was chosen on the map */
  spot: string | null
  onClose: () => void
}

/** Books for somebody who stands here: who, where, and what pays. */
export default function AddPerson(props: AddPersonProps) {
  const [who, setWho] = useState<FoundCustomer | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  if (who) return <Booking {...props} who={who} onBack={() => setWho(null)} />
  return (
    <Dialog open onClose={props.onClose} title={typed === null ? 'Agregar a la clase' : 'Cliente nuevo'}>
      {typed === null ? (
        <CustomerSearch onChoose={setWho} onCreate={setTyped} />
      ) : (
        <NewCustomer typed={typed} onMade={setWho} onBack={() => setTyped(null)} />
      )}
    </Dialog>
  )
}

/** The seats that nobody has, in the order of the rows. */
function freeSpots({ cls, entries }: Pick<AddPersonProps, 'cls' | 'entries'>): string[] {
  const taken = new Set([...cls.closed_spots, ...entries.flatMap(({ spot }) => (spot ? [spot] : []))])
  return cls.spot_map
    ? seatsOf(cls.spot_map.split(',').map(Number)).flatMap((row) => row.map(({ spot }) => spot).filter((spot) => !taken.has(spot)))
    : []
}

function Booking({
  cls,
  entries,
  location_id,
  spot: before,
  who,
  onClose,
  onBack,
}: AddPersonProps & { who: FoundCustomer; onBack: () => void }) {
  const changed = useRosterChanged()
  const free = freeSpots({ cls, entries })
  const [spot, setSpot] = useState(before ?? free[0] ?? '')
  const [pays, setPays] = useState<string | null>(null)
  const [paid, setPaid] = useState<PaidWith>({ ...BY_DEFAULT, location_id })
  const lots = useQuery(
    queries.credits.ofCustomer.queryOptions({ input: { customer_id: String(who.customer_id) }, staleTime: 0, meta: { handled: true } }),
  )
  const usable = (lots.data?.available_classes ?? []).filter((lot) => lot.state === 'alive' && !lot.is_online)
  const chosen = pays ?? (usable.length > 0 ? 'credit' : 'owed')
  const reserve = useIdempotentMutation(api.attendance.reserve, {
    onSuccess() {
      showAlert('success', success.reservationRecorded)
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
  const send = () =>
    reserve.mutate({
      ...{ customer_id: who.customer_id, single_class_id: cls.single_class_id, spot: spot || null },
      ...(/^\d+$/.test(chosen) ? { available_class_id: Number(chosen) } : {}),
      ...(chosen === 'owed' ? { is_cash: true } : {}),
      ...(chosen === 'paid' ? { is_cash: true, is_paid: true, ...receivedOf(paid) } : {}),
    })
  return (
    <Dialog
      open
      onClose={reserve.isPending ? null : onClose}
      title={`${who.name} ${who.last_name}`}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Otra persona
          </Button>
          <Button loading={reserve.isPending || lots.isPending} onClick={send}>
            Reservar
          </Button>
        </>
      }
    >
      <p className="muted">
        {cls.class_type}, {formatWall(cls.class_date, 'class')}
      </p>
      {reserve.isError && <CounterRefusal error={reserve.error} location_id={paid.location_id} onOpened={reserve.reset} />}
      {cls.spot_map && (
        <Select label="Lugar" value={spot} onChange={(event) => setSpot(event.currentTarget.value)}>
          {free.length === 0 && <option value="">Sin lugares libres</option>}
          {free.map((one) => (
            <option key={one} value={one}>
              {spotName(one)}
            </option>
          ))}
        </Select>
      )}
      <RadioCards
        legend="Cómo se paga"
        options={[
          ...(usable.length > 0
            ? [{ value: 'credit', title: 'La clase que vence primero', detail: 'De lo que tiene, en el orden en que se gasta.' }]
            : []),
          ...(usable.length > 1
            ? usable.map((lot) => ({
                value: String(lot.available_class_id),
                title: lot.title,
                detail: lot.expiration_date
                  ? `Vence el ${formatWall(lot.expiration_date, 'date')}`
                  : 'Su plazo empieza con la primera clase',
                aside: lot.available_classes < 0 ? 'Ilimitado' : `${lot.available_classes} disponibles`,
              }))
            : []),
          { value: 'owed', title: 'Paga en el estudio', detail: 'Su lugar queda por cobrar.' },
          {
            value: 'paid',
            title: 'Pagó ahora',
            detail: 'Se registra la venta de una clase suelta.',
            panel: <PaidWithFields value={paid} onChange={setPaid} />,
          },
        ]}
        value={chosen}
        onChange={setPays}
      />
    </Dialog>
  )
}
