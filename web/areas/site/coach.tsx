import { paths } from '#contract/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/coach.ts'
import { loadCoachPage } from './coach.server.ts'
import { CoachPage } from './coach-page.tsx'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadCoachPage(context.get(rendering), params.coach_id)
}

/** /coach/{coach_id}: the biography with the coach's rating and next classes (S1-2.14). */
export default function Coach({ loaderData }: Route.ComponentProps) {
  return <CoachPage {...loaderData} path={paths.coach(loaderData.coach.instructor_id)} facts={false} />
}
