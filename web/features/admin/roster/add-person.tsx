import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RosterClass } from '#contract/attendance.ts'
import { success } from '#contract/copy/messages.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { seatLabelIn } from '#web/features/admin/timetable/seats.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { freeSpots } from './free-spots.ts'
import { useRosterChanged } from './use-roster.ts'

interface AddPersonProps {
  cls: RosterClass
  /** the reservations with their seats */
  entries: readonly { spot: string | null }[]
  location_id: number | null
  /** the seat chosen on the map */
  spot: string | null
  onClose: () => void
}

/** Books for a customer at the desk: customer, seat and payment. */
export default function AddPerson(props: AddPersonProps) {
  const [customer, setCustomer] = useState<FoundCustomer | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  if (customer) return <BookPerson {...props} customer={customer} back="Otra persona" onBack={() => setCustomer(null)} />
  return (
    <Dialog open onClose={props.onClose} title={typed === null ? 'Agregar a la clase' : 'Cliente nuevo'}>
      {typed === null ? (
        <CustomerSearch onChoose={setCustomer} onCreate={setTyped} />
      ) : (
        <NewCustomer typed={typed} onMade={setCustomer} onBack={() => setTyped(null)} />
      )}
    </Dialog>
  )
}

/** Books a class for a known customer: seat and payment. `back`: the button that returns to the choice before. */
export function BookPerson({
  cls,
  entries,
  location_id,
  spot: before,
  customer,
  back,
  onClose,
  onBack,
}: AddPersonProps & { customer: FoundCustomer; back: string; onBack: () => void }) {
  const changed = useRosterChanged()
  const free = freeSpots(cls, entries)
  const staff = useStaff()
  const isFull = cls.places_left < 1
  const mayExceed = may(staff, 'roster.over_capacity')
  const [reason, setReason] = useState('')
  const mayReserve = !isFull || mayExceed
  const [spot, setSpot] = useState(before ?? free[0] ?? '')
  const [pays, setPays] = useState<string | null>(null)
  const [paid, setPaid] = useState<PaidWith>({ ...BY_DEFAULT, location_id })
  const creditLots = useQuery(
    queries.credits.ofCustomer.queryOptions({
      input: { customer_id: String(customer.customer_id) },
      staleTime: 0,
      meta: { handled: true },
    }),
  )
  const usable = (creditLots.data?.available_classes ?? []).filter((creditLot) => creditLot.state === 'alive' && !creditLot.is_online)
  const chosen = pays ?? (usable.length > 0 ? 'credit' : 'owed')
  const [courtesy, setCourtesy] = useState('')
  const reasons = [isFull ? reason : null, chosen === 'courtesy' ? courtesy : null]
  const notPaid = usePaidProblem(paid)
  const unreasoned = reasons.some((one) => one !== null && one.trim().length < 3) ? 'Escribe el motivo.' : null
  const problem = unreasoned ?? (chosen === 'paid' ? notPaid : null)
  const reserve = useIdempotentMutation(api.attendance.reserve, {
    onSuccess() {
      showAlert('success', success.reservationRecorded)
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
  const wait = useIdempotentMutation(api.frontDesk.joinWaitlist, {
    onSuccess() {
      showAlert('success', 'Está en la lista de espera.')
      onClose()
    },
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const nextFree = free.find((one) => one !== spot)
  const sellHere = may(staff, 'sales.sell') ? adminPaths.newSaleWith({ cliente: customer.customer_id, clase: cls.single_class_id }) : null
  const send = (at: string = spot) => {
    setSpot(at)
    reserve.mutate({
      ...{ customer_id: customer.customer_id, single_class_id: cls.single_class_id, spot: at || null },
      ...(isFull ? { over_capacity: { reason: reason.trim() } } : {}),
      ...(/^\d+$/.test(chosen) ? { available_class_id: Number(chosen) } : {}),
      ...(chosen === 'courtesy' ? { courtesy: { reason: courtesy.trim() } } : {}),
      ...(chosen === 'owed' ? { is_cash: true } : {}),
      ...(chosen === 'paid' ? { is_cash: true, is_paid: true, ...receivedOf(paid) } : {}),
    })
  }
  return (
    <Dialog
      open
      onClose={reserve.isPending ? null : onClose}
      title={`${customer.name} ${customer.last_name}`}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            {back}
          </Button>
          {isFull && (
            <Button
              variant={mayReserve ? 'outline' : 'filled'}
              loading={wait.isPending}
              onClick={() => wait.mutate({ customer_id: customer.customer_id, single_class_id: cls.single_class_id })}
            >
              Anotar en espera
            </Button>
          )}
          {mayReserve && (
            <Button loading={reserve.isPending || creditLots.isPending} reason={problem} onClick={() => problem === null && send()}>
              Reservar
            </Button>
          )}
        </>
      }
    >
      <p className="muted">
        {cls.class_type}, {formatWall(cls.class_date, 'class')}
      </p>
      {reserve.isError && (
        <CounterRefusal
          error={reserve.error}
          location_id={paid.location_id}
          onOpened={reserve.reset}
          steps={{
            ...(nextFree
              ? {
                  SPOT_TAKEN: (
                    <Button size="small" variant="outline" onClick={() => send(nextFree)}>
                      Reservar en {spotName(nextFree, seatLabelIn(cls, nextFree))}
                    </Button>
                  ),
                }
              : {}),
            ...(sellHere ? { NO_CREDITS: <SellHere to={sellHere} /> } : {}),
          }}
        />
      )}
      {isFull && (
        <Banner tone="warn" title={`La clase está llena (${cls.capacity ?? 0}).`}>
          {mayExceed
            ? `¿Agregar el lugar ${(cls.capacity ?? 0) + 1}?`
            : 'Puedes anotar a la persona en la lista de espera, o pedir a gerencia que agregue un lugar más.'}
        </Banner>
      )}
      {isFull && mayExceed && (
        <TextField
          label="Motivo"
          maxLength={300}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {mayReserve && cls.spot_map && (
        <Select label="Lugar" value={spot} onChange={(event) => setSpot(event.currentTarget.value)}>
          {free.length === 0 && <option value="">{isFull ? 'De pie, sin número' : 'Sin lugares libres'}</option>}
          {free.map((one) => (
            <option key={one} value={one}>
              {spotName(one, seatLabelIn(cls, one))}
            </option>
          ))}
        </Select>
      )}
      {mayReserve && (
        <RadioCards
          legend="Cómo se paga"
          options={[
            ...(usable.length > 0
              ? [{ value: 'credit', title: 'La clase que vence primero', detail: 'De lo que tiene, en el orden en que se gasta.' }]
              : []),
            ...(usable.length > 1
              ? usable.map((creditLot) => ({
                  value: String(creditLot.available_class_id),
                  title: creditLot.title,
                  detail: creditLot.expiration_date
                    ? `Vence el ${formatWall(creditLot.expiration_date, 'date')}`
                    : 'Su plazo empieza con la primera clase',
                  aside: creditLot.available_classes < 0 ? 'Ilimitado' : `${creditLot.available_classes} disponibles`,
                }))
              : []),
            { value: 'owed', title: 'Paga en el estudio', detail: 'Su lugar queda por cobrar.' },
            {
              value: 'paid',
              title: 'Pagó ahora',
              detail: 'Se registra la venta de una clase suelta.',
              panel: <PaidWithFields value={paid} onChange={setPaid} />,
            },
            ...(may(staff, 'credits.edit')
              ? [
                  {
                    value: 'courtesy',
                    title: 'Cortesía',
                    detail: 'Se le da una clase para este lugar, y no se cobra.',
                    panel: (
                      <TextField
                        label="Motivo de la cortesía"
                        maxLength={300}
                        autoComplete="off"
                        value={courtesy}
                        onChange={(event) => setCourtesy(event.currentTarget.value)}
                      />
                    ),
                  },
                ]
              : []),
          ]}
          value={chosen}
          onChange={setPays}
        />
      )}
      {mayReserve && sellHere && (
        <AppLink className="link link-alone" to={sellHere}>
          Cobrar este lugar en Nueva venta
        </AppLink>
      )}
    </Dialog>
  )
}

/** Nueva venta with the person and the place: what is left when they have nothing to pay it with. */
const SellHere = ({ to }: { to: string }) => (
  <Button as={AppLink} to={to} size="small" variant="outline">
    Venderle en Nueva venta
  </Button>
)
