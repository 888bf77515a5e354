import { IconBrush, IconClipboardText, IconEraser } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, formatWall } from '#contract/time.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { api, newIdempotencyKey, queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDelayed } from '#web/lib/use-delayed.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { coachLabel, splitName } from './coach-names.ts'
import { type Brush, PaintGrid } from './paint-grid.tsx'
import { PastePanel } from './paste-panel.tsx'
import { StepForm, useStepDraft, useSteps } from './step-form.tsx'
import { AlreadyThere, StepSkeleton } from './step-parts.tsx'
import {
  changesOf,
  countClasses,
  isSameName,
  type KnownRecords,
  lastDay,
  missingNames,
  type PaintedClass,
  painted,
  shortName,
  timesOf,
  USUAL_TIMES,
  type WeekSpan,
} from './week-painting.ts'
import { WeekPreview } from './week-preview.tsx'
import './week-painter.css'

interface ScheduleDraft {
  cells: PaintedClass[]
  times: string[]
  start: string
  weeks: number
}

interface Loaded {
  types: { class_type_id: number; name: string; duration_minutes: number }[]
  coaches: { instructor_id: number; label: string }[]
  locations: { location_id: number; name: string }[]
  rooms: KnownRecords['rooms']
}

/** Looks of classes in the grid (onboarding.css). */
const COLOURS = 6
const WEEKS = [4, 8, 12]
const USUAL_WEEKS = 8
const USUAL_MINUTES = 60
/** Pause after a stroke, in ms, before the server is asked what the week would do. */
const PAUSE_MS = 900
/** What is wrong with a class only until a later step, or by choice. */
const EXPECTED = ['no_package', 'no_coach'] as const

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
      rooms={new Map(rooms.map((room) => [room.location_id, { ...room, capacity: room.seats ?? room.capacity }]))}
    />
  )
}

