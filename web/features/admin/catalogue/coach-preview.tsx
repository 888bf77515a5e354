import { IconBrandInstagram, IconCake, IconMusic } from '@tabler/icons-react'
import type { Instructor } from '#contract/catalogue.ts'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { instagramHandle } from '#contract/instagram.ts'
import { formatWall } from '#contract/time.ts'
import { CoachAvatar, CoachPortrait } from '#web/features/site/coach-portrait.tsx'

interface CoachPreviewProps {
  /** As it is typed; `birthdate` is the complete date of the form, of which the site shows day and month. */
  coach: Instructor
}

/** A coach as the public page and the cards of classes show them; nothing in it can be pressed. */
export function CoachPreview({ coach }: CoachPreviewProps) {
  const handle = coach.instagram && instagramHandle(coach.instagram)
  const facts = [
    { Icon: IconBrandInstagram, text: handle ? `@${handle}` : null },
    { Icon: IconCake, text: coach.birthdate ? dayAndMonth(coach.birthdate) : null },
    { Icon: IconMusic, text: coach.music_type },
  ]
  return (
    <section className="panel-card coach-preview" aria-label="Así se ve en tu sitio">
      <CoachPortrait coach={coach} eager decorative />
      <p className="t2">{instructorFullName(coach).trim() || 'Sin nombre'}</p>
      {coach.specialties && <p className="muted">{coach.specialties}</p>}
      {coach.quote && <p className="coach-quote">“{coach.quote}”</p>}
      {coach.short_bio?.split(/\n+/).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <ul className="coach-facts">
        {facts.map(
          ({ Icon, text }) =>
            text && (
              <li key={text}>
                <Icon className="icon" aria-hidden="true" /> {text}
              </li>
            ),
        )}
      </ul>
      <p className="coach-in-class small">
        <CoachAvatar coach={coach} size={36} />
        <span>
          <span className="strong">{coach.nick_name || coach.name || 'Sin nombre'}</span>, junto a sus clases
        </span>
      </p>
    </section>
  )
}

/** "17 de marzo", from a complete date. */
const dayAndMonth = (date: string): string => formatWall(`${date}T00:00:00.000Z`, 'long').split(' ').slice(1, 4).join(' ')
