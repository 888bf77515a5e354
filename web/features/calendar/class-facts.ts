/** Texts of a class and its actions: accessible name, state, buttons (design section 6). */

import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotInSentence, spotName } from '#contract/copy/names.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { spotsLeftText } from '#web/ui/marks-count.ts'

type Coach = Pick<SingleClass['class_instructors'][number]['instructor'], 'instructor_id' | 'name' | 'last_name' | 'nick_name' | 'file'>

/** The fields of a class that its card needs; public pages send only these to the browser. */
export type CardClass = Pick<
  SingleClass,
  | 'single_class_id'
  | 'class_date'
  | 'duration_minutes'
  | 'capacity'
  | 'taken'
  | 'places_left'
  | 'location_id'
  | 'substitutes_for'
  | 'class_package_id'
  | 'class_category_id'
  | 'tags'
  | 'icon'
  | 'state'
  | 'actions'
  | 'why_not'
  | 'opens_at'
  | 'mine'
  | 'waitlist_id'
> & {
  class_type: Pick<SingleClass['class_type'], 'class_type_id' | 'name'>
  location: Pick<SingleClass['location'], 'name'>
  class_instructors: readonly { instructor: Coach }[]
  /** "hora de Tijuana", in rows of public pages, where its location keeps another hour than the studio */
  zone?: string
}

/** Classes of one day. */
export interface CardDay<C extends CardClass = CardClass> {
  date: string
  classes: readonly C[]
  /** why the studio is closed, and at which locations (null: all) */
  closed?: readonly { name: string; places: readonly { location_id: number; name: string }[] | null }[] | undefined
}

/** Picks the card's fields from an answer of the API. */
export function cardClass(full: SingleClass): CardClass {
  const { single_class_id, class_date, duration_minutes, capacity, taken, places_left, location_id, class_package_id } = full
  const { class_category_id, tags, icon, substitutes_for } = full
  const { state, actions, why_not, opens_at, mine, waitlist_id, class_type, location, class_instructors } = full
  return {
    single_class_id,
    class_date,
    duration_minutes,
    capacity,
    taken,
    places_left,
    location_id,
    class_package_id,
    class_category_id,
    tags,
    icon: icon ?? class_type.icon,
    state,
    actions,
    why_not,
    opens_at,
    mine,
    waitlist_id,
    ...(substitutes_for && { substitutes_for }),
    class_type: { class_type_id: class_type.class_type_id, name: class_type.name },
    location: { name: location.name },
    class_instructors: class_instructors.map(({ instructor: { instructor_id, name, last_name, nick_name, file } }) => ({
      instructor: { instructor_id, name, last_name, nick_name, file },
    })),
  }
}

/** "Renata", "Renata y Tomás", "Diego (en lugar de Sofía)": nicknames if they have one (S2-3.10). Empty while no coach is assigned. */
export function coachNames(cls: Pick<CardClass, 'class_instructors' | 'substitutes_for'>): string {
  const names = cls.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  return cls.substitutes_for ? `${names} (en lugar de ${cls.substitutes_for})` : names
}

/** "7 lugares", "Último lugar", "Sin lugares"; a class without capacity is full (settled 20). */
export function spotsText(cls: Pick<CardClass, 'capacity' | 'places_left'>): string {
  const capacity = cls.capacity ?? 0
  return spotsLeftText(capacity, capacity - cls.places_left)
}

/** "Fila 2, lugar 5, con Jimena"; empty without a spot and a guest. `name`: formats the spot. */
export function myReservationText(cls: Pick<CardClass, 'mine'>, name = spotName): string {
  const { spot, guest, seat_label } = cls.mine ?? { spot: null, guest: null }
  return [spot && name(spot, seat_label), guest && `con ${guest}`].filter(Boolean).join(', ')
}

/** The sentence of a class without actions; null if its places or buttons are shown instead. */
export function stateSentence(cls: Pick<CardClass, 'state' | 'opens_at' | 'why_not'>): string | null {
  switch (cls.state) {
    case 'penalised':
      return `Con penalización${cls.opens_at ? ` hasta el ${formatWall(cls.opens_at, 'day')}` : ''}`
    case 'not_open':
      return cls.opens_at ? `Reservas abren el ${formatWall(cls.opens_at, 'class')}` : 'Las reservas aún no abren'
    case 'closed':
      if (cls.why_not?.code === 'CLASS_STARTED') return 'Ya comenzó'
      return cls.opens_at ? `Reservas cerraron el ${formatWall(cls.opens_at, 'class')}` : 'Reservas cerradas'
    case 'cancelled':
      return 'Cancelada por el estudio'
    default:
      return null
  }
}

