/** A change of a class that a link proposes, as parameters of the URL. Pure. */
import type { ClassForm } from './class-form.ts'
import { inRoom } from './class-form.ts'

/** Another room; or another hour, null where it is still to be chosen. */
export type ProposedChange = { kind: 'room'; room_id: number } | { kind: 'hour'; hour: string | null }

const KEYS = { room: 'en', hour: 'hora' } as const

/** Removes the parameters. */
export const NO_PROPOSED_CHANGE: Readonly<Record<string, null>> = { [KEYS.room]: null, [KEYS.hour]: null }

/** What the URL proposes besides a class; `step` is how its panel begins. Null: nothing. */
export function proposedChangeOf(query: URLSearchParams, step: string | null): ProposedChange | null {
  const [room, hour] = [query.get(KEYS.room) ?? '', query.get(KEYS.hour) ?? '']
  if (step === 'cambiar-sala') return /^[1-9]\d{0,8}$/.test(room) ? { kind: 'room', room_id: Number(room) } : null
  if (step === 'cambiar-hora') return { kind: 'hour', hour: /^([01]\d|2[0-3]):[0-5]\d$/.test(hour) ? hour : null }
  return null
}

type Room = Parameters<typeof inRoom>[0] & { name: string; archived: boolean }

/** The form with what is proposed; a room of another location, or one that is no longer there, is left out. */
export function withProposal(form: ClassForm, proposed: ProposedChange | null, rooms: readonly Room[]): ClassForm {
  if (proposed?.kind === 'hour' && proposed.hour !== null) return { ...form, hour: proposed.hour }
  if (proposed?.kind !== 'room') return form
  const room = rooms.find(({ room_id, archived }) => room_id === proposed.room_id && !archived)
  return room && String(room.location_id) === form.location_id ? { ...form, ...inRoom(room, form.capacity) } : form
}

/** What the panel says above its fields; `proposed` changed the form, or only asks for an hour. */
export function proposalText(form: ClassForm, proposed: ProposedChange, rooms: readonly Room[]): string {
  if (proposed.kind === 'hour')
    return proposed.hour === null ? 'Elige la hora nueva.' : `Propuesta: pasarla a las ${proposed.hour}. Nada cambia hasta que guardes.`
  const room = rooms.find(({ room_id }) => String(room_id) === form.room_id)
  return room && room.room_id === proposed.room_id
    ? `Propuesta: pasarla a ${room.name}, con ${form.capacity} lugares. Nada cambia hasta que guardes.`
    : 'La sala que se proponía ya no está. Elige otra.'
}
