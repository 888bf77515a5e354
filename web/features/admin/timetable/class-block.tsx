import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type MouseEvent, memo, useEffect, useRef } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { classKey } from './class-key.ts'
import type { PlanMarks } from './plan-marks.ts'
import { spotsText, stateText } from './timetable-text.ts'

/** Grounds of the blocks of types without a color: classes of one type have the same one. */
const TONES = 5

interface ClassBlockProps {
  cls: PlannedClass
  marks: PlanMarks
  /** On the grid of hours; without it the class is a line of a cell. */
  style?: CSSProperties
  /** Left out because the row shows it already. */
  without?: 'coach' | 'room'
}

const stateClass = ({ state, draft }: PlannedClass): string =>
  state === 'cancelled' || draft?.op === 'cancel' || draft?.op === 'delete'
    ? 'plan-gone'
    : state === 'draft' || state === 'changed'
      ? 'plan-draft'
      : state === 'past'
        ? 'plan-past'
        : ''

/** The tone of a class's type, if the studio chose a color for it. */
export const toneOf = ({ class_type: { color } }: PlannedClass, { tones }: PlanMarks) => (color ? tones[color] : undefined)

/** A class on the grid of hours or in a cell; it opens its panel. */
export function ClassBlock({ cls, marks, style, without }: ClassBlockProps) {
  const key = classKey(cls)
  const tone = toneOf(cls, marks)
  return (
    <Block
      cls={cls}
      blockKey={key}
      actions={marks.actions}
      isCurrent={marks.current === key}
      isSelected={marks.selected.has(key)}
      isPending={marks.pending.has(key)}
      top={style?.top}
      height={style?.height}
      left={style?.left}
      width={style?.width}
      isCompact={style === undefined}
      ground={tone?.ground}
      ink={tone?.ink}
      edge={tone?.edge}
      without={without}
    />
  )
}

interface BlockProps {
  cls: PlannedClass
  blockKey: string
  actions: PlanMarks['actions']
  isCurrent: boolean
  isSelected: boolean
  isPending: boolean
  top: CSSProperties['top']
  height: CSSProperties['height']
  left: CSSProperties['left']
  width: CSSProperties['width']
  isCompact: boolean
  ground: string | undefined
  ink: string | undefined
  edge: string | undefined
  without: 'coach' | 'room' | undefined
}

/** Memoised: of 140 blocks only those that an edit concerns are drawn again. */
const Block = memo(function Block(props: BlockProps) {
  const { cls, blockKey, actions, isCurrent, isSelected, isPending, isCompact, ground, ink, edge: outline, without, ...position } = props
  const element = useRef<HTMLButtonElement>(null)
  const edge = useRef<HTMLSpanElement>(null)
  const { drag } = actions
  const canDrag = drag !== null && actions.canEdit(cls)
  useEffect(() => (canDrag && element.current ? drag.block(element.current, blockKey, edge.current) : undefined), [drag, canDrag, blockKey])
  const stateLabel = isPending ? 'Sin guardar' : stateText(cls)
  const share = cls.capacity ? Math.min(1, (cls.taken + cls.held) / cls.capacity) : 0
  const coaches = cls.instructors.map(instructorName).join(' y ') || 'Falta coach'
  const details = isCompact
    ? [...(without === 'coach' ? [] : [coaches]), ...(without === 'room' ? [] : [cls.room?.name ?? cls.location.name])].join(' · ')
    : coaches
  const classNames = [
    isCompact ? 'plan-line-block' : 'plan-block',
    ground ? '' : `plan-tone-${cls.class_type.class_type_id % TONES}`,
    stateClass(cls),
    isSelected ? 'plan-selected' : '',
    isPending ? 'plan-pending' : '',
  ]
  return (
    <button
      ref={element}
      type="button"
      className={classNames.join(' ')}
      style={
        {
          ...(isCompact ? {} : position),
          ...(ground ? { '--plan-ground': ground, '--plan-ink': ink, '--plan-edge': outline } : {}),
        } as CSSProperties
      }
      aria-current={isCurrent ? 'true' : undefined}
      data-class={blockKey}
      onClick={(event: MouseEvent) => actions.onOpen(cls, event)}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => actions.onKey(event, cls)}
    >
      {isSelected && <IconCheck className="icon plan-check" aria-hidden="true" />}
      <span className="plan-name">{cls.class_type.name}</span>
      <span className="sr-only">, {formatWall(cls.class_date, 'long')}, </span>
      <span className="plan-who">
        {formatWall(cls.class_date, 'hour')} {details}
      </span>
      <span className="sr-only">
        , {without === 'coach' ? '' : isCompact ? `${coaches}, ` : ''}
        {spotsText(cls)}
        {isSelected ? ', seleccionada' : ''},{' '}
      </span>
      {stateLabel ? (
        <span className="plan-text">{stateLabel}</span>
      ) : (
        <span className="plan-share">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {cls.conflicts.length > 0 && <IconAlertTriangle className="icon plan-alert" role="img" aria-label="con conflictos" />}
      {!isCompact && canDrag && <span ref={edge} className="plan-edge" aria-hidden="true" />}
    </button>
  )
})
