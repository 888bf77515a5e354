import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, formatWall } from '#contract/time.ts'
import RuleTestDialog from '#web/features/admin/timetable/rule-test.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'

/** Days of classes that can be chosen. */
const DAYS = 14

/** Chooses a coming class, then a person: the result of the stored rules for both. */
export default function RuleTestClass({ onClose }: { onClose: () => void }) {
  const site = useSite()
  const [chosen, setChosen] = useState('')
  const [isTesting, setIsTesting] = useState(false)
  const start_date = todayIn(site.zone)
  const query = useQuery(
    queries.studioSchedule.read.queryOptions({ input: { start_date, end_date: addDays(start_date, DAYS - 1) }, meta: { handled: true } }),
  )
  const days = (query.data?.days ?? []).map(({ date, classes }) => ({
    date,
    classes: classes.filter(({ single_class_id, state }) => single_class_id !== null && state !== 'past' && state !== 'cancelled'),
  }))
  const all = days.flatMap(({ classes }) => classes)
  const cls = all.find(({ single_class_id }) => String(single_class_id) === chosen)
  if (isTesting && cls?.single_class_id)
    return (
      <RuleTestDialog
        single_class_id={cls.single_class_id}
        name={`${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Probar las reglas"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cerrar
          </Button>
          <Button reason={cls ? null : 'Elige una clase.'} onClick={() => cls && setIsTesting(true)}>
            Elegir a la persona
          </Button>
        </>
      }
    >
      <p>Elige una clase y a alguien: te decimos qué puede hacer, y qué ajuste lo decide. Cuenta lo que está guardado.</p>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={1} />}
        failed="No pudimos cargar las clases."
        nothing={query.data && all.length === 0 && <p>No hay clases en las próximas dos semanas.</p>}
      >
        <Select label="Clase" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="">Elige una</option>
          {days
            .filter(({ classes }) => classes.length > 0)
            .map(({ date, classes }) => (
              <optgroup key={date} label={formatWall(`${date}T00:00:00Z`, 'long')}>
                {classes.map((cls) => (
                  <option key={cls.single_class_id} value={String(cls.single_class_id)}>
                    {formatWall(cls.class_date, 'hour')} {cls.class_type.name}, {cls.location.name}
                  </option>
                ))}
              </optgroup>
            ))}
        </Select>
      </Loaded>
    </Dialog>
  )
}
