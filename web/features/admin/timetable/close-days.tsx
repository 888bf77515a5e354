import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { daysBetween } from '#contract/day-count.ts'
import { MAX_EXTENSION_DAYS } from '#contract/holidays.ts'
import { isLocalDate } from '#contract/time.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { Conflicts } from './conflicts.tsx'
import { undoPlanEdit } from './take-back.ts'
import { resultSentences } from './timetable-text.ts'
import { useHolidayRefresh } from './use-holidays.ts'

const OTHER_DAY = 'otro'
const MOVES = [
  { value: '1', label: 'Al día siguiente' },
  { value: '-1', label: 'Al día anterior' },
  { value: '7', label: 'Una semana después' },
  { value: '-7', label: 'Una semana antes' },
  { value: '0', label: 'Al mismo día' },
] as const
const HOURS = [0, ...Array.from({ length: 8 }, (_, n) => (n + 1) * 30).flatMap((minutes) => [minutes, -minutes])]

const hourText = (minutes: number): string => {
  if (minutes === 0) return 'A la misma hora'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${[hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ')} ${minutes > 0 ? 'más tarde' : 'más temprano'}`
}

const classesFound = (classes: number, isChange: boolean): string =>
  `Hay ${classes === 1 ? '1 clase' : `${classes} clases`} ${isChange ? 'donde no estaba cerrado' : 'esos días'}`

type Sent = Parameters<typeof api.holidays.add>[0]
type Found = Pick<Awaited<ReturnType<typeof api.holidays.add>>, 'classes' | 'extended' | 'result' | 'undo_id'>

/** A holiday that is changed, and the version from which the change was made. */
interface ChangedHoliday {
  holiday_id: number
  if_updatedAt?: string
}

/** Adds days, or changes the holiday. */
async function saveDays(
  of: ChangedHoliday | null,
  { holidays, ...closing }: Sent,
  options?: Parameters<typeof api.holidays.add>[1],
): Promise<Found> {
  const [day] = holidays
  return of === null || !day
    ? await api.holidays.add({ holidays, ...closing }, options)
    : await api.holidays.update({ ...of, ...day, ...closing }, options)
}

/**
 * The effects of adding days: shows the classes of the days, which stay or are cancelled, and lengthens credits. `days` null: nothing to
 * add yet; `holiday_id`: the first of them is a holiday that is changed. Render `fields` in a dialog and call `send` from its button, or
 * `save` where it is changed from a version of its own.
 */
export function useCloseDays(days: Sent['holidays'] | null, onDone: () => void, holiday_id: number | null = null) {
  const [classes, setClasses] = useState<'keep' | 'cancel' | 'move'>('keep')
  const [to, setTo] = useState<MoveChoice>({ by: '1', day: '', minutes: '0' })
  const [extension, setExtension] = useState('')
  // The last answer stays while the next one is computed, so that the fields keep their place and the focus.
  const [found, setFound] = useState<Found | null>(null)
  const refresh = useHolidayRefresh()
  const extend_days = extension === '' ? 0 : Number(extension)
  const isExtensionWrong = !/^\d{0,2}$/.test(extension) || extend_days > MAX_EXTENSION_DAYS
  // Moving to another day needs consecutive days: the first of them moves there.
  const first = days?.length === 1 ? days[0]?.from : undefined
  const by = to.by === OTHER_DAY ? (first && isLocalDate(to.day) ? daysBetween(first, to.day) : null) : Number(to.by)
  const move = classes === 'move' && by !== null ? { days: by, minutes: Number(to.minutes) } : null
  const isMoveWrong = classes === 'move' && (move === null || (move.days === 0 && move.minutes === 0))
  const closing = isExtensionWrong || isMoveWrong ? null : { classes, move, extend_days }
  const input = days && closing && { holidays: days, ...closing }
  const serialized = JSON.stringify(input)
  const { mutate: rehearse, ...trial } = useMutation({
    meta: { handled: true },
    mutationFn: (sent: Sent) => saveDays(holiday_id === null ? null : { holiday_id }, { ...sent, dry_run: true }),
    onSuccess: setFound,
  })
  useEffect(() => {
    const sent = JSON.parse(serialized) as Sent | null
    // Typing a date is not a question yet.
    const timer = sent && setTimeout(() => rehearse(sent), 250)
    return () => clearTimeout(timer ?? undefined)
  }, [serialized, rehearse])
  const add = useIdempotentMutation(
    (save: { sent: Sent; of: ChangedHoliday | null }, { context }) => saveDays(save.of, save.sent, { context }),
    {
      async onSuccess({ undo_id, result }) {
        await refresh()
        const text = result.cancelled + result.changed ? `Guardado. ${resultSentences(result)[0] ?? ''}` : 'Guardado.'
        if (undo_id) offerUndo(text, () => void undoPlanEdit(undo_id, refresh))
        else showAlert('success', text)
        onDone()
      },
      onError: () => undefined,
    },
  )
  const isAnswered = input !== null && !trial.isPending && !trial.isError
  const refused = add.error && toFailure(add.error)
  // Both versions are offered instead.
  const failure = (refused?.code === 'CHANGED_MEANWHILE' ? null : refused) ?? (trial.error && toFailure(trial.error))
  return {
    isPending: add.isPending,
    reason:
      days && isMoveWrong
        ? 'Elige a qué día se mueven.'
        : input === null
          ? 'Falta elegir los días.'
          : trial.isError
            ? 'Así no se puede guardar.'
            : null,
    send: () => input && !trial.isError && add.mutate({ sent: input, of: null }),
    canSend: input !== null && !trial.isError,
    save: (sent: Sent['holidays'], of: ChangedHoliday | null) => add.mutateAsync({ sent: { holidays: sent, ...closing }, of }),
    fields: (
      <>
        {failure && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        {days && found && found.classes > 0 && (
          <>
            <RadioCards
              legend={classesFound(found.classes, holiday_id !== null)}
              options={[
                { value: 'keep', title: 'Se quedan', detail: 'El horario las señala como conflicto.' },
                { value: 'cancel', title: 'Se cancelan', detail: 'Se avisa a quien tiene lugar y le regresa su crédito.' },
                { value: 'move', title: 'Se mueven', detail: 'Se avisa a quien tiene lugar, y puede cancelar sin perder su crédito.' },
              ]}
              value={classes}
              onChange={setClasses}
            />
            {classes === 'move' && <MoveFields value={to} canChooseDay={first !== undefined} onChange={setTo} />}
            {isAnswered && classes !== 'keep' && (
              <ul className="plan-result">
                {resultSentences(found.result).map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
            {isAnswered && classes === 'move' && <Conflicts conflicts={found.result.conflicts} />}
          </>
        )}
        <TextField
          label="Alargar los créditos vigentes"
          optional
          inputMode="numeric"
          maxLength={2}
          after={<span className="muted">días</span>}
          hint={
            extend_days > 0 && found && found.extended > 0
              ? `Son ${found.extended} paquetes de créditos.`
              : 'Los que se pueden usar el primero de estos días duran más, también los ilimitados.'
          }
          error={isExtensionWrong ? `Escribe un número del 0 al ${MAX_EXTENSION_DAYS}.` : undefined}
          value={extension}
          onChange={(event) => setExtension(event.currentTarget.value)}
        />
      </>
    ),
  }
}

interface MoveChoice {
  /** days to add, or OTHER_DAY */
  by: string
  /** where the classes go with OTHER_DAY */
  day: string
  /** minutes to add to the hour */
  minutes: string
}

interface MoveFieldsProps {
  value: MoveChoice
  /** false: several days, of which each needs the same distance */
  canChooseDay: boolean
  onChange: (value: MoveChoice) => void
}

/** To which day and hour the classes of the closed days move. */
function MoveFields({ value, canChooseDay, onChange }: MoveFieldsProps) {
  return (
    <div className="field-pair">
      <Select label="Pasan" value={value.by} onChange={(event) => onChange({ ...value, by: event.currentTarget.value })}>
        {MOVES.map((move) => (
          <option key={move.value} value={move.value}>
            {move.label}
          </option>
        ))}
        {canChooseDay && <option value={OTHER_DAY}>A otro día</option>}
      </Select>
      {value.by === OTHER_DAY && (
        <TextField
          label="Al día"
          type="date"
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
        />
      )}
      <Select label="A qué hora" value={value.minutes} onChange={(event) => onChange({ ...value, minutes: event.currentTarget.value })}>
        {HOURS.map((minutes) => (
          <option key={minutes} value={minutes}>
            {hourText(minutes)}
          </option>
        ))}
      </Select>
    </div>
  )
}
