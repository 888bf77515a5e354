/** What is changed of many classes at once: hour, coach, room, capacity, tags, closed seats, or copies in other weeks. */

import { useState } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { daysBetween } from '#contract/day-count.ts'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { SeatChoice, TagChoice } from './bulk-choices.tsx'
import {
  applyPlanEdit,
  changesOfEdit,
  changesOfFields,
  copiesOf,
  editText,
  isEditable,
  NO_EDIT,
  seatFields,
  tagFields,
} from './plan-edits.ts'
import type { PlanRecords } from './plan-views.ts'
import { WeekChecks } from './week-checks.tsx'

export type BulkKind = 'hour' | 'coach' | 'room' | 'capacity' | 'tags' | 'seats' | 'copy'

interface Sent {
  changes: ClassChange[]
  text: string
  before: PlannedClass[]
}

interface BulkClassesProps {
  kind: BulkKind
  classes: readonly PlannedClass[]
  records: PlanRecords
  monday: LocalDate
  today: LocalDate
  onSend: (sent: Sent) => void
  onClose: () => void
}

const TITLES: Readonly<Record<BulkKind, string>> = {
  hour: 'Cambiar la hora',
  coach: 'Cambiar coach',
  room: 'Cambiar la sala',
  capacity: 'Cambiar la capacidad',
  tags: 'Cambiar las etiquetas',
  seats: 'Cerrar o abrir lugares',
  copy: 'Copiar a otras semanas',
}

const countText = (count: number): string => (count === 1 ? '1 clase' : `${count} clases`)
const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

