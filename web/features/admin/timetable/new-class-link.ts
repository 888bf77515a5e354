/** What is known of a new class before its panel opens, as parameters of the URL. Pure. */
export interface NewClassLink {
  class_type_id: number | null
  location_id: number | null
  room_id: number | null
  coach: number | null
  minutes: number | null
  /** Days of the week on which it repeats, 1 = Monday; empty: it does not. */
  weekdays: readonly number[]
}

const KEYS = { class_type_id: 'que', location_id: 'donde', room_id: 'en', coach: 'con', minutes: 'dura', weekdays: 'dias' } as const

export const NEW_CLASS: NewClassLink = { class_type_id: null, location_id: null, room_id: null, coach: null, minutes: null, weekdays: [] }

/** Removes the parameters. */
export const NO_NEW_CLASS: Readonly<Record<string, null>> = Object.fromEntries(Object.values(KEYS).map((key) => [key, null]))

const idOf = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

/** The parameters that contain it; what is unknown is left out. */
export function newClassQuery(link: NewClassLink): Record<string, string | null> {
  const of = (value: number | null) => value?.toString() ?? null
  return {
    ...NO_NEW_CLASS,
    [KEYS.class_type_id]: of(link.class_type_id),
    [KEYS.location_id]: of(link.location_id),
    [KEYS.room_id]: of(link.room_id),
    [KEYS.coach]: of(link.coach),
    [KEYS.minutes]: of(link.minutes),
    [KEYS.weekdays]: link.weekdays.join('') || null,
  }
}

/** What the parameters contain; unreadable ones count as missing. */
export function newClassOf(query: URLSearchParams): NewClassLink {
  const minutes = idOf(query.get(KEYS.minutes))
  const days = query.get(KEYS.weekdays) ?? ''
  return {
    class_type_id: idOf(query.get(KEYS.class_type_id)),
    location_id: idOf(query.get(KEYS.location_id)),
    room_id: idOf(query.get(KEYS.room_id)),
    coach: idOf(query.get(KEYS.coach)),
    minutes: minutes !== null && minutes >= 5 && minutes <= 1440 ? minutes : null,
    weekdays: /^[1-7]{1,7}$/.test(days) ? [...new Set(days)].map(Number).sort() : [],
  }
}
