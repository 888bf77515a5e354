/** News of places, written into the classes that a page shows. */
import type { ClassEvent } from '#web/lib/live.ts'
import type { CardClass, CardDay } from './class-facts.ts'

type Places = Pick<ClassEvent, 'taken' | 'places_left'>

/** A number may be changed in place; what a class offers may not: that is the server's to say. */
export const changesOffer = (cls: CardClass, news: ClassEvent): boolean =>
  news.cancelled || news.class_date !== cls.class_date || news.places_left === 0 || cls.places_left === 0 || cls.state === 'cancelled'

/** The days with the newest places. Days and classes without news stay the very same objects, so that they are not drawn again. */
export function applyClassEvent<D extends CardDay>(days: readonly D[], news: ReadonlyMap<number, Places>): D[] {
  return days.map((day) => {
    if (!day.classes.some(({ single_class_id }) => news.has(single_class_id))) return day
    return {
      ...day,
      classes: day.classes.map((cls) => {
        const told = news.get(cls.single_class_id)
        if (!told || (told.taken === cls.taken && told.places_left === cls.places_left)) return cls
        return { ...cls, taken: told.taken, places_left: told.places_left }
      }),
    }
  })
}
