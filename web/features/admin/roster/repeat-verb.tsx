import { IconCalendarOff, IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { formatWall } from '#contract/time.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { useRosterChanged } from './use-roster.ts'

const CHOICES = [2, 3, 4, 6, 8, 12, 16, 26] as const

interface RepeatProps {
  cls: Pick<RosterClass, 'single_class_id' | 'class_type' | 'class_date'>
  row: RosterReservation
  onClose: () => void
  onBack: () => void
}

/** Reserves the same class for a customer in the following weeks, and shows the result of each week (R19). */
export default function RepeatReservation({ cls, row, onClose, onBack }: RepeatProps) {
  const changed = useRosterChanged()
  const [weeks, setWeeks] = useState(4)
  const repeat = useIdempotentMutation(api.frontDesk.repeat, {
    onSuccess: () => undefined,
    onError: () => undefined,
    onSettled: changed,
  })
  if (repeat.data)
    return (
      <Dialog open onClose={onClose} title="Repetir cada semana" actions={<Button onClick={onClose}>Listo</Button>}>
        <Report {...repeat.data} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={repeat.isPending ? null : onClose}
      title="Repetir cada semana"
      actions={
        <>
          <Button variant="outline" disabled={repeat.isPending} onClick={onBack}>
            Volver
          </Button>
          <Button
            loading={repeat.isPending}
            onClick={() => {
              const { customer_id, spot } = row
              repeat.mutate({ customer_id, single_class_id: cls.single_class_id, weeks, spot })
            }}
          >
            Reservar {weeks} semanas
          </Button>
        </>
      }
    >
      {repeat.isError && (
        <Banner tone="danger" live>
          {toFailure(repeat.error).message}
        </Banner>
      )}
      <p>
        {row.name} {row.last_name}: {cls.class_type}, cada {formatWall(cls.class_date, 'weekday').split(' ')[0]} a las{' '}
        {formatWall(cls.class_date, 'hour')}. Cada semana usa un crédito{row.spot ? '; si su lugar está ocupado, recibe otro' : ''}.
      </p>
      <Select
        label="Durante"
        hint="La semana de esta clase cuenta como la primera."
        value={weeks}
        onChange={(event) => setWeeks(Number(event.currentTarget.value))}
      >
        {CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {choice} semanas
          </option>
        ))}
      </Select>
    </Dialog>
  )
}

type Repeated = Awaited<ReturnType<typeof api.frontDesk.repeat>>

const LABELS = { booked: 'Reservada', mine: 'Ya la tenía', no_class: 'Esa semana no hay clase', refused: '' } as const
const ICONS = { booked: IconCheck, mine: IconCheck, no_class: IconCalendarOff, refused: IconX } as const

function Report({ weeks, booked }: Repeated) {
  return (
    <div className="stack gap-16">
      <p role="status" className="strong">
        {booked === 0 ? 'No se reservó ninguna clase nueva.' : booked === 1 ? 'Se reservó 1 clase.' : `Se reservaron ${booked} clases.`}
      </p>
      <ul className="stack gap-8" aria-label="Semana por semana">
        {weeks.map((week) => {
          const Icon = ICONS[week.outcome]
          return (
            <li key={week.date} className="row gap-8">
              <Icon className="icon" aria-hidden="true" />
              <b className="nowrap">{formatWall(`${week.date}T00:00:00.000Z`, 'class').split(',')[0]}</b>
              <span className="grow small">{week.why_not?.message ?? LABELS[week.outcome]}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
