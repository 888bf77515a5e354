/** What a demo studio is made of: names, texts, prices and a week. Everything with a date is computed around today. */
import type { Settings } from '#contract/settings.ts'
import type { classPackage, classType, discount, instructor, location } from '#server/modules/catalogue/tables.ts'

type Row<T extends { $inferInsert: object }, Own extends string> = Omit<T['$inferInsert'], Own | 'sort' | 'deletedAt'>

/** Weekday, hour, class type, coach, place, how full it gets, tag: one line of a week's table. */
export function slot(weekday: number, at: string, type: string, coach: string, place: string, draw: number, tag?: string): Slot {
  return { weekday, at, type, coach, place, draw, ...(tag ? { tag } : {}) }
}

/** A class that comes back every week, on the clocks of its studio. */
export interface Slot {
  /** 1 Monday .. 7 Sunday. */
  weekday: number
  /** "18:00" */
  at: string
  type: string
  coach: string
  place: string
  tag?: string
  /** How full it gets, 0 to 1: its hour, its coach, its fame. */
  draw: number
}

export interface DemoPackage extends Row<typeof classPackage, 'class_package_id' | 'sold' | 'createdAt'> {
  /** Given per class type, when it is not for all. */
  types?: readonly { type: string; class_amount: number; expiration_days: number }[]
}

export interface DemoPage {
  slug: string
  title: string
  source: string
  required?: boolean
  required_signup?: boolean
}

/** Somebody who can log in. */
export interface DemoLogin {
  name: string
  last_name: string
  email: string
  password: string
}

/** A video of the studio; `type` says which clip it plays. */
export interface DemoVideo {
  name: string
  description: string
  /** Minutes. */
  duration: number
  type: string
  coach: string
  kind: string
  tags: readonly string[]
  program?: string
  featured?: boolean
}

export interface DemoVideos {
  kinds: Readonly<Record<string, string>>
  tags: Readonly<Record<string, { name: string; color: string }>>
  programs: Readonly<Record<string, { name: string; description: string }>>
  /** Newest first, one every four days. */
  list: readonly DemoVideo[]
  upcoming: readonly (DemoVideo & { inDays: number })[]
  /** What the regular did, by the place of a video in the list. */
  mine: {
    favorites: readonly number[]
    started: readonly number[]
    completed: readonly number[]
    rated: readonly { at: number; stars: number; comment: string }[]
  }
}

export interface Brand {
  key: 'vaiven' | 'fragua'
  settings: Partial<Settings>
  places: Readonly<Record<string, Row<typeof location, 'location_id'>>>
  /** `capacity`: of a room without a map; otherwise the map says it. */
  types: Readonly<Record<string, Row<typeof classType, 'class_type_id'> & { capacity?: number }>>
  coaches: Readonly<Record<string, Row<typeof instructor, 'instructor_id'>>>
  packages: Readonly<Record<string, DemoPackage>>
  tags: Readonly<Record<string, { name: string; color: string }>>
  discounts: readonly Row<typeof discount, 'discount_id' | 'createdAt' | 'updatedAt' | 'used'>[]
  pages: readonly DemoPage[]
  /** `daysAgo`: how long before the first start it was published. */
  news: readonly { title: string; source: string; daysAgo: number }[]
  week: readonly Slot[]
  /** Null: a studio without videos. */
  videos: DemoVideos | null
  /** A class of the coming days that the studio called off, and why. */
  calledOff: { weekday: number; at: string; place: string; reason: string }
  /** A class that is bought by itself, as a package (S2-3.09). */
  event: {
    package: string
    type: string
    coaches: readonly string[]
    place: string
    weekday: number
    at: string
    minutes: number
    /** How many whole weeks after the first start. */
    weeksAhead: number
    description: string
  }
  owner: DemoLogin
  manager: DemoLogin
  reception: DemoLogin
  /** `coach`: whose classes this log-in sees. */
  coach: DemoLogin & { coach: string }
  /** A customer with a story: credits, past and future classes, a guest. */
  regular: DemoLogin & { favourite: string; second: string; retired: string }
  /** A customer who has just arrived: no credits. */
  newcomer: DemoLogin
  /** How many other people come here, by place. */
  people: Readonly<Record<string, number>>
}
