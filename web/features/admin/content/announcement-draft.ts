/** An announcement as its panel holds it, and what it is at an instant (docs/domain.md T5). */
import { formatInstant, fromWallClock, wallClock } from '#contract/time.ts'
import type { api } from '#web/lib/api.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export type StaffAnnouncement = Awaited<ReturnType<typeof api.content.admin.announcements.all>>['announcements'][number]

export interface AnnouncementDraft {
  title: string
  content: string
  pinned: boolean
  /** "2026-11-24T18:30" on the studio's clocks; '': none */
  from: string
  until: string
  /** empty: all locations */
  location_ids: readonly number[]
}

export const NEW_ANNOUNCEMENT: AnnouncementDraft = { title: '', content: '', pinned: false, from: '', until: '', location_ids: [] }

const wallOf = (instant: string | null, zone: string) =>
  instant === null ? '' : wallClock(new Date(instant), zone).toISOString().slice(0, 16)
const instantOf = (wall: string, zone: string) => (wall === '' ? null : fromWallClock(new Date(`${wall}:00.000Z`), zone).toISOString())

export const draftOfAnnouncement = (row: StaffAnnouncement, zone: string): AnnouncementDraft => ({
  title: row.title,
  content: row.source ?? row.content,
  pinned: row.pinned,
  location_ids: row.location_ids ?? [],
  from: wallOf(row.from, zone),
  until: wallOf(row.until, zone),
})

export const toRequest = ({ title, content, pinned, from, until, location_ids }: AnnouncementDraft, zone: string) => ({
  title,
  content,
  pinned,
  location_ids: location_ids.length ? [...location_ids] : null,
  from: instantOf(from, zone),
  until: instantOf(until, zone),
})

/** What is wrong with a draft, by field. The server checks everything again. */
export const announcementProblems = ({
  title,
  content,
  from,
  until,
}: AnnouncementDraft): Partial<Record<'title' | 'content' | 'until', string>> => ({
  ...(title.trim() ? {} : { title: 'Debes llenar este campo.' }),
  ...(content.trim() ? {} : { content: 'Debes llenar este campo.' }),
  ...(from && until && until <= from ? { until: 'El fin debe ser después del inicio.' } : {}),
})

/** Whether it is shown, will be, or was. */
export function announcementState(
  { from, until }: Pick<StaffAnnouncement, 'from' | 'until'>,
  now: Date,
  zone: string,
): { text: string; tone: BadgeTone } {
  if (from && new Date(from) > now) return { text: `Desde el ${formatInstant(new Date(from), zone, 'class')}`, tone: 'warn' }
  if (until && new Date(until) <= now) return { text: 'Terminó', tone: 'outline' }
  return { text: until ? `Hasta el ${formatInstant(new Date(until), zone, 'class')}` : 'En el sitio', tone: 'ok' }
}
