/** The averages of ratings that a studio publishes (R26). */
import { LEAST_PUBLIC_RATINGS, type PublicRating } from '#contract/bookings.ts'
import { averageStars } from '#server/modules/bookings/store/rating-store.ts'
import type { Ctx } from '#server/modules/ctx.ts'

/** Ratings of classes that were booked longer ago are not counted. */
const YEAR_MS = 365 * 86_400_000

/** The average of the studio or of one coach; null while it is not public or has too few ratings. */
export async function publicRating(
  ctx: Ctx,
  { instructor_id }: { instructor_id?: number | undefined },
): Promise<{ rating: PublicRating | null }> {
  if (!ctx.settings.rating_public) return { rating: null }
  const { average, ratings } = await averageStars(ctx.db, new Date(ctx.now.getTime() - YEAR_MS), instructor_id ?? null)
  if (average === null || ratings < LEAST_PUBLIC_RATINGS) return { rating: null }
  return { rating: { average: Math.round(average * 10) / 10, ratings } }
}
