import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { CancelClass, SCOPES, type Scope } from './cancel-class.tsx'
import {
  type ClassForm,
  changeOf,
  creationOf,
  endHour,
  type FormField,
  formOf,
  inRoom,
  ofType,
  problemsOf,
  startedForm,
  weekdayOf,
} from './class-form.ts'
import { ClassMoreFields } from './class-more-fields.tsx'
import { ClassRepeats } from './class-repeats.tsx'
import { ClassSeats } from './class-seats.tsx'
import { type ClassCoach, CoachesField } from './coaches-field.tsx'
import type { NewClassLink } from './new-class-link.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { RoomField, type RoomOption } from './room-field.tsx'
import { useTimetableRefresh } from './use-timetable.ts'

const RuleTestDialog = lazy(() => import('./rule-test.tsx'))
const SubstituteDialog = lazy(() => import('./substitute-dialog.tsx'))

interface ClassPanelProps {
  /** The class that is changed; null: a new one at `at`. */
  cls: PlannedClass | null
  at: { day: string; hour: string } & Partial<NewClassLink>
  location_id: number | null
  saves_as: 'draft' | 'publish'
  canEdit: boolean
  /** Begins with the dialog that cancels the class. */
  cancels?: boolean
  onClose: () => void
}

/** One class of the timetable: all its fields and its conflicts. */
export function ClassPanel(props: ClassPanelProps) {
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const rooms = useQuery(queries.rooms.list.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const { cls, onClose } = props
  const title = cls ? cls.class_type.name : 'Nueva clase'
  const ready = types.data && locations.data && coaches.data && rooms.data
  return (
    <Drawer open side="right" label={title} closeLabel="Cerrar" onClose={onClose} head={<h2 className="t3">{title}</h2>}>
      {ready && (
        <Form
          key={cls ? `${cls.single_class_id} ${cls.class_draft_id}` : `${props.at.day} ${props.at.hour} ${props.at.class_type_id ?? ''}`}
          {...props}
          types={types.data.class_types}
          locations={locations.data.locations}
          coaches={coaches.data.instructors}
          rooms={rooms.data.rooms}
        />
      )}
    </Drawer>
  )
}

interface FormProps extends ClassPanelProps {
  types: readonly { class_type_id: number; name: string; duration_minutes: number; spot_map: string | null }[]
  locations: readonly { location_id: number; name: string }[]
  rooms: readonly RoomOption[]
  coaches: readonly ClassCoach[]
}

function Form({ cls, at, location_id, saves_as, canEdit, cancels = false, onClose, types, locations, coaches, rooms }: FormProps) {
  const onlyLocation = locations.length === 1 ? (locations[0]?.location_id ?? null) : null
  const [form, setForm] = useState<ClassForm>(() => {
    if (cls) return formOf(cls)
    return startedForm(at, { types, rooms, location_ids: locations.map((one) => one.location_id) }, location_id ?? onlyLocation)
  })
  const room = rooms.find((one) => String(one.room_id) === form.room_id)
  const [scope, setScope] = useState<Scope>('one')
  const [shown, setShown] = useState(false)
  const staff = useStaff()
  const refresh = useTimetableRefresh()
  const set = (changes: Partial<ClassForm>) => setForm((before) => ({ ...before, ...changes }))
  const problems = problemsOf(form)
  const ends = endHour(form)
  const wrong = (field: FormField) => (shown ? problems[field] : undefined)
  const isNew = cls === null || cls.single_class_id === null
  const change = isNew ? creationOf(form, cls) : changeOf(cls, form, scope)
  const locked = !canEdit || cls?.state === 'past' || cls?.state === 'cancelled'
  const [asking, setAsking] = useState<'publish' | 'cancel' | 'delete' | 'substitute' | 'rules' | null>(
    cancels && !isNew && !locked ? 'cancel' : null,
  )

  const keep = useIdempotentMutation(
    (changes: ClassChange[], { context }) => api.studioSchedule.change({ changes, as: 'draft' }, { context }),
    {
      async onSuccess() {
        await refresh()
        showAlert('success', 'Guardado. Falta publicarlo.')
        onClose()
      },
      onError: () => undefined,
    },
  )
  const discard = useIdempotentMutation(
    (class_draft_id: number, { context }) => api.studioSchedule.discard({ class_draft_id }, { context }),
    {
      async onSuccess() {
        await refresh()
        showAlert('success', 'Se descartaron los cambios.')
        onClose()
      },
      onError: () => undefined,
    },
  )
  const save = () => {
    setShown(true)
    if (Object.keys(problems).length > 0 || !change) return
    if (saves_as === 'draft') keep.mutate([change])
    else setAsking('publish')
  }
  const chooseType = (value: string) => {
    const type = types.find((one) => String(one.class_type_id) === value)
    // Hours that were marked keep their length.
    const minutes = at.minutes ? { minutes: form.minutes } : {}
    set({ class_type_id: value, ...(cls || !type ? {} : { ...ofType(type, room, form.capacity), ...minutes }) })
  }
  const failure = keep.error ?? discard.error
  return (
    <div className="record-panel">
      {cls && (
        <p className="muted">
          {formatWall(cls.class_date, 'spoken')} · {cls.location.name}
        </p>
      )}
      {cls?.single_class_id && cls.state !== 'draft' && (
        <p className="plan-links">
          <span>
            {cls.taken} de {cls.capacity ?? '–'} lugares{cls.waiting > 0 ? `, ${cls.waiting} en espera` : ''}
          </span>
          <AppLink to={adminPaths.roster(cls.single_class_id)} className="link">
            <IconExternalLink className="icon" aria-hidden="true" /> Lista de clase
          </AppLink>
          {may(staff, 'roster.all') && (
            <button type="button" className="link link-alone" onClick={() => setAsking('rules')}>
              ¿Quién puede reservarla?
            </button>
          )}
        </p>
      )}
      {cls?.substitutes_for && <p>En lugar de {cls.substitutes_for.name}.</p>}
      {cls?.conflicts.map(({ kind, message }) => (
        <Banner key={`${kind} ${message}`} tone="warn" icon={<IconAlertTriangle className="icon" aria-hidden="true" />}>
          {message}
        </Banner>
      ))}
      {cls?.state === 'cancelled' && (
        <Banner tone="danger" title="El estudio canceló esta clase.">
          {cls.cancel_reason}
        </Banner>
      )}
      {failure && (
        <Banner tone="danger" live>
          {failureOf(failure).message}
        </Banner>
      )}
      <fieldset className="plan-form" disabled={locked}>
        <legend className="sr-only">Datos de la clase</legend>
        <Select
          label="Tipo de clase"
          error={wrong('class_type_id')}
          value={form.class_type_id}
          onChange={(event) => chooseType(event.currentTarget.value)}
        >
          <option value="">Elige una</option>
          {types.map((type) => (
            <option key={type.class_type_id} value={type.class_type_id}>
              {type.name}
            </option>
          ))}
        </Select>
        <div className="field-pair">
          <TextField
            label="Fecha"
            type="date"
            error={wrong('day')}
            value={form.day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <TextField
            label="Hora"
            type="time"
            step={300}
            error={wrong('hour')}
            value={form.hour}
            onChange={(event) => set({ hour: event.currentTarget.value })}
          />
        </div>
        <CoachesField form={form} own={cls} coaches={coaches} onChange={(value) => set({ coaches: value })} />
        <div className="field-pair">
          <Select
            label="Estudio"
            error={wrong('location_id')}
            value={form.location_id}
            onChange={(event) => set({ location_id: event.currentTarget.value, room_id: '' })}
          >
            <option value="">Elige uno</option>
            {locations.map((location) => (
              <option key={location.location_id} value={location.location_id}>
                {location.name}
              </option>
            ))}
          </Select>
          <TextField
            label="Duración"
            inputMode="numeric"
            maxLength={4}
            error={wrong('minutes')}
            hint={ends ? `Termina a las ${ends}.` : undefined}
            value={form.minutes}
            after={<span className="muted">min</span>}
            onChange={(event) => set({ minutes: event.currentTarget.value })}
          />
        </div>
        <RoomField
          rooms={rooms.filter((one) => String(one.location_id) === form.location_id)}
          value={form.room_id}
          onChange={(room) =>
            set({
              room_id: room ? String(room.room_id) : '',
              ...(room?.spot_map ? { rows: room.spot_map.split(',').join(', ') } : {}),
              ...(cls || !room ? {} : { capacity: inRoom(room, form.capacity).capacity }),
            })
          }
        />
        <div className="field-pair">
          <TextField
            label="Capacidad"
            inputMode="numeric"
            maxLength={4}
            optional
            hint="Sin capacidad la clase aparece llena."
            error={wrong('capacity')}
            value={form.capacity}
            onChange={(event) => set({ capacity: event.currentTarget.value })}
          />
          <TextField
            label="Precio suelto"
            inputMode="decimal"
            maxLength={10}
            optional
            error={wrong('price')}
            value={form.price}
            before={<span className="muted">$</span>}
            onChange={(event) => set({ price: event.currentTarget.value })}
          />
        </div>
        <TextField
          label="Lugares por fila"
          optional
          hint={room?.spot_map ? 'Los pone el mapa de la sala.' : undefined}
          readOnly={Boolean(room?.spot_map)}
          maxLength={120}
          error={wrong('rows')}
          value={form.rows}
          onChange={(event) => set({ rows: event.currentTarget.value })}
        />
        <ClassSeats rows={form.rows} capacity={form.capacity} />
        <TextArea
          label="Nota para quien reserva"
          optional
          rows={2}
          maxLength={4000}
          value={form.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <ClassMoreFields form={form} set={set} />
        {isNew && <ClassRepeats form={form} set={set} wrong={wrong} />}
        {!isNew && cls.class_series_id !== null && !locked && (
          <RadioCards legend="Qué clases cambian" options={SCOPES} value={scope} onChange={setScope} />
        )}
      </fieldset>
      {canEdit && (
        <div className="plan-actions">
          {!locked && (
            <Button loading={keep.isPending} reason={!isNew && !change ? 'No has cambiado nada.' : null} onClick={save}>
              {isNew && !cls ? 'Crear clase' : 'Guardar cambios'}
            </Button>
          )}
          {cls?.class_draft_id && (
            <Button variant="outline" loading={discard.isPending} onClick={() => discard.mutate(cls.class_draft_id ?? 0)}>
              Descartar cambios
            </Button>
          )}
          {!isNew && !locked && (
            <Button variant="outline" onClick={() => setAsking('substitute')}>
              Buscar suplente
            </Button>
          )}
          {!isNew && !locked && (
            <Button variant="danger-quiet" onClick={() => setAsking('cancel')}>
              Cancelar clase
            </Button>
          )}
          {!isNew && cls.taken + cls.held + cls.waiting === 0 && (
            <Button variant="danger-quiet" onClick={() => setAsking('delete')}>
              Eliminar
            </Button>
          )}
        </div>
      )}
      {asking === 'publish' && change && (
        <PublishDialog
          title="Publicar el cambio"
          yes="Publicar"
          changes={[change]}
          done={() => 'Cambios publicados.'}
          onDone={onClose}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'cancel' && cls && <CancelClass cls={cls} scope={scope} onDone={onClose} onClose={() => setAsking(null)} />}
      {asking === 'rules' && cls?.single_class_id && (
        <Suspense>
          <RuleTestDialog
            single_class_id={cls.single_class_id}
            name={`${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
      {asking === 'substitute' && cls?.single_class_id && (
        <Suspense>
          <SubstituteDialog
            classes={[
              {
                single_class_id: cls.single_class_id,
                text: `${cls.class_type.name}, ${formatWall(cls.class_date, 'class')} · ${cls.location.name}`,
              },
            ]}
            canAssign
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
      {asking === 'delete' && cls?.single_class_id && (
        <PublishDialog
          title="Eliminar la clase"
          yes="Sí, eliminar"
          danger
          changes={[{ op: 'delete', scope, single_class_id: cls.single_class_id }]}
          done={() => 'Clase eliminada.'}
          onDone={onClose}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )

  function setDay(day: string) {
    // The day of the first class belongs to those on which it repeats.
    set({ day, ...(form.repeats || !day ? {} : { weekdays: [weekdayOf(day)] }) })
  }
}
