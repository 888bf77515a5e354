import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FILL_DEFAULTS, FillFields, FillWeeksDialog, showFilled } from './fill-weeks-dialog.tsx'
import { PlacedResult } from './placed-result.tsx'
import { useTimetableRefresh } from './use-timetable.ts'
import { WeekChecks, weekName } from './week-checks.tsx'

interface CopyWeekProps {
  monday: LocalDate
  location_id: number | null
  saves_as: 'draft' | 'publish'
  onClose: () => void
}

/** Copies the classes of the week on the screen into later ones. */
export function CopyWeek({ monday, location_id, saves_as, onClose }: CopyWeekProps) {
  const [weeks, setWeeks] = useState<LocalDate[]>([addDays(monday, 7)])
  const [fill, setFill] = useState(FILL_DEFAULTS)
  const refresh = useTimetableRefresh()
  const copy = useIdempotentMutation(
    (input: Parameters<typeof api.studioSchedule.copy>[0], { context }) => api.studioSchedule.copy(input, { context }),
    {
      async onSuccess({ classes, result, skipped, undo }) {
        await refresh()
        const copied = saves_as === 'publish' ? result.created : classes.length
        const text = `${copied === 1 ? 'Se copió 1 clase.' : `Se copiaron ${copied} clases.`}${skipped.length ? ` ${skipped.length} se omitieron.` : ''}`
        showFilled(text, copied ? 'success' : 'alert', undo, refresh)
        onClose()
      },
      onError: () => undefined,
    },
  )
  const input = {
    from_week: monday,
    to_weeks: weeks,
    ...fill,
    ...(location_id === null ? {} : { location_ids: [location_id] }),
  }
  const trial = useQuery({
    queryKey: [...queries.studioSchedule.key(), 'copia', input],
    queryFn: () => api.studioSchedule.copy({ ...input, dry_run: true }),
    enabled: weeks.length > 0,
    meta: { handled: true },
  })
  return (
    <FillWeeksDialog
      title={`Copiar la semana del ${weekName(monday)}`}
      verb="Copiar"
      saves_as={saves_as}
      loading={copy.isPending}
      problem={weeks.length === 0 ? 'Elige al menos una semana.' : null}
      failure={copy.error}
      onSend={() => copy.mutate({ ...input, as: saves_as })}
      onClose={onClose}
    >
      <WeekChecks after={monday} value={weeks} onChange={setWeeks} />
      <FillFields
        verb="Copiar"
        hint="Si no, se omiten las que chocan con otra clase de su coach o con una igual."
        value={fill}
        onChange={setFill}
      />
      {weeks.length > 0 && trial.isPending && <Skeleton height="48px" />}
      {weeks.length > 0 && trial.data && <PlacedResult placed={trial.data.placed} same={null} left={trial.data.left} others={[]} />}
      <p className="small muted">
        <AppLink to={adminPaths.saveTemplate(monday)} className="link">
          Guardarla como plantilla
        </AppLink>
      </p>
    </FillWeeksDialog>
  )
}
