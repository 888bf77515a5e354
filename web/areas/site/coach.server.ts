/** Loads a coach for the two pages that show one, with classes and rating; an unknown id redirects to the landing page (S1-2.15). */
import { redirect } from 'react-router'
import { isErrorCode } from '#contract/errors.ts'
import { paths } from '#contract/paths.ts'
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from '#web/lib/client.ts'
import { loadNextClasses } from './next-classes.server.ts'
import { ratingText } from './rating-text.ts'

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  isErrorCode(String(error.code)) &&
  'status' in error &&
  Number(error.status) < 500

/** The coach with the id of the address. */
async function loadCoach({ client, dependsOn }: Rendering<Client>, id: string | undefined) {
  dependsOn('catalogue')
  const instructor_id = Number(id)
  if (!/^[1-9]\d{0,9}$/.test(id ?? '')) throw redirect(paths.home)
  try {
    return (await client.catalogue.instructor({ instructor_id })).instructor
  } catch (error) {
    if (isMissing(error)) throw redirect(paths.home)
    throw error
  }
}

/** The coach with the next classes and, where the studio publishes them, the rating and the link to its reviews (R26). */
export async function loadCoachPage(rendering: Rendering<Client>, id: string | undefined) {
  const coach = await loadCoach(rendering, id)
  rendering.dependsOn('settings')
  const { instructor_id } = coach
  const [classes, rated] = await Promise.all([
    loadNextClasses(rendering, { instructor_id }),
    rendering.attempt('rating', () => rendering.client.bookings.ratings({ instructor_id })),
  ])
  return { coach, classes, rating: rated?.rating ? ratingText(rated.rating) : null, reviews: rendering.settings.reviews_link }
}
