import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RosterClass } from '#contract/attendance.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { PaidWithFields } from '#web/features/admin/people/paid-with.tsx'
import { seatLabelIn } from '#web/features/admin/timetable/seats.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { freeSpots } from './free-spots.ts'
import { type CounterBooking, useCounterBooking } from './use-counter-booking.ts'

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

interface BookPersonProps extends AddPersonProps {
  customer: FoundCustomer
  /** the button that returns to the choice before */
  back: string
  onBack: () => void
}

/** Books a class for a known customer: seat and payment. */
export function BookPerson({ cls, entries, location_id, spot, customer, back, onClose, onBack }: BookPersonProps) {
  const staff = useStaff()
  const free = freeSpots(cls, entries)
  const isFull = cls.places_left < 1
  const mayReserve = !isFull || may(staff, 'roster.over_capacity')
  const booking = useCounterBooking({ cls, customer, location_id, spot: spot ?? free[0] ?? '', onClose })
  const { reserve, wait } = booking
  const nextFree = free.find((nextFree) => nextFree !== booking.spot)
  const sellHere = may(staff, 'sales.sell') ? adminPaths.newSaleWith({ cliente: customer.customer_id, clase: cls.single_class_id }) : null
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
            <Button variant={mayReserve ? 'outline' : 'filled'} loading={wait.isPending} onClick={booking.joinWaitlist}>
              Anotar en espera
            </Button>
          )}
          {mayReserve && (
            <Button
              loading={reserve.isPending || booking.isLoading}
              reason={booking.problem}
              onClick={() => booking.problem === null && booking.send()}
            >
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
          location_id={booking.paid.location_id}
          onOpened={reserve.reset}
          steps={{
            ...(nextFree
              ? {
                  SPOT_TAKEN: (
                    <Button size="small" variant="outline" onClick={() => booking.send(nextFree)}>
                      Reservar en {spotName(nextFree, seatLabelIn(cls, nextFree))}
                    </Button>
                  ),
                }
              : {}),
            ...(sellHere ? { NO_CREDITS: <SellHere to={sellHere} /> } : {}),
          }}
        />
      )}
      {isFull && <OverCapacity capacity={cls.capacity ?? 0} mayExceed={mayReserve} reason={booking.reason} onReason={booking.setReason} />}
      {mayReserve && cls.spot_map && (
        <Select label="Lugar" value={booking.spot} onChange={(event) => booking.setSpot(event.currentTarget.value)}>
          {free.length === 0 && <option value="">{isFull ? 'De pie, sin número' : 'Sin lugares libres'}</option>}
          {free.map((spot) => (
            <option key={spot} value={spot}>
              {spotName(spot, seatLabelIn(cls, spot))}
            </option>
          ))}
        </Select>
      )}
      {mayReserve && <PaymentChoice booking={booking} />}
      {mayReserve && sellHere && (
        <AppLink className="link link-alone" to={sellHere}>
          Cobrar este lugar en Nueva venta
        </AppLink>
      )}
    </Dialog>
  )
}

interface OverCapacityProps {
  capacity: number
  mayExceed: boolean
  reason: string
  onReason: (reason: string) => void
}

/** A full class: with the right to exceed its capacity the reason is asked, without it the text says what is left to do. */
function OverCapacity({ capacity, mayExceed, reason, onReason }: OverCapacityProps) {
  return (
    <>
      <Banner tone="warn" title={`La clase está llena (${capacity}).`}>
        {mayExceed
          ? `¿Agregar el lugar ${capacity + 1}?`
          : 'Puedes anotar a la persona en la lista de espera, o pedir a gerencia que agregue un lugar más.'}
      </Banner>
      {mayExceed && <ReasonField label="Motivo" value={reason} onChange={onReason} />}
    </>
  )
}

const ReasonField = ({ label, value, onChange }: { label: string; value: string; onChange: (reason: string) => void }) => (
  <TextField label={label} maxLength={300} autoComplete="off" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
)

/** How the place is paid: with credits that the customer has, at the studio, now, or not at all. */
function PaymentChoice({ booking: { usable, ...booking } }: { booking: CounterBooking }) {
  const staff = useStaff()
  const credits = usable.map((creditLot) => ({
    value: String(creditLot.available_class_id),
    title: creditLot.title,
    detail: creditLot.expiration_date
      ? `Vence el ${formatWall(creditLot.expiration_date, 'date')}`
      : 'Su plazo empieza con la primera clase',
    aside: creditLot.available_classes < 0 ? 'Ilimitado' : `${creditLot.available_classes} disponibles`,
  }))
  const first = { value: 'credit', title: 'La clase que vence primero', detail: 'De lo que tiene, en el orden en que se gasta.' }
  const courtesy = {
    value: 'courtesy',
    title: 'Cortesía',
    detail: 'Se le da una clase para este lugar, y no se cobra.',
    panel: <ReasonField label="Motivo de la cortesía" value={booking.courtesy} onChange={booking.setCourtesy} />,
  }
  return (
    <RadioCards
      legend="Cómo se paga"
      options={[
        ...(usable.length > 0 ? [first] : []),
        ...(usable.length > 1 ? credits : []),
        { value: 'owed', title: 'Paga en el estudio', detail: 'Su lugar queda por cobrar.' },
        {
          value: 'paid',
          title: 'Pagó ahora',
          detail: 'Se registra la venta de una clase suelta.',
          panel: <PaidWithFields value={booking.paid} onChange={booking.setPaid} />,
        },
        ...(may(staff, 'credits.edit') ? [courtesy] : []),
      ]}
      value={booking.payment}
      onChange={booking.setPayment}
    />
  )
}

/** Nueva venta with the person and the place: what is left when they have nothing to pay it with. */
const SellHere = ({ to }: { to: string }) => (
  <Button as={AppLink} to={to} size="small" variant="outline">
    Venderle en Nueva venta
  </Button>
)
