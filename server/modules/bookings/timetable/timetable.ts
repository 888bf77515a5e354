/**
 * In-process cache of the calendar: facts of classes that do not depend on the viewer, and the classes of each day. A class event
 * invalidates that class; events of catalogue or settings, and missed events, invalidate everything. Every entry also expires. A class that
 * is read again with the same text keeps its facts: comparing the texts takes a tenth of the time of making the facts.
 */
import type * as z from 'zod'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { pesos } from '#contract/money.ts'
import { roomMapSent } from '#contract/rooms.ts'
import type { closedDay, SingleClass } from '#contract/schedule.ts'
import { studioZone } from '#contract/settings.ts'
import { addDays, type LocalDate, wallClock } from '#contract/time.ts'
import {
  type ClassRow,
  idInText,
  listClasses,
  listClassesAndNames,
  type Names,
  type Which,
} from '#server/modules/bookings/store/timetable-store.ts'
import { photoOf } from '#server/modules/catalogue/catalogue.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { type ClassCore, type Days, type RoomSeats, roomSeats, spotsLeft } from '#server/modules/schedule/schedule.ts'
import type { BusEvent } from '#server/platform/events.ts'

type ClosedDay = z.infer<typeof closedDay>

/** The part of a class on the wire that does not depend on the viewer or the time. */
export type PublicClassFacts = Omit<SingleClass, 'state' | 'actions' | 'why_not' | 'opens_at' | 'mine' | 'waitlist_id' | 'figures'>

export interface ClassFacts extends ClassCore {
  date: LocalDate
  coach_ids: readonly number[]
  /** Why the studio cancelled it; empty = not cancelled, or no reason given. */
  cancel_reason: string
  /** The seats of its room; null without a room's map, or when the class has other rows than the map has now. */
  seats: RoomSeats | null
  shown: PublicClassFacts
}

type Cached<T> = { value: T; until: number }
/** The facts of a class, and all that they were made from. `places`: whether its number of free places may have changed. */
type CachedClass = Cached<ClassFacts> & { places: 'known' | 'changed'; text: string; names: ByName; zone: string }
/** The catalogue objects that classes reference, serialized once for all of them. */
type ByName = {
  types: Map<number, PublicClassFacts['class_type']>
  locations: Map<number, { timezone: string | null; archived: boolean; shown: PublicClassFacts['location'] }>
  coaches: Map<number, PublicClassFacts['class_instructors'][number]>
  tags: Map<number, PublicClassFacts['tags'][number]>
  rooms: Map<number, RoomSeats | null>
  holidays: Names['holidays']
}

const MAX_CLASSES = 20_000
const MAX_LISTS = 500

export class Timetable {
  readonly #studio: Studio
  readonly #classes = new Map<number, CachedClass>()
  readonly #lists = new Map<string, Cached<readonly number[]> & Days>()
  #names: (Cached<ByName> & { text: string }) | null = null
  // Logical clock of reads and events: a result read before an event must not be cached after it.
  #clock = 0
  #reading = 0
  readonly #changedClass = new Map<number, number>()
  #changedLists = 0
  #changedAll = 0

