/** What is changed of many classes at once: hour, coach, room, capacity, tags, closed seats, or copies in other weeks. */

import { useState } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { type BulkDraft, type BulkKind, bulkClasses, bulkProblem, countText, newBulkDraft, plural, toBulkChanges } from './bulk-changes.ts'
import { SeatChoice, TagChoice } from './bulk-choices.tsx'
import type { PlanRecords } from './plan-views.ts'
import type { PlanSave } from './use-plan-save.ts'
import { WeekChecks } from './week-checks.tsx'

interface BulkClassesProps {
  kind: BulkKind
  classes: readonly PlannedClass[]
  records: PlanRecords
  monday: LocalDate
  today: LocalDate
  onSend: (sent: PlanSave) => void
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

export default function BulkClasses({ kind, classes, records, monday, today, onSend, onClose }: BulkClassesProps) {
  const [draft, setDraft] = useState(() => newBulkDraft(monday))
  const set = (change: Partial<BulkDraft>) => setDraft((current) => ({ ...current, ...change }))
  const found = bulkClasses(kind, classes, draft, records)
  const { concerned, map } = found
  const problem = bulkProblem(kind, draft, found)
  const unchanged = classes.length - concerned.length
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
          <Button
            reason={problem}
            onClick={() => problem === null && onSend(toBulkChanges(kind, draft, concerned, { records, monday, today, map }))}
          >
            {kind === 'copy' ? 'Copiar' : 'Cambiar'}
          </Button>
        </>
      }
    >
      <BulkFields kind={kind} draft={draft} onChange={set} records={records} locations={found.locations} />
      {kind === 'seats' && map !== null && (
        <SeatChoice map={map} classes={concerned} value={draft.spots} onChange={(spots) => set({ spots })} />
      )}
      {kind === 'copy' && <WeekChecks after={monday} value={draft.weeks} onChange={(weeks) => set({ weeks })} />}
      {unchanged > 0 && (
        <Banner tone="neutral">
          {plural(
            unchanged,
            `1 no cambia: ya pasó, se canceló o ${kind === 'seats' ? 'tiene otro mapa' : 'es de otro estudio'}.`,
            `${unchanged} no cambian: ya pasaron, se cancelaron o ${kind === 'seats' ? 'tienen otro mapa' : 'son de otro estudio'}.`,
          )}
        </Banner>
      )}
    </Dialog>
  )
}

interface BulkFieldsProps {
  kind: BulkKind
  draft: BulkDraft
  onChange: (change: Partial<BulkDraft>) => void
  records: PlanRecords
  /** the locations of the classes, whose rooms can be chosen */
  locations: ReadonlySet<number>
}

/** The fields of a kind of change, without the choice of seats and of weeks. */
function BulkFields({ kind, draft, onChange, records, locations }: BulkFieldsProps) {
  return (
    <>
      {kind === 'hour' && (
        <div className="field-pair">
          <TextField
            label="Minutos"
            inputMode="numeric"
            maxLength={3}
            value={draft.minutes}
            onChange={(event) => onChange({ minutes: event.currentTarget.value })}
          />
          <Select
            label="Hacia"
            value={draft.isLater ? 'later' : 'earlier'}
            onChange={(event) => onChange({ isLater: event.currentTarget.value === 'later' })}
          >
            <option value="later">Más tarde</option>
            <option value="earlier">Más temprano</option>
          </Select>
        </div>
      )}
      {kind === 'coach' && (
        <Select label="Coach" value={draft.coach} onChange={(event) => onChange({ coach: event.currentTarget.value })}>
          <option value="">Elige a una persona</option>
          <option value="0">Sin coach</option>
          {records.coaches.map((coach) => (
            <option key={coach.instructor_id} value={coach.instructor_id}>
              {instructorName(coach)}
            </option>
          ))}
        </Select>
      )}
      {kind === 'room' && (
        <Select label="Sala" value={draft.room} onChange={(event) => onChange({ room: event.currentTarget.value })}>
          <option value="">Elige una</option>
          <option value="0">Sin sala</option>
          {records.rooms
            .filter(({ location_id, archived }) => !archived && locations.has(location_id))
            .map(({ room_id, location_id, name }) => (
              <option key={room_id} value={room_id}>
                {locations.size > 1
                  ? `${name}, ${records.locations.find((location) => location.location_id === location_id)?.name ?? ''}`
                  : name}
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
          value={draft.capacity}
          onChange={(event) => onChange({ capacity: event.currentTarget.value })}
        />
      )}
      {(kind === 'tags' || kind === 'seats') && (
        <Select
          label="Qué se hace"
          value={draft.adds ? 'add' : 'remove'}
          onChange={(event) => onChange({ adds: event.currentTarget.value === 'add' })}
        >
          <option value="add">{kind === 'tags' ? 'Agregar' : 'Cerrar'}</option>
          <option value="remove">{kind === 'tags' ? 'Quitar' : 'Abrir'}</option>
        </Select>
      )}
      {kind === 'tags' && <TagChoice value={draft.tags} onChange={(tags) => onChange({ tags })} />}
    </>
  )
}
