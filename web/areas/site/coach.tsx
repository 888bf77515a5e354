import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/coach.ts'
import { loadCoach } from './coach.server.ts'
import { Person } from './person.tsx'

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadCoach(context.get(rendering), params.coach_id)
}

/** /coach/{coach_id}: the biography (S1-2.14). */
export default function Coach({ loaderData: coach }: Route.ComponentProps) {
  return (
    <div className="wrap plain-page">
      <PageMeta
        title={instructorFullName(coach)}
        description={coach.short_bio ?? coach.quote}
        path={paths.coach(coach.instructor_id)}
        image={coach.file?.src}
      />
      <SectionBoundary key={coach.instructor_id} fallback={<h1 className="t1">{instructorFullName(coach)}</h1>}>
        <Person coach={coach} facts={false}>
          <p>
            <Button
              as={AppLink}
              variant="outline"
              to={paths.instructor(coach.instructor_id)}
            >{`Entrena con ${instructorName(coach)}`}</Button>
          </p>
        </Person>
      </SectionBoundary>
    </div>
  )
}