export default function BulkClasses({ kind, classes, records, monday, today, onSend, onClose }: BulkClassesProps) {
  const [minutes, setMinutes] = useState('15')
  const [isLater, setLater] = useState(true)
  const [coach, setCoach] = useState('')
  const [room, setRoom] = useState('')
  const [capacity, setCapacity] = useState('')
  const [adds, setAdds] = useState(true)
  const [tags, setTags] = useState<number[]>([])
  const [spots, setSpots] = useState<string[]>([])
  const [weeks, setWeeks] = useState<LocalDate[]>([addDays(monday, 7)])
  const open = kind === 'copy' ? classes.filter(({ state }) => state !== 'cancelled') : classes.filter(isEditable)
  const chosen = records.rooms.find(({ room_id }) => String(room_id) === room)
  const map = open.find(({ spot_map }) => spot_map !== null)?.spot_map ?? null
  const concerned =
    kind === 'room' && chosen
      ? open.filter((cls) => cls.location.location_id === chosen.location_id)
      : kind === 'seats'
        ? open.filter(({ spot_map }) => map !== null && spot_map === map)
        : open
  const left = classes.length - concerned.length
  const locations = new Set(open.map((cls) => cls.location.location_id))
  const problem = problemOf()

  function problemOf(): string | null {
    if (kind === 'seats' && map === null) return 'Ninguna de estas clases tiene mapa.'
    if (concerned.length === 0) return 'Ninguna de estas clases cambia.'
    if (kind === 'tags' && tags.length === 0) return 'Elige al menos una etiqueta.'
    if (kind === 'seats' && spots.length === 0) return 'Elige al menos un lugar.'
    if (kind === 'hour' && !(/^\d{1,3}$/.test(minutes) && Number(minutes) > 0)) return 'Escribe cuántos minutos.'
    if (kind === 'coach' && coach === '') return 'Elige quién las da.'
    if (kind === 'room' && room === '') return 'Elige la sala.'
    if (kind === 'capacity' && capacity !== '' && !(/^\d{1,4}$/.test(capacity) && Number(capacity) <= 1000))
      return 'Escribe cuántas personas caben, hasta 1000.'
    return kind === 'copy' && weeks.length === 0 ? 'Elige al menos una semana.' : null
  }

  function sent(): Sent {
    const before = [...concerned]
    const count = countText(before.length)
    if (kind === 'hour') {
      const edit = { ...NO_EDIT, minutes: isLater ? Number(minutes) : -Number(minutes) }
      return { changes: changesOfEdit(before, edit, 'one'), text: editText(before, edit, records), before }
    }
    if (kind === 'copy') {
      const edits = weeks.map((week) => ({ ...NO_EDIT, days: daysBetween(monday, week) }))
      const changes = edits.flatMap((edit) =>
        copiesOf(
          before.filter((cls) => applyPlanEdit(cls, edit, records).class_date.slice(0, 10) >= today),
          edit,
        ),
      )
      return { changes, text: plural(changes.length, 'Se copió 1 clase', `Se copiaron ${changes.length} clases`), before: [] }
    }
    if (kind === 'coach') {
      const one = records.coaches.find(({ instructor_id }) => String(instructor_id) === coach)
      const changes = changesOfFields(before, () => ({ instructor_ids: one ? [one.instructor_id] : [] }))
      return { changes, text: one ? `${count} con ${instructorName(one)}` : `${count} sin coach`, before }
    }
    if (kind === 'room') {
      const changes = changesOfFields(before, () => ({ room_id: chosen?.room_id ?? null }))
      return { changes, text: chosen ? `${count} en ${chosen.name}` : `${count} sin sala`, before }
    }
    if (kind === 'tags') {
      const changes = changesOfFields(before, (cls) => tagFields(cls, tags, adds))
      return { changes, text: `${count} ${adds ? 'con' : 'sin'} ${plural(tags.length, 'esa etiqueta', 'esas etiquetas')}`, before }
    }
    if (kind === 'seats' && map !== null) {
      const changes = changesOfFields(before, (cls) => seatFields(cls, map, spots, adds))
      const seats = plural(spots.length, 'el lugar', 'los lugares')
      return {
        changes,
        text: `${count} con ${seats} ${new Intl.ListFormat('es-MX').format(spots)} ${adds ? 'cerrados' : 'abiertos'}`,
        before,
      }
    }
    const changes = changesOfFields(before, () => ({ capacity: capacity === '' ? null : Number(capacity) }))
    return { changes, text: capacity === '' ? `${count} sin capacidad` : `${count} con capacidad de ${capacity}`, before }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`${TITLES[kind]}: ${countText(classes.length)}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button reason={problem} onClick={() => problem === null && onSend(sent())}>
            {kind === 'copy' ? 'Copiar' : 'Cambiar'}
          </Button>
        </>
      }
    >
      {kind === 'hour' && (
        <div className="field-pair">
          <TextField
            label="Minutos"
            inputMode="numeric"
            maxLength={3}
            value={minutes}
            onChange={(event) => setMinutes(event.currentTarget.value)}
          />
          <Select label="Hacia" value={isLater ? 'later' : 'earlier'} onChange={(event) => setLater(event.currentTarget.value === 'later')}>
            <option value="later">Más tarde</option>
            <option value="earlier">Más temprano</option>
          </Select>
        </div>
      )}
      {kind === 'coach' && (
        <Select label="Coach" value={coach} onChange={(event) => setCoach(event.currentTarget.value)}>
          <option value="">Elige a una persona</option>
          <option value="0">Sin coach</option>
          {records.coaches.map((one) => (
            <option key={one.instructor_id} value={one.instructor_id}>
              {instructorName(one)}
            </option>
          ))}
        </Select>
      )}
      {kind === 'room' && (
        <Select label="Sala" value={room} onChange={(event) => setRoom(event.currentTarget.value)}>
          <option value="">Elige una</option>
          <option value="0">Sin sala</option>
          {records.rooms
            .filter(({ location_id, archived }) => !archived && locations.has(location_id))
            .map(({ room_id, location_id, name }) => (
              <option key={room_id} value={room_id}>
                {locations.size > 1 ? `${name}, ${records.locations.find((one) => one.location_id === location_id)?.name ?? ''}` : name}
              </option>
            ))}
        </Select>
      )}
      {kind === 'capacity' && (
        <TextField
          label="Capacidad"
          inputMode="numeric"
          maxLength={4}
          optional
          hint="Sin capacidad la clase aparece llena."
          value={capacity}
          onChange={(event) => setCapacity(event.currentTarget.value)}
        />
      )}
      {(kind === 'tags' || kind === 'seats') && (
        <Select label="Qué se hace" value={adds ? 'add' : 'remove'} onChange={(event) => setAdds(event.currentTarget.value === 'add')}>
          <option value="add">{kind === 'tags' ? 'Agregar' : 'Cerrar'}</option>
          <option value="remove">{kind === 'tags' ? 'Quitar' : 'Abrir'}</option>
        </Select>
      )}
      {kind === 'tags' && <TagChoice value={tags} onChange={setTags} />}
      {kind === 'seats' && map !== null && <SeatChoice map={map} classes={concerned} value={spots} onChange={setSpots} />}
      {kind === 'copy' && <WeekChecks after={monday} value={weeks} onChange={setWeeks} />}
      {left > 0 && (
        <Banner tone="neutral">
          {plural(
            left,
            `1 no cambia: ya pasó, se canceló o ${kind === 'seats' ? 'tiene otro mapa' : 'es de otro estudio'}.`,
            `${left} no cambian: ya pasaron, se cancelaron o ${kind === 'seats' ? 'tienen otro mapa' : 'son de otro estudio'}.`,
          )}
        </Banner>
      )}
    </Dialog>
  )
}
