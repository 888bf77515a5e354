/** Stores the next classes of the signed-in customer on this device, for use without a connection. */
import { useEffect } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { type OfflineClass, storeNextClasses } from '#web/lib/offline.ts'
import { useComing } from './upcoming-reservations.ts'

function toOfflineClass({ single_class, spot, seat_label, guest }: Reservation): OfflineClass {
  const coach = single_class.class_instructors[0]?.instructor
  const { name, address } = single_class.location
  return {
    name: single_class.class_type.name,
    when: formatWall(single_class.class_date, 'class'),
    facts: [
      coach && `con ${instructorName(coach)}`,
      [name, address].filter(Boolean).join(', '),
      spot && spotName(spot, seat_label),
      guest && `con ${guest}`,
    ].filter((fact): fact is string => Boolean(fact)),
    ends_at: single_class.ends_at,
  }
}

/** Stores the upcoming reservations whenever they change, while the area is open. */
export function useOfflineClasses(): void {
  const coming = useComing()
  useEffect(() => {
    if (coming) void storeNextClasses(coming.map(toOfflineClass))
  }, [coming])
}
