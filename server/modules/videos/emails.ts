/** Emails about videos. Pure. */
import { messagePaths } from '#contract/paths.ts'
import { localDate } from '#contract/time.ts'
import type { OutgoingMessage } from '#server/modules/messages/messages.ts'
import type { VideoRow } from './store.ts'

/** The link to rate a video, at most once per day in the studio's zone (O13). */
export function ratingEmail(row: Pick<VideoRow, 'video_id' | 'name'>, customer_id: number, now: Date, zone: string): OutgoingMessage {
  const { video_id, name: video } = row
  return {
    event: 'video_rating',
    about: `video:${video_id}:${localDate(now, zone)}`,
    to: { customer_id },
    before: null,
    texts: (name) => ({
      title: `¿Qué te pareció ${video}?`,
      lines: ['Califícalo en un momento: nos ayuda a saber qué grabar después.'],
      notes: [],
      action: { label: 'Calificar video', path: messagePaths.rateVideo(video_id) },
      blanks: [name, video],
    }),
  }
}