  constructor(studio: Studio) {
    this.#studio = studio
    studio.events.listen((event) => this.#onEvent(event))
    studio.onSettings(() => this.#onEvent({ topic: 'settings' }))
  }

  /** The classes of the given days, ordered by start. */
  async between(days: Days): Promise<ClassFacts[]> {
    return (await this.#between(days)).classes
  }

  /**
   * The same, and why the studio is closed on some of these days, by day. Archived locations are left out. `location_id`: closed at this
   * location only.
   */
  async week(days: Days, location_id?: number): Promise<{ classes: ClassFacts[]; closed: ReadonlyMap<LocalDate, ClosedDay[]> }> {
    const { classes, names } = await this.#between(days)
    return { classes, closed: closedDays(names ?? (await this.#allNames()), days, location_id) }
  }

  async #between(days: Days): Promise<{ classes: ClassFacts[]; names: ByName | null }> {
    const isWithin = (cls: ClassFacts) => cls.date >= days.start && cls.date <= days.end
    const key = `${days.start} ${days.end}`
    const list = fresh(this.#lists.get(key))
    if (list) return { classes: (await this.byId(list)).filter(isWithin).sort(byHour), names: fresh(this.#names) }
    return this.#read(async (begun) => {
      const zone = studioZone(this.#studio.settings())
      const { classes, names } = await this.#readClasses({ start: days.start, end: days.end, zone }, begun)
      if (this.#caches && begun > this.#changedLists && begun > this.#changedAll) {
        if (this.#lists.size >= MAX_LISTS) this.#lists.clear()
        this.#lists.set(key, { ...this.#cached(classes.map((cls) => cls.single_class_id)), ...days })
      }
      return { classes: classes.filter(isWithin).sort(byHour), names }
    })
  }

  /** One class whose number of free spots may be slightly stale, for callers that read it themselves. Null for an unknown id. */
  async getPossiblyStale(id: number): Promise<ClassFacts | null> {
    return (await this.listPossiblyStale([id]))[0] ?? null
  }

  /** The same for several classes: unknown ids are left out. */
  async listPossiblyStale(ids: readonly number[]): Promise<ClassFacts[]> {
    const known = ids.flatMap((id) => fresh(this.#classes.get(id)) ?? [])
    if (known.length === ids.length) return known
    const missing = ids.filter((id) => !known.some((cls) => cls.single_class_id === id))
    return [...known, ...(await this.byId(missing))]
  }

  /** Classes by id; unknown ids are left out. */
  async byId(ids: readonly number[]): Promise<ClassFacts[]> {
    const found: ClassFacts[] = []
    const missing: number[] = []
    for (const id of ids) {
      const cached = this.#classes.get(id)
      const known = cached?.places === 'known' ? fresh(cached) : null
      if (known) found.push(known)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    return this.#read(async (begun) => {
      const { classes } = await this.#readClasses({ ids: missing }, begun)
      found.push(...classes)
      return found
    })
  }

  /** The seats of all rooms, for rows that are read without their classes. */
  async seatsByRoom(): Promise<ReadonlyMap<number, RoomSeats | null>> {
    return (await this.#allNames()).rooms
  }

  async #allNames(): Promise<ByName> {
    return fresh(this.#names) ?? (await this.#read((begun) => this.#readClasses({ ids: [] }, begun))).names
  }

  async #read<T>(work: (begun: number) => Promise<T>): Promise<T> {
    const begun = ++this.#clock
    this.#reading++
    try {
      return await work(begun)
    } finally {
      if (--this.#reading === 0) this.#changedClass.clear()
    }
  }

  /** Reads classes, and the catalogue objects that they reference when those are not cached or one is missing. */
  async #readClasses(which: Which, begun: number): Promise<{ classes: ClassFacts[]; names: ByName }> {
    const zone = studioZone(this.#studio.settings())
    const cached = fresh(this.#names)
    if (cached) {
      const classes = this.#factsOf(await listClasses(this.#studio.db.read, which), { names: cached, zone }, begun)
      if (classes) return { classes, names: cached }
    }
    const read = await listClassesAndNames(this.#studio.db.read, which)
    const last = this.#names
    const names = last?.text === read.names ? last.value : namesOf(JSON.parse(read.names))
    if (begun >= this.#changedAll) this.#names = { ...this.#cached(names), text: read.names }
    const classes = this.#factsOf(read.classes, { names, zone }, begun)
    if (!classes) throw new Error('A class points at something that is not there.')
    return { classes, names }
  }

  /** The facts of classes that were read; null when one of them references an object that `names` does not have. */
  #factsOf(texts: readonly string[], { names, zone }: { names: ByName; zone: string }, begun: number): ClassFacts[] | null {
    const until = this.#until()
    const found: ClassFacts[] = []
    for (const text of texts) {
      const id = idInText(text)
      let cached = this.#classes.get(id)
      if (cached?.text !== text || cached.names !== names || cached.zone !== zone) {
        const row = JSON.parse(text) as ClassRow
        if (!knows(names, row)) return null
        // A copy: a part of the text of all classes would keep all of it in memory.
        cached = { value: factsOf(row, names, zone), until, places: 'known', text: Buffer.from(text).toString(), names, zone }
      }
      found.push(cached.value)
      if (begun < this.#changedAll || begun < (this.#changedClass.get(id) ?? 0)) continue
      if (this.#classes.size >= MAX_CLASSES) this.#classes.clear()
      cached.until = until
      cached.places = 'known'
      this.#classes.set(id, cached)
    }
    return found
  }

  get #caches(): boolean {
    return this.#studio.cacheSeconds > 0
  }

  /** When something that is read now expires: at once when nothing may be cached. */
  #until(): number {
    return this.#caches ? performance.now() + this.#studio.cacheSeconds * 1000 : 0
  }

  #cached<T>(value: T): Cached<T> {
    return { value, until: this.#until() }
  }

  #onEvent(event: BusEvent) {
    if (event.topic === 'class') {
      const id = event.single_class_id
      if (this.#reading > 0) this.#changedClass.set(id, ++this.#clock)
      const cached = this.#classes.get(id)
      if (event.only === 'places') {
        if (cached) cached.places = 'changed'
        return
      }
      this.#classes.delete(id)
      // A new or moved class changes the list of its day; a booking does not. The neighbouring days are invalidated too, for any time zone.
      const day = event.class_date.slice(0, 10)
      for (const [key, list] of this.#lists) {
        const near = day >= addDays(list.start, -1) && day <= addDays(list.end, 1)
        if (near !== list.value.includes(id)) {
          this.#lists.delete(key)
          this.#changedLists = ++this.#clock
        }
      }
      if (this.#reading > 0) this.#changedLists = ++this.#clock
    } else if (event.topic === 'catalogue' || event.topic === 'settings' || event.topic === 'missed') {
      this.#classes.clear()
      this.#lists.clear()
      this.#names = null
      this.#changedAll = ++this.#clock
    }
  }
}

const tables = new WeakMap<Studio, Timetable>()

/** The timetable of a studio, created on first use and collected with the studio. */
export function timetable(studio: Studio): Timetable {
  let found = tables.get(studio)
  if (!found) {
    found = new Timetable(studio)
    tables.set(studio, found)
  }
  return found
}

/** The seats of the studio's rooms, by room; null for a room without a map. */
export const seatsByRoom = ({ studio }: { studio: Studio }) => timetable(studio).seatsByRoom()

function fresh<T>(cached: Cached<T> | null | undefined): T | null {
  return cached && cached.until > performance.now() ? cached.value : null
}

const byHour = (a: ClassFacts, b: ClassFacts) => a.wall.getTime() - b.wall.getTime() || a.single_class_id - b.single_class_id

function knows(names: ByName, row: ClassRow): boolean {
  return (
    names.types.has(row.class_type_id) &&
    names.locations.has(row.location_id) &&
    [...(row.coaches ?? []), ...(row.substitutes_for === null ? [] : [row.substitutes_for])].every((id) => names.coaches.has(id)) &&
    (row.tags ?? []).every((id) => names.tags.has(id)) &&
    (row.room_id === null || names.rooms.has(row.room_id))
  )
}

function factsOf(row: ClassRow, names: ByName, studioZone: string): ClassFacts {
  const location = found(names.locations, row.location_id)
  const zone = location.timezone ?? studioZone
  const starts_at = new Date(row.starts)
  const ends_at = new Date(row.ends)
  const wall = wallClock(starts_at, zone)
  const class_date = wall.toISOString()
  const places_left = spotsLeft(row)
  const coach_ids = row.coaches ?? []
  const seats = row.room_id === null ? null : (names.rooms.get(row.room_id) ?? null)
  return {
    single_class_id: row.single_class_id,
    class_type_id: row.class_type_id,
    location_id: row.location_id,
    class_package_id: row.class_package_id,
    starts_at,
    ends_at,
    wall,
    zone,
    date: class_date.slice(0, 10),
    capacity: row.capacity,
    taken: row.taken,
    held: row.held,
    places_left,
    spot_map: row.spot_map,
    closed_spots: row.closed_spots,
    cancelled: row.cancelled,
    movedAt: row.moved === null ? null : new Date(row.moved),
    cancel_reason: row.cancel_reason ?? '',
    coach_ids,
    seats: seats?.spot_map === row.spot_map ? seats : null,
    shown: {
      single_class_id: row.single_class_id,
      class_date,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
      timezone: zone,
      duration_minutes: Math.round((row.ends - row.starts) / 60_000),
      description: row.description,
      capacity: row.capacity,
      taken: row.taken + row.held,
      places_left,
      class_reservations: reservationsOf(row),
      class_instructors: coach_ids.map((id) => found(names.coaches, id)),
      ...(row.substitutes_for === null ? {} : { substitutes_for: instructorName(found(names.coaches, row.substitutes_for).instructor) }),
      class_type: typeWithMap(found(names.types, row.class_type_id), row.spot_map),
      location: location.shown,
      location_id: row.location_id,
      class_package_id: row.class_package_id,
      class_category_id: row.class_category_id,
      tags: (row.tags ?? []).map((id) => found(names.tags, id)),
      icon: row.icon,
      spot_map: row.spot_map,
      closed_spots: row.closed_spots,
      price: row.price_centavos === null ? null : pesos(row.price_centavos),
    },
  }
}

/** The catalogue objects that were read, by their ids and as they are sent. */
function namesOf(read: Names): ByName {
  return {
    types: new Map(read.types.map((type) => [type.class_type_id, shownType(type)])),
    locations: new Map(read.locations.map(({ timezone, archived, ...shown }) => [shown.location_id, { timezone, archived, shown }])),
    coaches: new Map(read.coaches.map((coach) => [coach.instructor_id, { instructor: shownCoach(coach) }])),
    tags: new Map(read.tags.map((tag) => [tag.tag_id, tag])),
    rooms: new Map(read.rooms.map(({ room_id, map }) => [room_id, seatsOfRoom(map)])),
    holidays: read.holidays,
  }
}

/** Why the studio is closed on some days, by day. */
function closedDays({ holidays, locations }: ByName, days: Days, location_id?: number): Map<LocalDate, ClosedDay[]> {
  const closed = new Map<LocalDate, ClosedDay[]>()
  for (const { name, from_day, to_day, location_ids } of holidays) {
    if (to_day < days.start || from_day > days.end) continue
    const isShown = (id: number) => locations.get(id)?.archived === false && (location_id === undefined || id === location_id)
    const ids = location_ids?.filter(isShown) ?? null
    if (ids?.length === 0) continue
    const at = ids?.map((id) => ({ location_id: id, name: found(locations, id).shown.name })) ?? null
    const last = to_day < days.end ? to_day : days.end
    for (let date = from_day > days.start ? from_day : days.start; date <= last; date = addDays(date, 1))
      closed.set(date, [...(closed.get(date) ?? []), { name, places: at }])
  }
  return closed
}

/** A stored map of another shape counts as none: the seats are then called by row and column. */
function seatsOfRoom(map: unknown): RoomSeats | null {
  const read = map === null ? null : roomMapSent.safeParse(map)
  return read?.success ? roomSeats(read.data) : null
}

/**
 * One entry for each reserved or held place (S2-4.11). `spot` is null in a room without a map, for reservations without a spot and for held
 * places.
 */
function reservationsOf({ spots, taken, held }: ClassRow): { spot: string | null }[] {
  const reservations: { spot: string | null }[] = (spots ?? []).map((spot) => ({ spot }))
  while (reservations.length < taken + held) reservations.push({ spot: null })
  return reservations
}

/** A class's type with the map of that class, which may be that of its room (S2-3.08). */
const typeWithMap = <T extends { spot_map: string | null }>(type: T, spot_map: string | null): T =>
  type.spot_map === spot_map ? type : { ...type, spot_map }

/** Looks up a referenced object; foreign keys guarantee that it exists. */
function found<T>(names: Map<number, T>, id: number): T {
  const name = names.get(id)
  if (!name) throw new Error('A class points at something that is not there.')
  return name
}

function shownType({ image, ...type }: Names['types'][number]) {
  return { ...type, image: image ? { src: image } : null }
}

function shownCoach(coach: Names['coaches'][number]) {
  const { photo, birthdate, ...rest } = coach
  return {
    ...rest,
    // Day and month only: a birth year is not public (S1-2.17).
    birthdate: birthdate && `--${birthdate.slice(5)}`,
    file: photoOf(photo),
  }
}