/** The attendance of the viewer in a past class; null without a reservation or before it is marked. */
export function pastLabel(cls: Pick<CardClass, 'mine'>): 'Exitosa' | 'No Asistí' | null {
  if (cls.mine?.attend === true) return 'Exitosa'
  return cls.mine?.attend === false ? 'No Asistí' : null
}

/** "Reformer Flow, miércoles 18, 18:00, con Renata, 3 lugares" (design section 7). */
export function articleName(cls: CardClass): string {
  const when = `${formatWall(cls.class_date, 'weekday')}, ${formatWall(cls.class_date, 'hour')}`
  const coaches = coachNames(cls)
  const state =
    cls.state === 'reserved'
      ? ['reservada', myReservationText(cls, spotInSentence)].filter(Boolean).join(', ')
      : cls.state === 'waitlisted'
        ? 'en lista de espera'
        : cls.state === 'past'
          ? (pastLabel(cls) ?? 'ya pasó')
          : (stateSentence(cls) ?? spotsText(cls))
  const tags = cls.tags.map(({ name }) => name).join(', ')
  return [cls.class_type.name, tags, when, coaches && `con ${coaches}`, state].filter(Boolean).join(', ')
}

export type ClassVerb =
  | 'reserve'
  | 'buy'
  | 'cancel'
  | 'add_guest'
  | 'join_waitlist'
  | 'leave_waitlist'
  | 'penalty'
  | 'place'
  | 'others'
  | 'why'

export interface ClassOffer {
  verb: ClassVerb
  label: string
  /** label for larger buttons */
  longLabel?: string
  /** the one filled button of the card */
  filled: boolean
}

const OFFERS = {
  reserve: { verb: 'reserve', label: 'Reservar', filled: true },
  buy: { verb: 'buy', label: 'Comprar', filled: true },
  add_guest: { verb: 'add_guest', label: '+1', longLabel: '+1 invitado', filled: true },
  cancel: { verb: 'cancel', label: 'Cancelar', filled: false },
  join_waitlist: { verb: 'join_waitlist', label: 'Espera', filled: false },
  leave_waitlist: { verb: 'leave_waitlist', label: 'Quitarme', filled: false },
  others: { verb: 'others', label: 'Otras clases', filled: false },
} as const satisfies Partial<Record<ClassVerb, ClassOffer>>

/** The buttons of a class, from the actions that the server allows; the browser has no rules of its own. */
export function listOffers(cls: Pick<CardClass, 'actions' | 'state'>): ClassOffer[] {
  const { reserve, cancel, add_guest, join_waitlist, leave_waitlist } = cls.actions
  const offers: ClassOffer[] = []
  if (reserve) offers.push(reserve === 'buy' ? OFFERS.buy : OFFERS.reserve)
  if (add_guest) offers.push(OFFERS.add_guest)
  if (cancel) offers.push(OFFERS.cancel)
  if (join_waitlist) offers.push(OFFERS.join_waitlist)
  if (leave_waitlist) offers.push(OFFERS.leave_waitlist)
  if (cls.state === 'cancelled') offers.push(OFFERS.others)
  return offers
}

const ARIA_VERBS: Record<ClassVerb, string> = {
  reserve: 'Reservar',
  buy: 'Comprar',
  cancel: 'Cancelar mi lugar en',
  add_guest: '+1 invitado en',
  join_waitlist: 'Anotarme en la lista de espera de',
  leave_waitlist: 'Quitarme de la lista de espera de',
  penalty: 'Ver por qué:',
  place: 'Ver mi lugar en',
  others: 'Otras clases en vez de',
  why: 'Qué puedo hacer:',
}

/**
 * The accessible name of a button: "Reservar Reformer con Renata, miércoles 18 de noviembre, 18:00". Screen readers list buttons without
 * their cards; the coach distinguishes two classes of one type and hour.
 */
export function offerName(verb: ClassVerb, cls: Pick<CardClass, 'class_type' | 'class_date' | 'class_instructors'>): string {
  const coaches = coachNames(cls)
  return `${ARIA_VERBS[verb]} ${cls.class_type.name}${coaches && ` con ${coaches}`}, ${formatWall(cls.class_date, 'spoken')}`
}
