import './content.css'
import './landing-sections.css'
import { IconBrandInstagram, IconCake, IconMusic } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Instructor } from '#contract/catalogue.ts'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { instagramHandle } from '#contract/instagram.ts'
import { formatWall } from '#contract/time.ts'
import { CoachPortrait } from '#web/features/site/coach-portrait.tsx'

/** "17 de marzo", from a birthdate without a year ("--03-17", S1-2.17). */
export function formatBirthday(birthdate: string): string {
  return formatWall(`2000${birthdate.slice(1)}T00:00:00.000Z`, 'long')
    .split(' ')
    .slice(1)
    .join(' ')
}

/** A coach: portrait, names, quote, and optionally the facts of the profile. */
export function Person({ coach, facts, children }: { coach: Instructor; facts: boolean; children?: ReactNode }) {
  const handle = coach.instagram && instagramHandle(coach.instagram)
  return (
    <div className="person">
      <CoachPortrait coach={coach} eager />
      <div className="person-text">
        <h1 className="t1">{instructorFullName(coach)}</h1>
        {coach.specialties && <p className="lead muted">{coach.specialties}</p>}
        {coach.quote && <blockquote className="t3 display person-quote">“{coach.quote}”</blockquote>}
        {coach.short_bio && (
          <div className="stack lead">
            {coach.short_bio.split(/\n+/).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        )}
        {facts && (
          <ul className="person-facts">
            {handle && (
              <li className="row">
                <IconBrandInstagram className="icon" aria-hidden="true" />
                <a className="link more-link" href={`https://www.instagram.com/${handle}`} target="_blank" rel="noopener">
                  @{handle}
                </a>
              </li>
            )}
            {coach.birthdate && (
              <li className="row">
                <IconCake className="icon" aria-hidden="true" />
                <span>
                  <span className="sr-only">Cumpleaños: </span>
                  {formatBirthday(coach.birthdate)}
                </span>
              </li>
            )}
            {coach.music_type && (
              <li className="row">
                <IconMusic className="icon" aria-hidden="true" />
                <span>
                  <span className="sr-only">Música: </span>
                  {coach.music_type}
                </span>
              </li>
            )}
          </ul>
        )}
        {children}
      </div>
    </div>
  )
}
