/** Stores the next classes of the signed-in customer on this device, for use without a connection. */
import { useEffect } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { type OfflineClass, storeNextClasses } from '#web/lib/offline.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useComing } from './upcoming-reservations.ts'

/** Loaded with the library that draws it, after the page. */
const drawCode = async (publicUrl: string, reservationId: number) =>
  (await import('./access-code-picture.ts')).drawAccessCode(publicUrl, reservationId)

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

/** How many of the next classes have their access code stored; each takes about 6 kB. */
const WITH_CODE = 3
/** How long after the page's own work the codes are drawn, in milliseconds. */
const CODES_AFTER = 2_000

/**
 * Stores the upcoming reservations whenever they change, while the area is open; a little later again with the access codes of the
 * first ones.
 */
export function useOfflineClasses(): void {
  const { publicUrl } = useSite()
  const coming = useComing()
  useEffect(() => {
    if (!coming) return
    const classes = coming.map(toOfflineClass)
    void storeNextClasses(classes)
    let left = false
    const timer = setTimeout(async () => {
      const codes = coming.slice(0, WITH_CODE).map(async ({ class_reservation_id, actions }, at) => {
        const code = actions.access_code && (await drawCode(publicUrl, class_reservation_id).catch(() => null))
        if (code) Object.assign(classes[at] ?? {}, { code })
      })
      await Promise.all(codes)
      // After a log-out, or with other reservations, these are not stored any more.
      if (classes.some(({ code }) => code) && !left) await storeNextClasses(classes)
    }, CODES_AFTER)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [coming, publicUrl])
}
