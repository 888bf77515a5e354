import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { BookPerson } from './add-person.tsx'

interface ReserveDialogProps {
  customer: FoundCustomer
  /** the class that is proposed; null: it is chosen first */
  single_class_id: number | null
  onClose: () => void
}

/** Books a class for a customer from their file: which class, then seat and payment. */
export function ReserveDialog({ customer, single_class_id: proposed, onClose }: ReserveDialogProps) {
  const [chosen, setChosen] = useState(proposed)
  const location_id = useLocationFilter()
  const roster = useQuery({
    ...queries.attendance.roster.queryOptions({ input: { single_class_id: String(chosen ?? 0) }, staleTime: 0, meta: { handled: true } }),
    enabled: chosen !== null,
  })
  if (chosen !== null && roster.data)
    return (
      <BookPerson
        cls={roster.data.single_class}
        entries={roster.data.class_reservations.flatMap(({ spot, guest_spot }) => [{ spot }, { spot: guest_spot }])}
        location_id={location_id ?? roster.data.single_class.location_id}
        spot={null}
        customer={customer}
        back="Otra clase"
        onClose={onClose}
        onBack={() => setChosen(null)}
      />
    )
  return (
    <Dialog open onClose={onClose} title={`Reservar para ${customer.name}`}>
      {chosen === null ? (
        <ChooseClass location_id={location_id} onChoose={setChosen} />
      ) : (
        <Loaded query={roster} skeleton={<ListSkeleton rows={3} />} failed="No pudimos cargar la clase." nothing={false}>
          {null}
        </Loaded>
      )}
    </Dialog>
  )
}

/** The classes of a day that have not ended. */
function ChooseClass({ location_id, onChoose }: { location_id: number | null; onChoose: (single_class_id: number) => void }) {
  const site = useSite()
  const today = todayIn(site.zone)
  const [day, setDay] = useState<LocalDate>(today)
  const days = useDays(day, day, location_id)
  const now = useNow()
  const classes = (days.data?.days ?? [])
    .flatMap((day) => day.classes)
    .filter((cls) => cls.state !== 'cancelled' && Date.parse(cls.ends_at) > now)
  return (
    <div className="stack gap-12">
      <TextField
        label="Día"
        type="date"
        min={today}
        value={day}
        onChange={(event) => event.currentTarget.value && setDay(event.currentTarget.value as LocalDate)}
      />
      <Loaded
        query={days}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar las clases."
        nothing={classes.length === 0 && <EmptyState>Ese día no hay clases por tomar.</EmptyState>}
      >
        <ul className="found-customers" aria-label="Clases del día">
          {classes.map((cls) => (
            <li key={cls.single_class_id}>
              <button type="button" className="found-customer" onClick={() => onChoose(cls.single_class_id)}>
                <span>
                  <span className="strong">
                    {formatWall(cls.class_date, 'class')} · {cls.class_type.name}
                  </span>
                  <span className="small muted">
                    {cls.location.name} · {spotsLeftText(cls.places_left)}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
    </div>
  )
}

const spotsLeftText = (left: number) => (left < 1 ? 'llena' : left === 1 ? '1 lugar' : `${left} lugares`)
