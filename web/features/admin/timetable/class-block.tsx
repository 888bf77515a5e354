import { IconAlertTriangle } from '@tabler/icons-react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { instructorName } from '#contract/copy/names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { spotsText, stateWord } from './timetable-text.ts'

/** Grounds of the blocks: classes of one type have the same one. */
const TONES = 5

interface ClassBlockProps {
  cls: PlannedClass
  current: boolean
  style: CSSProperties
  onOpen: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** The id under which a class is drawn and found again: a draft has none of its own class. */
export const classKey = (cls: PlannedClass): string =>
  cls.single_class_id === null ? `d${cls.class_draft_id}-${cls.class_date}` : `c${cls.single_class_id}`

const stateClass = ({ state, draft }: PlannedClass): string =>
  state === 'cancelled' || draft?.op === 'cancel' || draft?.op === 'delete'
    ? 'plan-gone'
    : state === 'draft' || state === 'changed'
      ? 'plan-draft'
      : state === 'past'
        ? 'plan-past'
        : ''

/** A class on the grid of the week; it opens its panel. */
export function ClassBlock({ cls, current, style, onOpen, onKeyDown }: ClassBlockProps) {
  const word = stateWord(cls)
  const share = cls.capacity ? Math.min(1, (cls.taken + cls.held) / cls.capacity) : 0
  return (
    <button
      type="button"
      className={`plan-block plan-tone-${cls.class_type.class_type_id % TONES} ${stateClass(cls)}`}
      style={style}
      aria-current={current ? 'true' : undefined}
      data-class={classKey(cls)}
      onClick={onOpen}
      onKeyDown={onKeyDown}
    >
      <span className="plan-name">{cls.class_type.name}</span>
      <span className="sr-only">, {formatWall(cls.class_date, 'long')}, </span>
      <span className="plan-who">
        {formatWall(cls.class_date, 'hour')} {cls.instructors.map(instructorName).join(' y ') || 'Falta coach'}
      </span>
      <span className="sr-only">, {spotsText(cls)}, </span>
      {word ? (
        <span className="plan-word">{word}</span>
      ) : (
        <span className="plan-share">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {cls.conflicts.length > 0 && <IconAlertTriangle className="icon plan-alert" role="img" aria-label="con conflictos" />}
    </button>
  )
}
