/**
 * The class that a visitor wants to reserve after logging in, signing up or buying. Stored on this device, so that it
 * survives the pages in between, a bank's page and a link in a mail; a purchase carries it too (docs/domain.md V52).
 */
import { instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import type { WantedClass } from '#contract/sales.ts'
import { KNOWN_DEVICE } from './session.ts'

/** A wanted class with the texts that the pages in between show. */
export interface NotedClass extends WantedClass {
  /** "Reformer Flow con Renata" */
  name: string
  /** wall clock written as UTC */
  class_date: string
}

interface WantableClass {
  single_class_id: number
  class_date: string
  class_type: { name: string }
  class_instructors: readonly { instructor: Parameters<typeof instructorName>[0] }[]
}

/** A class as it is noted while its customer signs up or buys. */
export function toNotedClass(cls: WantableClass, chosen: Partial<Pick<NotedClass, 'spot' | 'with_guest'>> = {}): NotedClass {
  const coaches = cls.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  return {
    single_class_id: cls.single_class_id,
    day: cls.class_date.slice(0, 10),
    spot: chosen.spot ?? null,
    with_guest: chosen.with_guest ?? false,
    name: cls.class_type.name + (coaches && ` con ${coaches}`),
    class_date: cls.class_date,
  }
}

const NOTE = 'estudio:clase'
/** How long a note is valid: long enough for a mail that arrives late, short enough that a later purchase is not taken for this class. */
const VALID_MS = 3 * 3_600_000

/** Notes the wanted class. Without storage (private windows) the address of the log-in page still has the class. */
export function noteWantedClass(wanted: NotedClass): void {
  try {
    localStorage.setItem(NOTE, JSON.stringify({ ...wanted, until: Date.now() + VALID_MS }))
  } catch {
    // See above.
  }
}

/** The noted class; null without one. */
export function readWantedClass(): NotedClass | null {
  try {
    const note = JSON.parse(localStorage.getItem(NOTE) ?? 'null') as (NotedClass & { until: number }) | null
    if (!note || !(note.until > Date.now()) || !Number.isInteger(note.single_class_id)) return null
    const { until: _, ...wanted } = note
    return wanted
  } catch {
    return null
  }
}

/** Forgets the noted class: it is reserved, or no longer wanted. */
export function forgetWantedClass(): void {
  try {
    localStorage.removeItem(NOTE)
  } catch {
    // Nothing was stored either.
  }
}

/** Whether an account was ever used on this device: otherwise the sign-up is offered first. */
export function wasSignedInHere(): boolean {
  try {
    return localStorage.getItem(KNOWN_DEVICE) === '1'
  } catch {
    return false
  }
}

/** What is sent with a purchase. */
export const wantedOnWire = ({ single_class_id, day, spot, with_guest }: WantedClass): WantedClass => ({
  single_class_id,
  day,
  spot,
  with_guest,
})

/** The address of the open reserve dialog with the chosen seat and guest. `order`: the purchase that was just paid for it. */
export function wantedPath({ single_class_id, day, spot, with_guest }: WantedClass, order?: number): string {
  const choices = new URLSearchParams()
  if (spot) choices.set('sitio', spot)
  if (with_guest) choices.set('con_invitado', '1')
  if (order) choices.set('pagado', String(order))
  return `${paths.mystudio.classOn(single_class_id, day)}${choices.size ? `&${choices}` : ''}`
}
