import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { MAX_CHANGES, MAX_SCHEDULE_DAYS, type PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, formatWall, isLocalDate, type LocalDate } from '#contract/time.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { type ClassFilter, filteredClasses } from './class-filter.ts'
import type { FindLink } from './find-link.ts'
import type { PlanRecords } from './plan-views.ts'
import { WeekdayChips } from './weekday-chips.tsx'

interface FindClassesProps {
  records: PlanRecords
  types: readonly { class_type_id: number; name: string }[]
  /** The filters of the screen, with which it begins. */
  filters: { coach: string; tipo: string; sala: string }
  /** The days and hours with which it begins; null: the weeks from the shown one. */
  start: FindLink | null
  monday: LocalDate
  today: LocalDate
  onSelect: (classes: readonly PlannedClass[]) => void
  onClose: () => void
}

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]

/** Selects all classes of some days that fit a filter: "todas las de Sofía en diciembre". Says how many there are before. */
export default function FindClasses({ records, types, filters, start, monday, today, onSelect, onClose }: FindClassesProps) {
  const first = monday > today ? monday : today
  const [from, setFrom] = useState(start?.from ?? first)
  const [to, setTo] = useState(start?.to ?? addDays(first, 27))
  const [coach, setCoach] = useState(filters.coach)
  const [type, setType] = useState(filters.tipo)
  const [room, setRoom] = useState(filters.sala)
  const [rest, setRest] = useState<ClassFilter>({
    weekdays: start?.weekdays.length ? start.weekdays : ALL_DAYS,
    since: start?.hour ?? '',
    until: start?.hour ?? '',
  })
  const isRange = isLocalDate(from) && isLocalDate(to) && to >= from && to < addDays(from, MAX_SCHEDULE_DAYS)
  const query = useQuery({
    ...queries.studioSchedule.read.queryOptions({
      input: {
        start_date: from,
        end_date: to,
        ...(records.location_id === null ? {} : { location_id: records.location_id }),
        ...(coach ? { instructor_id: Number(coach) } : {}),
        ...(type ? { class_type_id: Number(type) } : {}),
        ...(room ? { room_id: Number(room) } : {}),
      },
      meta: { handled: true },
    }),
    enabled: isRange,
    placeholderData: keepPreviousData,
  })
  const classes =
    isRange && query.data
      ? filteredClasses(
          query.data.days.flatMap((day) => day.classes),
          rest,
        )
      : []
  const isCurrent = isRange && query.isSuccess && !query.isPlaceholderData
  const problem = !isRange
    ? `Elige hasta ${MAX_SCHEDULE_DAYS} días, el último después del primero.`
    : classes.length > MAX_CHANGES
      ? `Son más de ${MAX_CHANGES} clases: elige menos días.`
      : isCurrent && classes.length === 0
        ? 'No hay clases así esos días.'
        : null
  return (
    <Dialog
      open
      onClose={onClose}
      title="Seleccionar clases"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            reason={problem}
            loading={isRange && !isCurrent && !query.isError}
            onClick={() => isCurrent && problem === null && onSelect(classes)}
          >
            {classes.length === 1 ? 'Seleccionar 1 clase' : `Seleccionar ${classes.length} clases`}
          </Button>
        </>
      }
    >
      <div className="field-pair">
        <TextField label="Desde el día" type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextField label="Hasta el día" type="date" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      </div>
      <div className="field-pair">
        <Select label="De qué coach" value={coach} onChange={(event) => setCoach(event.currentTarget.value)}>
          <option value="">De cualquiera</option>
          {records.coaches.map((coach) => (
            <option key={coach.instructor_id} value={coach.instructor_id}>
              {instructorName(coach)}
            </option>
          ))}
        </Select>
        <Select label="De qué tipo" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="">De cualquiera</option>
          {types.map((type) => (
            <option key={type.class_type_id} value={type.class_type_id}>
              {type.name}
            </option>
          ))}
        </Select>
      </div>
      {records.rooms.length > 0 && (
        <Select label="En qué sala" value={room} onChange={(event) => setRoom(event.currentTarget.value)}>
          <option value="">En cualquiera</option>
          {records.rooms.map((room) => (
            <option key={room.room_id} value={room.room_id}>
              {room.name}
            </option>
          ))}
        </Select>
      )}
      <WeekdayChips value={rest.weekdays} onChange={(weekdays) => setRest({ ...rest, weekdays })} />
      <div className="field-pair">
        <TextField
          label="Empiezan desde las"
          type="time"
          optional
          value={rest.since}
          onChange={(event) => setRest({ ...rest, since: event.currentTarget.value })}
        />
        <TextField
          label="Empiezan hasta las"
          type="time"
          optional
          value={rest.until}
          onChange={(event) => setRest({ ...rest, until: event.currentTarget.value })}
        />
      </div>
      {query.isError && <PartNotLoaded query={query}>No pudimos buscar las clases.</PartNotLoaded>}
      <p className="muted" role="status">
        {isCurrent && classes.length > 0 && foundText(classes)}
      </p>
    </Dialog>
  )
}

/** "24 clases, de mar 01 dic, 07:00 a jue 31 dic, 19:30; 180 lugares reservados." */
function foundText(classes: readonly PlannedClass[]): string {
  const [first, last] = [classes[0], classes.at(-1)]
  const takenCount = classes.reduce((sum, cls) => sum + cls.taken, 0)
  const reserved = takenCount === 0 ? 'nadie tiene lugar' : takenCount === 1 ? '1 lugar reservado' : `${takenCount} lugares reservados`
  if (!first || !last) return ''
  if (first === last) return `1 clase, ${formatWall(first.class_date, 'class')}; ${reserved}.`
  return `${classes.length} clases, de ${formatWall(first.class_date, 'class')} a ${formatWall(last.class_date, 'class')}; ${reserved}.`
}
