import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useCloseDays } from './close-days.tsx'

/** Proposes the official holidays of a year: those of the law are chosen, those on which many close are not. */
export default function OfficialDialog({ year, today, onClose }: { year: number; today: LocalDate; onClose: () => void }) {
  const list = useQuery(queries.holidays.official.queryOptions({ input: { year }, meta: { handled: true } }))
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const rows = (list.data?.holidays ?? []).filter(({ day }) => day >= today)
  const isChosen = ({ day, kind, added }: (typeof rows)[number]) => !added && (changed.get(day) ?? kind === 'official')
  const chosen = rows.filter(isChosen)
  const close = useCloseDays(
    chosen.length ? chosen.map(({ name, day }) => ({ name, from: day, to: day, location_ids: null })) : null,
    onClose,
  )
  return (
    <Dialog
      open
      onClose={close.isPending ? null : onClose}
      title={`Agregar feriados oficiales de México ${year}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button loading={close.isPending} reason={close.reason} onClick={close.send}>
            {chosen.length === 0 ? 'Agregar días' : chosen.length === 1 ? 'Agregar 1 día' : `Agregar ${chosen.length} días`}
          </Button>
        </>
      }
    >
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los feriados."
        nothing={rows.length === 0 && <p>De este año ya no falta ninguno.</p>}
      >
        {(['official', 'suggested'] as const).map((kind) => (
          <fieldset key={kind} className="plan-weeks">
            <legend className="field-label">{kind === 'official' ? 'Descanso obligatorio' : 'Muchos estudios cierran también'}</legend>
            {rows
              .filter((row) => row.kind === kind)
              .map((row) => (
                <Checkbox
                  key={row.day}
                  disabled={row.added}
                  checked={row.added || isChosen(row)}
                  onChange={(event) => setChanged(new Map(changed).set(row.day, event.currentTarget.checked))}
                >
                  {row.name}, {formatWall(`${row.day}T00:00:00Z`, 'day')}
                  {row.added && ' (ya está)'}
                </Checkbox>
              ))}
          </fieldset>
        ))}
      </Loaded>
      {close.fields}
    </Dialog>
  )
}
