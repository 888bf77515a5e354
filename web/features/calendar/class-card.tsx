import './class-card.css'
import { IconCheck, IconChevronRight, IconHourglass, IconLock, IconX } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { formatWall } from '#contract/time.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Marks } from '#web/ui/marks.tsx'
import {
  articleName,
  type CardClass,
  type ClassOffer,
  type ClassVerb,
  coachNames,
  myReservationText,
  offerName,
  offersOf,
  pastLabel,
  spotsText,
  stateSentence,
} from './class-facts.ts'
import { ClassName } from './class-name.tsx'

/** What pressing a button does: a way to somewhere, or work of the page. Null: the page does not offer it. */
export type ClassAct = { href: string } | { onClick: () => void; busy?: boolean } | null
export type ActOf<C extends CardClass = CardClass> = (verb: ClassVerb, cls: C) => ClassAct

interface ClassCardProps<C extends CardClass> {
  cls: C
  act: ActOf<C>
  /** the studio is named only where there is more than one */
  place?: boolean
}

const LOOK: Record<CardClass['state'], string> = {
  available: 'class-open',
  reserved: 'class-mine ground-brand',
  full: 'class-full',
  waitlisted: 'class-waiting',
  penalised: 'class-held',
  not_open: 'class-held',
  closed: 'class-held',
  cancelled: 'class-cancelled',
  past: 'class-past',
}

/**
 * A class in any of its states (design section 6). One article with two shapes, chosen by the room it has: a card in a
 * column of the week, a row in a list (phones).
 */
export const ClassCard = memo(function ClassCard<C extends CardClass>({ cls, act, place = true }: ClassCardProps<C>) {
  const coach = cls.class_instructors[0]?.instructor
  return (
    <article className={`class-card ${LOOK[cls.state]}`} aria-label={articleName(cls)}>
      <p className="class-when">
        <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
        <span className="class-minutes">{cls.duration_minutes} min</span>
      </p>
      <p className="class-name">
        <ClassName cls={cls} />
      </p>
      <p className="class-who">
        {coach && cls.state !== 'past' && <CoachAvatar coach={coach} size={24} />}
        <span className="class-names">
          <span>
            <span>{coachNames(cls)}</span> {place && cls.state !== 'past' && <span>{cls.location.name}</span>}
          </span>
        </span>
      </p>
      <Facts cls={cls} act={act} />
      <Verbs cls={cls} act={act} />
    </article>
  )
}) as <C extends CardClass>(props: ClassCardProps<C>) => ReactNode

/** What is known beside when and who: marks and places, or the state in its own words. */
function Facts<C extends CardClass>({ cls, act }: ClassCardProps<C>) {
  switch (cls.state) {
    case 'reserved': {
      const note = myReservationText(cls)
      const asked = act('place', cls)
      return (
        <div className="class-facts">
          <span className="class-mark">
            <IconCheck className="icon" aria-hidden="true" />
            Reservada
          </span>
          {asked ? (
            <Act
              act={asked}
              label={note ? `${note}. ${offerName('place', cls)}` : offerName('place', cls)}
              className="class-note class-note-open"
            >
              {note || 'Ver mi lugar'}
              <IconChevronRight className="icon" aria-hidden="true" />
            </Act>
          ) : (
            note && <span className="class-note">{note}</span>
          )}
        </div>
      )
    }
    case 'waitlisted':
      return (
        <div className="class-facts">
          <span className="class-mark">
            <IconHourglass className="icon" aria-hidden="true" />
            <span>
              En <span className="class-roomy">lista de </span>espera
            </span>
          </span>
          <span className="class-places class-narrow">Te avisamos</span>
        </div>
      )
    case 'penalised': {
      const asked = act('penalty', cls)
      return (
        <div className="class-facts">
          <IconLock className="icon class-mark" aria-hidden="true" />
          {asked ? (
            <Act act={asked} label={`${stateSentence(cls)}. ${offerName('penalty', cls)}`} className="class-places class-sentence">
              {stateSentence(cls)}
            </Act>
          ) : (
            <span className="class-places class-sentence">{stateSentence(cls)}</span>
          )}
        </div>
      )
    }
    case 'past': {
      const word = pastLabel(cls)
      if (!word) return null
      const Icon = word === 'Exitosa' ? IconCheck : IconX
      return (
        <p className={`class-facts class-end ${word === 'Exitosa' ? 'class-done' : 'class-missed'}`}>
          <Icon className="icon" aria-hidden="true" />
          {word}
        </p>
      )
    }
    case 'cancelled':
      return (
        <div className="class-facts">
          <span className="class-places class-sentence">{stateSentence(cls)}</span>
        </div>
      )
    case 'not_open':
    case 'closed':
      return <Why cls={cls} act={act} words={stateSentence(cls) ?? ''} />
    default: {
      const capacity = cls.capacity ?? 0
      const few = cls.state === 'available' && cls.places_left <= 2
      // There is room, but not for this person now: the card says why.
      if (cls.state === 'available' && !cls.actions.reserve && cls.why_not) return <Why cls={cls} act={act} words={cls.why_not.message} />
      return (
        <div className="class-facts">
          {cls.state === 'available' && <Marks capacity={capacity} taken={capacity - cls.places_left} most={12} size="small" />}
          <span className={`class-places ${few ? 'class-few' : ''}`}>{spotsText(cls)}</span>
        </div>
      )
    }
  }
}

/** Why not, in one sentence; where the page has one it opens the way out. */
function Why<C extends CardClass>({ cls, act, words }: ClassCardProps<C> & { words: string }) {
  const asked = act('why', cls)
  return (
    <div className="class-facts">
      {asked ? (
        <Act act={asked} label={`${words} ${offerName('why', cls)}`} className="class-places class-sentence">
          {words}
        </Act>
      ) : (
        <span className="class-places class-sentence">{words}</span>
      )}
    </div>
  )
}

function Verbs<C extends CardClass>({ cls, act }: ClassCardProps<C>) {
  const offers = offersOf(cls).flatMap((offer) => {
    const asked = act(offer.verb, cls)
    return asked ? [{ offer, asked }] : []
  })
  if (!offers.length) return null
  return (
    <div className="class-verbs">
      {offers.map(({ offer, asked }) => (
        <Act
          key={offer.verb}
          act={asked}
          label={offerName(offer.verb, cls)}
          className={buttonClass({ variant: offer.filled ? 'filled' : 'outline', size: 'tiny' })}
        >
          <Words offer={offer} />
        </Act>
      ))}
    </div>
  )
}

function Words({ offer: { label, longLabel } }: { offer: ClassOffer }) {
  if (!longLabel) return <span className="btn-label">{label}</span>
  return (
    <span className="btn-label">
      <span className="class-narrow">{label}</span>
      <span className="class-roomy">{longLabel}</span>
    </span>
  )
}

interface ActProps {
  act: Exclude<ClassAct, null>
  label: string
  className: string
  children: ReactNode
}

/** A link where the way is known, a button where the page works. */
function Act({ act, label, className, children }: ActProps) {
  if ('href' in act)
    return (
      <a href={act.href} className={className} aria-label={label}>
        {children}
      </a>
    )
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      {...(act.busy ? { 'aria-busy': true, 'aria-disabled': true } : { onClick: act.onClick })}
    >
      {children}
    </button>
  )
}
