import { paths } from '#contract/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/instructor.ts'
import { loadCoachPage } from './coach.server.ts'
import { CoachPage } from './coach-page.tsx'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadCoachPage(context.get(rendering), params.instructor_id)
}

/** /instructor/{instructor_id}: the coach's profile and next classes (S1-2.16 to S1-2.18). */
export default function InstructorPage({ loaderData }: Route.ComponentProps) {
  return <CoachPage {...loaderData} path={paths.instructor(loaderData.coach.instructor_id)} facts />
}
