/** Writes the coming classes of the signed-in customer down on this device, for when there is no connection. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { api, queries } from '#web/lib/api.ts'
import { type KeptClass, keepNextClasses } from '#web/lib/offline.ts'

function kept({ single_class, spot, guest }: Reservation): KeptClass {
  const coach = single_class.class_instructors[0]?.instructor
  const { name, address } = single_class.location
  return {
    name: single_class.class_type.name,
    when: formatWall(single_class.class_date, 'class'),
    facts: [
      coach && `con ${instructorName(coach)}`,
      [name, address].filter(Boolean).join(', '),
      spot && spotName(spot),
      guest && `con ${guest}`,
    ].filter((fact): fact is string => Boolean(fact)),
    ends_at: single_class.ends_at,
  }
}

/** The list answers the last class first, so the soonest ones are at the end of its last page. */
async function soonest(): Promise<Reservation[]> {
  const first = await api.bookings.list({ filter: 'upcoming', page: 1 })
  const last = first.pages > 1 ? await api.bookings.list({ filter: 'upcoming', page: first.pages }) : first
  return last.class_reservations.toReversed()
}

/** Asked again whenever reservations change, because its key is one of theirs. */
export function useKeptClasses(): void {
  const { data } = useQuery({ queryKey: [...queries.bookings.key(), 'kept'], queryFn: soonest, staleTime: 60_000, meta: { handled: true } })
  useEffect(() => {
    if (data) void keepNextClasses(data.map(kept))
  }, [data])
}
