import { IconBrush, IconClipboardText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { coachLabel } from './coach-names.ts'
import { PastePanel } from './paste-panel.tsx'
import { StepForm, useSteps } from './step-form.tsx'
import { AlreadyThere, StepSkeleton } from './step-parts.tsx'
import {
  type PaintedSchedule,
  type ScheduleRecords,
  saveSchedule,
  USUAL_MINUTES,
  usePaintedSchedule,
  useScheduleCheck,
} from './use-painted-schedule.ts'
import { WeekPainter } from './week-painter.tsx'
import { countClasses, isSameName, lastDay, type PaintedClass, painted } from './week-painting.ts'
import { WeekPreview } from './week-preview.tsx'
import './week-painter.css'

const WEEKS = [4, 8, 12]

/** Horario: a week that is painted or pasted, repeated for some weeks. */
export default function ScheduleStep() {
  const types = useQuery(queries.catalogue.admin.classTypes.all.queryOptions()).data?.class_types
  const coaches = useQuery(queries.catalogue.admin.instructors.all.queryOptions()).data?.instructors
  const locations = useQuery(queries.catalogue.admin.locations.all.queryOptions()).data?.locations
  const rooms = useQuery(queries.rooms.list.queryOptions()).data?.rooms
  if (!types || !coaches || !locations || !rooms) return <StepSkeleton />
  const live = <T extends { archived: boolean }>(all: readonly T[]) => all.filter(({ archived }) => !archived)
  return (
    <ScheduleForm
      types={live(types)}
      coaches={live(coaches).map((coach) => ({ instructor_id: coach.instructor_id, label: coachLabel(coach) }))}
      locations={live(locations)}
      rooms={new Map(live(rooms).map((room) => [room.location_id, { ...room, capacity: room.seats ?? room.capacity }]))}
    />
  )
}

function ScheduleForm(records: ScheduleRecords) {
  const { types, coaches, locations } = records
  const { step } = useSteps()
  const schedule = usePaintedSchedule(records)
  const { week, times, span, needsCapacity, capacity } = schedule
  const [how, setHow] = useState<'pintar' | 'pegar'>('pintar')
  const [location_id, setLocation] = useState(locations[0]?.location_id ?? 0)
  const [type, setType] = useState<string | null>(types[0]?.name ?? null)
  const [coach, setCoach] = useState(coaches[0]?.label ?? '')
  const [hasPasted, setHasPasted] = useState(false)
  const total = countClasses(week, span)

  function paste(classes: readonly Omit<PaintedClass, 'location_id'>[]) {
    schedule.setWeek(classes.reduce<readonly PaintedClass[]>((all, cls) => painted(all, { ...cls, location_id }), week))
    setHow('pintar')
    setHasPasted(true)
  }
  return (
    <StepForm
      title="¿A qué hora das clases?"
      about="Elige una clase y pinta las horas en que empieza. Nadie lo ve hasta que sigas."
      draft={{ cells: week, times, start: span.start, weeks: span.weeks }}
      problem={
        locations.length === 0
          ? 'Primero di dónde das clases.'
          : week.length === 0 && step.state !== 'done'
            ? 'Pinta al menos una clase, o salta este paso.'
            : needsCapacity && !(Number(capacity) > 0)
              ? 'Escribe cuántas personas caben en cada clase.'
              : null
      }
      summary={
        week.length > 0 && (
          <>
            <span className="strong">{week.length === 1 ? '1 clase por semana' : `${week.length} clases por semana`}</span>
            <span className="muted steps-line">{total === null ? 'sin fin' : `${total.toLocaleString('es-MX')} en total`}</span>
          </>
        )
      }
      onSubmit={async () => {
        if (week.length > 0) await saveSchedule(schedule, records)
        return {}
      }}
      preview={
        <WeekPreview
          week={week}
          minutesOf={(name) => types.find((type) => isSameName(type.name, name))?.duration_minutes ?? USUAL_MINUTES}
        />
      }
    >
      {step.state === 'done' && step.summary && (
        <AlreadyThere
          to={adminPaths.schedule}
          screen="Ver el horario"
        >{`Ya tienes ${step.summary}. Lo que pintes se agrega.`}</AlreadyThere>
      )}
      <div className="steps-tools">
        <Segmented
          label="Cómo lo haces"
          options={[
            { value: 'pintar', label: <ToolLabel Icon={IconBrush} text="Pintar" /> },
            { value: 'pegar', label: <ToolLabel Icon={IconClipboardText} text="Pegar una lista" /> },
          ]}
          value={how}
          onChange={(chosen) => {
            setHow(chosen)
            setHasPasted(false)
          }}
        />
        {locations.length > 1 && (
          <Select label="Lugar" value={String(location_id)} onChange={(event) => setLocation(Number(event.currentTarget.value))}>
            {locations.map((location) => (
              <option key={location.location_id} value={location.location_id}>
                {location.name}
              </option>
            ))}
          </Select>
        )}
        {how === 'pintar' && (
          <Select label="Coach" value={coach} onChange={(event) => setCoach(event.currentTarget.value)}>
            {coaches.map(({ label }) => (
              <option key={label} value={label}>
                Con {label}
              </option>
            ))}
            <option value="">Sin coach todavía</option>
          </Select>
        )}
      </div>
      {how === 'pegar' ? (
        <PastePanel types={types.map(({ name }) => name)} coaches={coaches.map(({ label }) => label)} onPut={paste} />
      ) : (
        <WeekPainter
          schedule={schedule}
          location_id={location_id}
          brush={type === null ? null : { type, coach: coach || null }}
          onType={setType}
          takesFocus={hasPasted}
        />
      )}
      <ScheduleWarnings schedule={schedule} records={records} />
      <SpanFields schedule={schedule} />
    </StepForm>
  )
}

/** From when on, for how many weeks, and for how many people. */
function SpanFields({ schedule }: { schedule: PaintedSchedule }) {
  const { span, closed, today } = schedule
  const last = lastDay(span)
  return (
    <>
      <div className="steps-pair">
        <TextField
          label="Empieza"
          type="date"
          min={today}
          value={span.start}
          onChange={(event) => event.currentTarget.value >= today && schedule.setStart(event.currentTarget.value)}
        />
        <Select
          label="Se repite"
          value={String(span.weeks ?? '')}
          onChange={(event) => schedule.setWeeks(Number(event.currentTarget.value) || null)}
        >
          {WEEKS.map((count) => (
            <option key={count} value={count}>
              {count} semanas
            </option>
          ))}
          <option value="">Sin fin</option>
        </Select>
        {schedule.needsCapacity && (
          <TextField
            label="Personas por clase"
            inputMode="numeric"
            maxLength={3}
            value={schedule.capacity}
            onChange={(event) => schedule.setCapacity(event.currentTarget.value)}
          />
        )}
      </div>
      <p className="small muted">
        {last === null
          ? 'Siempre hay clases algunas semanas adelante; en Horario puedes terminarlas cuando quieras.'
          : `Hasta el ${formatWall(`${last}T00:00:00Z`, 'date')}.`}
        {closed.length > 0 &&
          ` No se crean clases el ${new Intl.ListFormat('es-MX').format(closed.map(({ day }) => formatWall(`${day}T00:00:00Z`, 'day')))}, ${closed.length === 1 ? 'día feriado' : 'días feriados'}.`}
      </p>
    </>
  )
}

/** Why the server would refuse the week, or what is odd about it. */
function ScheduleWarnings({ schedule: { week, span, rooms }, records }: { schedule: PaintedSchedule; records: ScheduleRecords }) {
  const { problem, warnings } = useScheduleCheck(week, span, { ...records, rooms })
  if (problem)
    return (
      <Banner tone="danger" live>
        {problem}
      </Banner>
    )
  if (warnings.length === 0) return null
  return (
    <Banner tone="warn" live>
      {warnings.slice(0, 3).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <p>Puedes seguir; lo verás marcado en el horario.</p>
    </Banner>
  )
}

function ToolLabel({ Icon, text }: { Icon: typeof IconBrush; text: string }) {
  return (
    <>
      <Icon className="icon" aria-hidden="true" />
      {text}
    </>
  )
}
