/** Loads the current announcements for public pages (T5). */
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from '#web/lib/client.ts'

export interface AnnouncementData {
  announcement_id: number
  title: string
  /** sanitised HTML */
  content: string
  /** since when it is shown, as an ISO instant */
  since: string
  /** "Roma y Condesa": the locations that it is about; empty: all */
  where: string
}

/** Pinned ones first, then the newest. */
export async function loadAnnouncements({ client, dependsOn }: Rendering<Client>): Promise<AnnouncementData[]> {
  dependsOn('content')
  const { announcements } = await client.content.announcements()
  const isNamed = announcements.some(({ location_ids }) => location_ids)
  if (isNamed) dependsOn('catalogue')
  const { locations } = isNamed ? await client.catalogue.locations() : { locations: [] }
  const listFormat = new Intl.ListFormat('es-MX', { type: 'conjunction' })
  return announcements.map(({ announcement_id, title, content, createdAt, from, location_ids }) => ({
    announcement_id,
    title,
    content,
    since: from ?? createdAt,
    where: listFormat.format(locations.filter(({ location_id }) => location_ids?.includes(location_id)).map(({ name }) => name)),
  }))
}
