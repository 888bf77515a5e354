import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { loadCoachPage } from './coach.server.ts'
import { NextClasses } from './next-classes.tsx'
import { Person } from './person.tsx'

type CoachPageProps = Awaited<ReturnType<typeof loadCoachPage>> & {
  path: string
  /** the facts of the profile, too (S1-2.17) */
  facts: boolean
}

/** A coach with rating and next classes: both addresses of a coach show it (S1-2.14, S1-2.16). */
export function CoachPage({ coach, classes, rating, reviews, path, facts }: CoachPageProps) {
  return (
    <div className="wrap plain-page">
      <PageMeta title={instructorFullName(coach)} description={coach.short_bio ?? coach.quote} path={path} image={coach.file?.src} />
      <SectionBoundary key={coach.instructor_id} fallback={<h1 className="t1">{instructorFullName(coach)}</h1>}>
        <Person coach={coach} facts={facts}>
          {(rating || reviews) && (
            <p className="row wraps person-rating">
              {rating && <span className="strong">{rating}</span>}
              {reviews && (
                <a className="link more-link" href={reviews} target="_blank" rel="noopener">
                  Lee las reseñas
                </a>
              )}
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
