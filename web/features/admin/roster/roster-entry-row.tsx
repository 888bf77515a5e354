import { IconCake, IconCash, IconCheck, IconClockHour4, IconHeartbeat, IconNote, IconSparkles, IconX } from '@tabler/icons-react'
import { spotName } from '#contract/copy/names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import type { Fact, RosterEntry } from './roster-entries.ts'

const ICONS: Partial<Record<Fact['kind'], typeof IconCake>> = {
  birthday: IconCake,
  health: IconHeartbeat,
  owed: IconCash,
  unpaid: IconClockHour4,
  first: IconSparkles,
  excused: IconNote,
  note: IconNote,
}

/** Maximum number of facts in the row; the entry's dialog shows all. */
const MAX_FACTS = 3

interface RowProps {
  entry: RosterEntry
  /** null: attendance cannot be marked now */
  onMark: ((attend: boolean | null) => void) | null
  onOpen: () => void
}

/** An entry of the roster: name, seat, facts, and buttons for arrived and absent. Pressing the active one removes the mark. */
export function RosterEntryRow({ entry, onMark, onOpen }: RowProps) {
  const { name, spot, seatLabel, attend, isGuest, facts, photo } = entry
  return (
    <li className={`entry-row ${attend === true ? 'entry-came' : attend === false ? 'entry-absent' : ''}`}>
      {isGuest ? (
        <span aria-hidden="true" className="entry-guest">
          +1
        </span>
      ) : (
        <Avatar name={name} src={photo} size={44} />
      )}
      <div className="entry-who">
        <button type="button" className="entry-name" data-entry={entry.class_reservation_id} onClick={onOpen}>
          {name}
        </button>
        {spot && <span className="small muted">{spotName(spot, seatLabel)}</span>}
        {facts.length > 0 && (
          <span className="entry-facts">
            {facts.slice(0, MAX_FACTS).map((fact) => {
              const Icon = ICONS[fact.kind]
              return (
                <Badge key={fact.kind} tone={fact.tone} icon={Icon && <Icon className="icon" aria-hidden="true" />}>
                  {fact.text}
                </Badge>
              )
            })}
            {facts.length > MAX_FACTS && (
              <Badge tone="neutral">
                +{facts.length - MAX_FACTS}
                <span className="sr-only"> más</span>
              </Badge>
            )}
          </span>
        )}
      </div>
      <div className="entry-marks">
        <MarkButton name={name} value={false} attend={attend} onMark={onMark} />
        <MarkButton name={name} value={true} attend={attend} onMark={onMark} />
      </div>
    </li>
  )
}

interface MarkButtonProps {
  name: string
  value: boolean
  attend: boolean | null
  onMark: RowProps['onMark']
}

function MarkButton({ name, value, attend, onMark }: MarkButtonProps) {
  const Icon = value ? IconCheck : IconX
  const pressed = attend === value
  return (
    <button
      type="button"
      className={`entry-mark ${value ? 'entry-mark-came' : 'entry-mark-absent'}`}
      aria-pressed={pressed}
      aria-label={`${name}: ${value ? 'llegó' : 'no asistió'}`}
      disabled={!onMark}
      onClick={() => onMark?.(pressed ? null : value)}
    >
      <Icon className="icon" aria-hidden="true" />
    </button>
  )
}
