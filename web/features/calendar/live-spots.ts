/** Applies live occupancy events to the classes that a page shows. */
import type { ClassEvent } from '#web/lib/live.ts'
import type { CardClass, CardDay } from './class-facts.ts'

type Occupancy = Pick<ClassEvent, 'taken' | 'places_left'>

/** Whether an event may change the actions of a class, which only the server knows; other events change only the numbers. */
export const changesOffer = (cls: CardClass, event: ClassEvent): boolean =>
  event.cancelled || event.class_date !== cls.class_date || event.places_left === 0 || cls.places_left === 0 || cls.state === 'cancelled'

/** The days with the latest occupancy. Days and classes without events stay the same objects, so that React does not render them again. */
export function applyClassEvent<D extends CardDay>(days: readonly D[], events: ReadonlyMap<number, Occupancy>): D[] {
  return days.map((day) => {
    if (!day.classes.some(({ single_class_id }) => events.has(single_class_id))) return day
    return {
      ...day,
      classes: day.classes.map((cls) => {
        const event = events.get(cls.single_class_id)
        if (!event || (event.taken === cls.taken && event.places_left === cls.places_left)) return cls
        return { ...cls, taken: event.taken, places_left: event.places_left }
      }),
    }
  })
}
