import { type ReactNode, useEffect, useRef } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { isoWeekday } from '#contract/time.ts'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { type ClassForm, endHour, type FormField, inRoom, ofType } from './class-form.ts'
import { ClassMoreFields } from './class-more-fields.tsx'
import { ClassSeats } from './class-seats.tsx'
import { type ClassCoach, CoachesField } from './coaches-field.tsx'
import { RoomField, type RoomOption } from './room-field.tsx'

/** What a class is put together from. */
export interface ClassRecords {
  types: readonly { class_type_id: number; name: string; duration_minutes: number; spot_map: string | null }[]
  locations: readonly { location_id: number; name: string }[]
  rooms: readonly RoomOption[]
  coaches: readonly ClassCoach[]
}

interface ClassFieldsProps extends ClassRecords {
  form: ClassForm
  set: (changes: Partial<ClassForm>) => void
  /** The error of a field, once saving was tried. */
  wrong: (field: FormField) => string | undefined
  /** The class that is changed; null: a new one. */
  cls: PlannedClass | null
  /** The length that was marked in the timetable, in minutes; it outlives the choice of a type. */
  markedMinutes: number | null | undefined
  locked: boolean
  /** The hour is what is to be changed. */
  focusesHour?: boolean
  /** At the end: on which days a new class repeats, or which classes of a series change. */
  children: ReactNode
}

/** The fields of one class. */
export function ClassFields({
  form,
  set,
  wrong,
  cls,
  markedMinutes,
  locked,
  focusesHour = false,
  types,
  locations,
  coaches,
  rooms,
  children,
}: ClassFieldsProps) {
  const room = rooms.find((room) => String(room.room_id) === form.room_id)
  const ends = endHour(form)
  const chooseType = (value: string) => {
    const type = types.find((type) => String(type.class_type_id) === value)
    // Hours that were marked keep their length.
    const minutes = markedMinutes ? { minutes: form.minutes } : {}
    set({ class_type_id: value, ...(cls || !type ? {} : { ...ofType(type, room, form.capacity), ...minutes }) })
  }
  return (
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
      <WhenFields form={form} set={set} wrong={wrong} focusesHour={focusesHour} />
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
        rooms={rooms.filter((room) => String(room.location_id) === form.location_id)}
        value={form.room_id}
        onChange={(room) =>
          set({
            room_id: room ? String(room.room_id) : '',
            ...(room?.spot_map ? { rows: room.spot_map.split(',').join(', ') } : {}),
            ...(cls || !room ? {} : { capacity: inRoom(room, form.capacity).capacity }),
          })
        }
      />
      <SizeFields form={form} set={set} wrong={wrong} fixedRows={Boolean(room?.spot_map)} />
      <TextArea
        label="Nota para quien reserva"
        optional
        rows={2}
        maxLength={4000}
        value={form.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <ClassMoreFields form={form} set={set} />
      {children}
    </fieldset>
  )
}

type PartProps = Pick<ClassFieldsProps, 'form' | 'set' | 'wrong'>

function WhenFields({ form, set, wrong, focusesHour }: PartProps & { focusesHour: boolean }) {
  const hourField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!focusesHour) return
    // After the panel has opened: opening it moves the focus to its first button.
    const frame = requestAnimationFrame(() => hourField.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [focusesHour])
  function setDay(day: string) {
    // The day of the first class belongs to those on which it repeats.
    set({ day, ...(form.repeats || !day ? {} : { weekdays: [isoWeekday(day)] }) })
  }
  return (
    <div className="field-pair">
      <TextField label="Fecha" type="date" error={wrong('day')} value={form.day} onChange={(event) => setDay(event.currentTarget.value)} />
      <TextField
        label="Hora"
        type="time"
        step={300}
        ref={hourField}
        error={wrong('hour')}
        value={form.hour}
        onChange={(event) => set({ hour: event.currentTarget.value })}
      />
    </div>
  )
}

/** Capacity, price and seats by row; `fixedRows` when the room's map gives them. */
function SizeFields({ form, set, wrong, fixedRows }: PartProps & { fixedRows: boolean }) {
  return (
    <>
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
        hint={fixedRows ? 'Los pone el mapa de la sala.' : undefined}
        readOnly={fixedRows}
        maxLength={120}
        error={wrong('rows')}
        value={form.rows}
        onChange={(event) => set({ rows: event.currentTarget.value })}
      />
      <ClassSeats rows={form.rows} capacity={form.capacity} />
    </>
  )
}
