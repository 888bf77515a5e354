import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduleTemplate } from '#contract/schedule-templates.ts'
import { addDays, isLocalDate, type LocalDate, mondayOf } from '#contract/time.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FILL_DEFAULTS, FillFields, FillWeeksDialog, showFilled } from './fill-weeks-dialog.tsx'
import { PlacedResult } from './placed-result.tsx'
import { useTimetableRefresh } from './use-timetable.ts'

interface ApplyTemplateProps {
  template: ScheduleTemplate
  today: LocalDate
  onClose: () => void
}

const MAX_WEEKS = 26

/** Puts a template into a range of weeks, after saying what that does there. */
export default function ApplyTemplate({ template, today, onClose }: ApplyTemplateProps) {
  const { schedule_template_id, name } = template
  const [from, setFrom] = useState(addDays(mondayOf(today), 7))
  const [until, setUntil] = useState(addDays(mondayOf(today), 34))
  const [fill, setFill] = useState(FILL_DEFAULTS)
  const refresh = useTimetableRefresh()
  const weeks = weeksBetween(from, until)
  const problem =
    weeks === null || weeks.length === 0
      ? 'Elige de qué semana a qué semana.'
      : weeks.length > MAX_WEEKS
        ? `Elige a lo más ${MAX_WEEKS} semanas.`
        : null
  const input = { schedule_template_id, to_weeks: weeks ?? [], ...fill }
  const trial = useQuery({
    queryKey: [...queries.studioSchedule.key(), 'plantilla', input],
    queryFn: () => api.scheduleTemplates.apply({ ...input, dry_run: true }),
    enabled: problem === null,
    meta: { handled: true },
  })
  const schedule = useQuery(queries.studioSchedule.read.queryOptions({ input: {}, staleTime: 60_000, meta: { handled: true } }))
  const saves_as = schedule.data?.saves_as ?? 'draft'
  const send = useIdempotentMutation(
    (sent: typeof input & { as: 'draft' | 'publish' }, { context }) => api.scheduleTemplates.apply(sent, { context }),
    {
      async onSuccess({ placed, undo }) {
        await refresh()
        const text = `${placed === 1 ? 'Se agregó 1 clase.' : `Se agregaron ${placed} clases.`}${saves_as === 'draft' ? ' Falta publicar.' : ''}`
        showFilled(text, 'success', undo, refresh)
        onClose()
      },
      onError: () => undefined,
    },
  )
  const nothing = trial.data?.placed === 0 ? 'No hay nada que agregar en esas semanas.' : null
  return (
    <FillWeeksDialog
      title={`Aplicar ${name}`}
      verb="Agregar"
      saves_as={saves_as}
      loading={send.isPending}
      problem={problem ?? nothing}
      failure={send.error ?? trial.error}
      onSend={() => trial.data && send.mutate({ ...input, as: saves_as })}
      onClose={onClose}
    >
      <div className="field-pair">
        <TextField label="De la semana del" type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextField label="A la semana del" type="date" value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
      </div>
      <FillFields verb="Agregar" hint="Si no, se omiten las que chocan con otra clase de su coach." value={fill} onChange={setFill} />
      {problem === null && trial.isPending && <Skeleton height="72px" />}
      {problem === null && trial.data && <PlacedResult {...trial.data} />}
    </FillWeeksDialog>
  )
}

/** The Mondays of the weeks of two days and between; null when they are none. */
function weeksBetween(from: string, until: string): LocalDate[] | null {
  if (!isLocalDate(from) || !isLocalDate(until)) return null
  const weeks: LocalDate[] = []
  for (let week = mondayOf(from); week <= until && weeks.length <= MAX_WEEKS; week = addDays(week, 7)) weeks.push(week)
  return weeks
}
