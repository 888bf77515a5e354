/** Types of a demo studio's data: names, texts, prices and a week. All dates are computed around today. */
import type { Settings } from '#contract/settings.ts'
import type { classPackage, classType, discount, instructor, location } from '#server/modules/catalogue/tables.ts'

type Row<T extends { $inferInsert: object }, Own extends string> = Omit<T['$inferInsert'], Own | 'sort' | 'deletedAt'>

/** The landing page of both demo studios: the classes right after the hero, the map at the end. */
export const landingOrder = {
  schedule_order: 2,
  about_order: 3,
  mission_order: 4,
  class_types_order: 5,
  coaches_order: 6,
  packages_order: 7,
  announcements_order: 8,
  location_enabled: true,
  location_order: 9,
} as const satisfies Partial<Settings>

/** One row of a week's table: weekday, hour, class type, instructor, location, how full it gets, tag. */
export function slot(weekday: number, at: string, type: string, coach: string, location: string, draw: number, tag?: string): Slot {
  return { weekday, at, type, coach, location, draw, ...(tag ? { tag } : {}) }
}

/** A weekly class, in the zone of its location. */
export interface Slot {
  /** 1 Monday .. 7 Sunday. */
  weekday: number
  /** "18:00" */
  at: string
  type: string
  coach: string
  location: string
  tag?: string
  /** How full it gets, from 0 to 1. */
  draw: number
}

export interface DemoPackage extends Row<typeof classPackage, 'class_package_id' | 'sold' | 'createdAt'> {
  /** Credits per class type, when they are not for all types. */
  types?: readonly { type: string; class_amount: number; expiration_days: number }[]
}

export interface DemoPage {
  slug: string
  title: string
  source: string
  required?: boolean
  required_signup?: boolean
}

/** A person who can log in. */
export interface DemoLogin {
  name: string
  last_name: string
  email: string
  password: string
}

/** A video of the studio; `type` selects the clip. */
export interface DemoVideo {
  name: string
  description: string
  /** In minutes. */
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
  /** Newest first, published four days apart. */
  list: readonly DemoVideo[]
  upcoming: readonly (DemoVideo & { inDays: number })[]
  /** What the regular customer did, by the index of a video in the list. */
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
  locations: Readonly<Record<string, Row<typeof location, 'location_id'>>>
  /** `capacity`: for a room without a map; otherwise the map determines it. */
  types: Readonly<Record<string, Row<typeof classType, 'class_type_id'> & { capacity?: number }>>
  coaches: Readonly<Record<string, Row<typeof instructor, 'instructor_id'>>>
  packages: Readonly<Record<string, DemoPackage>>
  tags: Readonly<Record<string, { name: string; color: string }>>
  discounts: readonly Row<typeof discount, 'discount_id' | 'createdAt' | 'updatedAt' | 'used'>[]
  pages: readonly DemoPage[]
  /** `daysAgo`: how many days before the first start it was published. */
  posts: readonly { title: string; source: string; daysAgo: number }[]
  week: readonly Slot[]
  /** Null: the studio has no videos. */
  videos: DemoVideos | null
  /** Names of files of photos/, for the hero and by class type; without them there are drawings. */
  photos?: { hero: string; types: Readonly<Record<string, string>> }
  /** An upcoming class that the studio cancelled, and the reason. */
  calledOff: { weekday: number; at: string; location: string; reason: string }
  /** A class sold as a package of its own (S2-3.09). */
  event: {
    package: string
    type: string
    coaches: readonly string[]
    location: string
    weekday: number
    at: string
    minutes: number
    /** Whole weeks after the first start. */
    weeksAhead: number
    description: string
  }
  owner: DemoLogin
  manager: DemoLogin
  reception: DemoLogin
  /** `coach`: the instructor of this staff account. */
  coach: DemoLogin & { coach: string }
  /** A customer with a history: credits, past and upcoming classes, a guest. */
  regular: DemoLogin & { favourite: string; second: string; retired: string }
  /** A new customer without credits. */
  newcomer: DemoLogin
  /** Number of other customers, by location. */
  people: Readonly<Record<string, number>>
}