function ScheduleForm({ types, coaches, locations, rooms }: Loaded) {
  const { zone } = useSite()
  const { step } = useSteps()
  const draft = useStepDraft<ScheduleDraft>('schedule')
  const today = todayIn(zone)
  const [week, setWeek] = useState<readonly PaintedClass[]>(
    (draft?.cells ?? []).filter(({ location_id }) => locations.some((one) => one.location_id === location_id)),
  )
  const [times, setTimes] = useState<readonly string[]>(draft?.times ?? USUAL_TIMES)
  const [start, setStart] = useState(draft && draft.start > today ? draft.start : addDays(today, 1))
  const [weeks, setWeeks] = useState(draft?.weeks ?? USUAL_WEEKS)
  const [how, setHow] = useState<'pintar' | 'pegar'>('pintar')
  const [location_id, setLocation] = useState(locations[0]?.location_id ?? 0)
  const [type, setType] = useState<string | null>(types[0]?.name ?? null)
  const [coach, setCoach] = useState(coaches[0]?.label ?? '')
  const [hasPasted, setHasPasted] = useState(false)
  const [newTime, setNewTime] = useState('')
  const [capacity, setCapacity] = useState('12')
  const brush: Brush = type === null ? null : { type, coach: coach || null }
  const names = [...types.map(({ name }) => name), ...missingNames(week, { types, coaches }).types]
  const colourOf = (name: string) =>
    Math.max(
      0,
      names.findIndex((one) => isSameName(one, name)),
    ) % COLOURS
  const roomy = withCapacity(rooms, locations, Number(capacity))
  const needsCapacity = locations.some((one) => rooms.get(one.location_id)?.capacity == null)

  const years = [...new Set([start, lastDay({ start, weeks })].map((day) => Number(day.slice(0, 4))))]
  const official = useQueries({
    queries: years.map((year) => queries.holidays.official.queryOptions({ input: { year }, staleTime: Number.POSITIVE_INFINITY })),
    combine: (all) => all.flatMap(({ data }) => data?.holidays ?? []).filter(({ kind }) => kind === 'official'),
  })
  const closed = official.filter(({ day }) => day >= start && day <= lastDay({ start, weeks }))
  const span: WeekSpan = { start, weeks, except: closed.map(({ day }) => day) }
  const total = countClasses(week, span)
  const check = useScheduleCheck(week, span, { types, coaches, rooms: roomy })

  function put(classes: readonly Omit<PaintedClass, 'location_id'>[]) {
    setWeek(classes.reduce<readonly PaintedClass[]>((all, cls) => painted(all, { ...cls, location_id }), week))
    setHow('pintar')
    setHasPasted(true)
  }
  return (
    <StepForm
      title="¿A qué hora das clases?"
      about="Elige una clase y pinta las horas en que empieza. Nadie lo ve hasta que sigas."
      draft={{ cells: week, times, start, weeks }}
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
            <span className="muted steps-line">{total.toLocaleString('es-MX')} en total</span>
          </>
        )
      }
      onSubmit={async () => {
        if (week.length === 0) return {}
        const missing = missingNames(week, { types, coaches })
        const made: Pick<Loaded, 'types' | 'coaches'> = { types: [...types], coaches: [...coaches] }
        for (const name of missing.types) {
          const { class_type } = await api.catalogue.admin.classTypes.create({
            class_type_id: 'nuevo',
            name,
            duration_minutes: USUAL_MINUTES,
          })
          made.types.push(class_type)
        }
        for (const label of missing.coaches) {
          const { instructor } = await api.catalogue.admin.instructors.create({
            ...{ instructor_id: 'nueva', ...splitName(label), is_home: true },
          })
          made.coaches.push({ instructor_id: instructor.instructor_id, label })
        }
        const changes = changesOf(week, span, { ...made, rooms: roomy })
        await api.studioSchedule.change({ changes }, { context: { intention: newIdempotencyKey() } })
        return {}
      }}
      preview={
        <WeekPreview week={week} minutesOf={(name) => types.find((one) => isSameName(one.name, name))?.duration_minutes ?? USUAL_MINUTES} />
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
            {locations.map((one) => (
              <option key={one.location_id} value={one.location_id}>
                {one.name}
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
        <PastePanel types={types.map(({ name }) => name)} coaches={coaches.map(({ label }) => label)} onPut={put} />
      ) : (
        <>
          <fieldset className="paint-brushes">
            <legend className="sr-only">Clase que pintas</legend>
            {names.map((name) => (
              <label key={name} className="paint-brush">
                <input type="radio" className="sr-only" name="clase" checked={type === name} onChange={() => setType(name)} />
                <span className={`paint-sample paint-look-${colourOf(name)}`} aria-hidden="true">
                  {shortName(name)}
                </span>
                {name}
              </label>
            ))}
            <label className="paint-brush">
              <input type="radio" className="sr-only" name="clase" checked={type === null} onChange={() => setType(null)} />
              <span className="paint-sample paint-eraser" aria-hidden="true">
                <IconEraser className="icon" />
              </span>
              Borrar
            </label>
          </fieldset>
          <PaintGrid
            week={week}
            times={timesOf(
              week.filter((cls) => cls.location_id === location_id),
              times,
            )}
            location_id={location_id}
            brush={brush}
            takesFocus={hasPasted}
            lookOf={colourOf}
            onChange={setWeek}
          />
          <div className="steps-tools">
            <span className="control steps-time">
              <input type="time" aria-label="Otra hora" value={newTime} onChange={(event) => setNewTime(event.currentTarget.value)} />
            </span>
            <Button
              variant="outline"
              size="small"
              onClick={() => {
                if (newTime) setTimes([...new Set([...times, newTime])].sort())
                setNewTime('')
              }}
            >
              Agregar hora
            </Button>
            <p className="small muted not-phone">
              Flechas para moverte, espacio para pintar, Supr para borrar. Con Mayús pintas al moverte.
            </p>
          </div>
        </>
      )}
      {check.problem ? (
        <Banner tone="danger" live>
          {check.problem}
        </Banner>
      ) : (
        check.warnings.length > 0 && (
          <Banner tone="warn" live>
            {check.warnings.slice(0, 3).map((message) => (
              <p key={message}>{message}</p>
            ))}
            <p>Puedes seguir; lo verás marcado en el horario.</p>
          </Banner>
        )
      )}
      <div className="steps-pair">
        <TextField
          label="Empieza"
          type="date"
          min={today}
          value={start}
          onChange={(event) => event.currentTarget.value >= today && setStart(event.currentTarget.value)}
        />
        <Select label="Se repite" value={String(weeks)} onChange={(event) => setWeeks(Number(event.currentTarget.value))}>
          {WEEKS.map((count) => (
            <option key={count} value={count}>
              {count} semanas
            </option>
          ))}
        </Select>
        {needsCapacity && (
          <TextField
            label="Personas por clase"
            inputMode="numeric"
            maxLength={3}
            value={capacity}
            onChange={(event) => setCapacity(event.currentTarget.value)}
          />
        )}
      </div>
      <p className="small muted">
        Hasta el {formatWall(`${lastDay(span)}T00:00:00Z`, 'date')}.
        {closed.length > 0 &&
          ` No se crean clases el ${new Intl.ListFormat('es-MX').format(closed.map(({ day }) => formatWall(`${day}T00:00:00Z`, 'day')))}, ${closed.length === 1 ? 'día feriado' : 'días feriados'}.`}
      </p>
    </StepForm>
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

/** The rooms by location, with the given number of places where a room says none. */
function withCapacity(rooms: KnownRecords['rooms'], locations: Loaded['locations'], capacity: number): KnownRecords['rooms'] {
  return new Map(
    locations.map(({ location_id }) => {
      const room = rooms.get(location_id)
      return [
        location_id,
        { room_id: room?.room_id ?? null, spot_map: room?.spot_map ?? null, capacity: room?.capacity ?? (capacity || null) },
      ]
    }),
  )
}

/** What the server says about the week: why it would refuse it, and what is odd about it. Nothing is written. */
function useScheduleCheck(
  week: readonly PaintedClass[],
  span: WeekSpan,
  known: KnownRecords,
): { problem: string | null; warnings: string[] } {
  const text = JSON.stringify(changesOf(week, { ...span, weeks: Math.min(span.weeks, 1) }, known))
  const delayed = useDelayed(text, PAUSE_MS)
  const changes = JSON.parse(delayed) as ReturnType<typeof changesOf>
  const query = useQuery({
    queryKey: [...queries.studioSchedule.change.key(), 'dry-run', delayed],
    queryFn: () => api.studioSchedule.change({ changes, dry_run: true }),
    enabled: changes.length > 0,
    retry: false,
    meta: { handled: true },
  })
  const conflicts = (query.data?.result.conflicts ?? []).filter(({ kind }) => !(EXPECTED as readonly string[]).includes(kind))
  return {
    problem: changes.length > 0 && query.isError ? failureOf(query.error).message : null,
    warnings: [...new Set(conflicts.map(({ message }) => message))],
  }
}
