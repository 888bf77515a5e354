import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, type LocalDate } from '#contract/time.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PlacedResult } from './placed-result.tsx'
import { takeBack } from './take-back.ts'
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
  const [with_coaches, setWithCoaches] = useState(true)
  const [mark, setMark] = useState(false)
  const refresh = useTimetableRefresh()
  const copy = useIdempotentMutation(
    (input: Parameters<typeof api.studioSchedule.copy>[0], { context }) => api.studioSchedule.copy(input, { context }),
    {
      async onSuccess({ classes, result, skipped, undo }) {
        await refresh()
        const copied = saves_as === 'publish' ? result.created : classes.length
        const words = `${copied === 1 ? 'Se copió 1 clase.' : `Se copiaron ${copied} clases.`}${skipped.length ? ` ${skipped.length} se omitieron.` : ''}`
        if (undo) offerUndo(words, () => void takeBack(undo.undo_id, refresh))
        else showAlert(copied ? 'success' : 'alert', words)
        onClose()
      },
      onError: () => undefined,
    },
  )
  const input = {
    ...{ from_week: monday, to_weeks: weeks, with_coaches, on_conflict: mark ? ('mark' as const) : ('skip' as const) },
    ...(location_id === null ? {} : { location_ids: [location_id] }),
  }
  const trial = useQuery({
    queryKey: [...queries.studioSchedule.key(), 'copia', input],
    queryFn: () => api.studioSchedule.copy({ ...input, dry_run: true }),
    enabled: weeks.length > 0,
    meta: { handled: true },
  })
  return (
    <Dialog
      open
      onClose={copy.isPending ? null : onClose}
      title={`Copiar la semana del ${weekName(monday)}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            loading={copy.isPending}
            reason={weeks.length === 0 ? 'Elige al menos una semana.' : null}
            onClick={() => weeks.length > 0 && copy.mutate({ ...input, as: saves_as })}
          >
            {saves_as === 'draft' ? 'Copiar sin publicar' : 'Copiar y publicar'}
          </Button>
        </>
      }
    >
      {copy.isError && (
        <Banner tone="danger" live>
          {failureOf(copy.error).message}
        </Banner>
      )}
      <WeekChecks after={monday} value={weeks} onChange={setWeeks} />
      <Switch checked={with_coaches} onChange={(event) => setWithCoaches(event.currentTarget.checked)}>
        Con sus coaches
      </Switch>
      <Switch
        checked={mark}
        hint="Si no, se omiten las que chocan con otra clase de su coach o con una igual."
        onChange={(event) => setMark(event.currentTarget.checked)}
      >
        Copiar también las que chocan
      </Switch>
      {weeks.length > 0 && trial.isPending && <Skeleton height="48px" />}
      {weeks.length > 0 && trial.data && <PlacedResult placed={trial.data.placed} same={null} left={trial.data.left} others={[]} />}
      <p className="small muted">
        <AppLink to={adminPaths.saveTemplate(monday)} className="link">
          Guardarla como plantilla
        </AppLink>
      </p>
    </Dialog>
  )
}
