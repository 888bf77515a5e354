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
  listOffers,
  myReservationText,
  offerName,
  pastLabel,
  spotsText,
  stateSentence,
} from './class-facts.ts'
import { ClassName } from './class-name.tsx'

/** What a button does: opens an address, or calls a function. Null: the page does not offer this action. */
export type ClassAct = { href: string } | { onClick: () => void; busy?: boolean } | null
export type ActOf<C extends CardClass = CardClass> = (verb: ClassVerb, cls: C) => ClassAct

interface ClassCardProps<C extends CardClass> {
  cls: C
  act: ActOf<C>
  /** show the location; pages set it only if the studio has more than one */
  showsLocation?: boolean
  /** "hora de Tijuana", if its location keeps another hour than the studio */
  zone?: string | undefined
}

const CARD_CLASSES: Record<CardClass['state'], string> = {
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
 * A class in any of its states (design section 6). One article with two shapes, chosen by the available width: a card in a column of the
 * week, or a row in a list (phones).
 */
export const ClassCard = memo(function ClassCard<C extends CardClass>({ cls, act, showsLocation = true, zone }: ClassCardProps<C>) {
  const coach = cls.class_instructors[0]?.instructor
  return (
    <article id={`clase-${cls.single_class_id}`} className={`class-card ${CARD_CLASSES[cls.state]}`} aria-label={articleName(cls)}>
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
            <span>{coachNames(cls)}</span> {showsLocation && cls.state !== 'past' && <span>{cls.location.name}</span>}{' '}
            {zone && cls.state !== 'past' && <span>{zone}</span>}
          </span>
        </span>
      </p>
      <Facts cls={cls} act={act} />
      <Verbs cls={cls} act={act} />
    </article>
  )
}) as <C extends CardClass>(props: ClassCardProps<C>) => ReactNode

/** Marks and places, or the state as text. */
function Facts<C extends CardClass>({ cls, act }: ClassCardProps<C>) {
  switch (cls.state) {
    case 'reserved': {
      const note = myReservationText(cls)
      const action = act('place', cls)
      return (
        <div className="class-facts">
          <span className="class-mark">
            <IconCheck className="icon" aria-hidden="true" />
            Reservada
          </span>
          {action ? (
            <ActionElement
              act={action}
              label={note ? `${note}. ${offerName('place', cls)}` : offerName('place', cls)}
              className="class-note class-note-open"
            >
              {note || 'Ver mi lugar'}
              <IconChevronRight className="icon" aria-hidden="true" />
            </ActionElement>
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
      const action = act('penalty', cls)
      return (
        <div className="class-facts">
          <IconLock className="icon class-mark" aria-hidden="true" />
          {action ? (
            <ActionElement
              act={action}
              label={`${stateSentence(cls)}. ${offerName('penalty', cls)}`}
              className="class-places class-sentence"
            >
              {stateSentence(cls)}
            </ActionElement>
          ) : (
            <span className="class-places class-sentence">{stateSentence(cls)}</span>
          )}
        </div>
      )
    }
    case 'past': {
      const past = pastLabel(cls)
      if (!past) return null
      const attended = cls.mine?.attend === true
      const Icon = attended ? IconCheck : IconX
      return (
        <p className={`class-facts class-end ${attended ? 'class-done' : 'class-missed'}`}>
          <Icon className="icon" aria-hidden="true" />
          {past}
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
      return <RefusalReason cls={cls} act={act} text={stateSentence(cls) ?? ''} />
    default: {
      const capacity = cls.capacity ?? 0
      const few = cls.state === 'available' && cls.places_left <= 2
      // There are free places, but this viewer cannot reserve now: show why.
      if (cls.state === 'available' && !cls.actions.reserve && cls.why_not)
        return <RefusalReason cls={cls} act={act} text={cls.why_not.message} />
      return (
        <div className="class-facts">
          {cls.state === 'available' && <Marks capacity={capacity} taken={capacity - cls.places_left} most={12} size="small" />}
          <span className={`class-places ${few ? 'class-few' : ''}`}>{spotsText(cls)}</span>
        </div>
      )
    }
  }
}

/** The reason why the class cannot be reserved; a button or link if the page offers the next step. */
function RefusalReason<C extends CardClass>({ cls, act, text }: ClassCardProps<C> & { text: string }) {
  const action = act('why', cls)
  return (
    <div className="class-facts">
      {action ? (
        <ActionElement act={action} label={`${text} ${offerName('why', cls)}`} className="class-places class-sentence">
          {text}
        </ActionElement>
      ) : (
        <span className="class-places class-sentence">{text}</span>
      )}
    </div>
  )
}

function Verbs<C extends CardClass>({ cls, act }: ClassCardProps<C>) {
  const offers = listOffers(cls).flatMap((offer) => {
    const action = act(offer.verb, cls)
    return action ? [{ offer, action }] : []
  })
  if (!offers.length) return null
  return (
    <div className="class-verbs">
      {offers.map(({ offer, action }) => (
        <ActionElement
          key={offer.verb}
          act={action}
          label={offerName(offer.verb, cls)}
          className={buttonClass({ variant: offer.filled ? 'filled' : 'outline', size: 'tiny' })}
        >
          <OfferLabel offer={offer} />
        </ActionElement>
      ))}
    </div>
  )
}

function OfferLabel({ offer: { label, longLabel } }: { offer: ClassOffer }) {
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

/** A link or a button, by the kind of action. */
function ActionElement({ act, label, className, children }: ActProps) {
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
