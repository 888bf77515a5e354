/** What the timeline of a customer lists, without schemas: the screen uses it without loading Zod. */

/** Kinds of entries, by what they are about. */
export const TIMELINE_GROUPS = {
  visits: ['booked', 'cancelled', 'attended', 'no_show', 'waitlist', 'penalty'],
  money: ['purchase', 'charge', 'refund', 'credits'],
  messages: ['message'],
  team: ['change'],
} as const
export type TimelineGroup = keyof typeof TIMELINE_GROUPS
export type TimelineKind = (typeof TIMELINE_GROUPS)[TimelineGroup][number]

export const TIMELINE_KINDS: readonly TimelineKind[] = Object.values(TIMELINE_GROUPS).flat()

/** The groups as the filter names them. */
export const timelineGroupLabels: Readonly<Record<TimelineGroup, string>> = {
  visits: 'Visitas',
  money: 'Dinero',
  messages: 'Mensajes',
  team: 'Equipo',
}
