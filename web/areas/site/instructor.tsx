import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/instructor.ts'
import { loadCoach } from './coach.server.ts'
import { loadNextClasses } from './next-classes.server.ts'
import { NextClasses } from './next-classes.tsx'
import { Person } from './person.tsx'

export async function loader({ context, params }: Route.LoaderArgs) {
  const present = context.get(rendering)
  const coach = await loadCoach(present, params.instructor_id)
  const { instructor_id } = coach
  const [classes, rated] = await Promise.all([
    loadNextClasses(present, { instructor_id }),
    present.attempt('rating', () => present.client.bookings.ratings({ instructor_id })),
  ])
  return { coach, classes, rating: rated?.rating ?? null }
}

/** /instructor/{instructor_id}: the coach's profile and next classes (S1-2.16 to S1-2.18). */
export default function InstructorPage({ loaderData: { coach, classes, rating } }: Route.ComponentProps) {
  return (
    <div className="wrap plain-page">
      <PageMeta
        title={instructorFullName(coach)}
        description={coach.short_bio ?? coach.quote}
        path={paths.instructor(coach.instructor_id)}
        image={coach.file?.src}
      />
      <SectionBoundary key={coach.instructor_id} fallback={<h1 className="t1">{instructorFullName(coach)}</h1>}>
        <Person coach={coach} facts>
          {rating && (
            <p className="strong">
              {rating.average} de 5 en {rating.ratings} calificaciones
            </p>
          )}
        </Person>
      </SectionBoundary>
      {classes && (
        <SectionBoundary key={`${coach.instructor_id} classes`}>
          <NextClasses title={`Entrena con ${instructorName(coach)}`} classes={classes} />
        </SectionBoundary>
      )}
    </div>
  )
}
