/**
 * The history of a class: reservations, changes, moves and cancellations, with their time and staff member (docs/domain.md, "The front
 * desk").
 */

import { spotName } from '#contract/copy/names.ts'
import type { ClassEvent } from '#contract/front-desk.ts'
import { type HistoryRow, listClassHistory } from '#server/modules/bookings/store/class-history-store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { demandTeaching, getClassFacts } from './roster-view.ts'

/** The events of a class, newest first (Q6). Instructors get none about money. CLASS_NOT_FOUND, NOT_YOUR_CLASS. */
export async function getClassHistory(ctx: Ctx, input: { single_class_id: number }): Promise<{ events: ClassEvent[] }> {
  const cls = await getClassFacts(ctx, input.single_class_id)
  await demandTeaching(ctx, cls)
  const seesMoney = ctx.may('roster.all')
  const rows = await listClassHistory(ctx.db, input.single_class_id)
  return { events: rows.flatMap((row) => toEvent(row, seesMoney, cls.seats?.labels) ?? []) }
}

type Kind = ClassEvent['kind']
/** What the seats of the class are called, by spot. */
type Labels = ReadonlyMap<string, string> | undefined

const KINDS: Record<string, Kind> = {
  booked: 'booked',
  cancelled: 'cancelled',
  'reservation.change': 'changed',
  'reservation.paid': 'paid',
  'reservation.owed': 'owed',
  'attendance.mark': 'marked',
  'attendance.close': 'closed',
  'waitlist.joined': 'waitlist',
  'waitlist.leave': 'waitlist',
  'waitlist.promote': 'waitlist',
  'waitlist.prioritise': 'waitlist',
  'class.create': 'class',
  'class.change': 'class',
  'class.cancel': 'class',
  'class.restore': 'class',
  'class.over_capacity': 'class',
}

function toEvent(row: HistoryRow, seesMoney: boolean, labels: Labels): ClassEvent | null {
  const kind = KINDS[row.action]
  if (!kind || ((kind === 'paid' || kind === 'owed') && !seesMoney)) return null
  const { at, customer_id, guest, staff, reason } = row
  return { at, kind, customer_id, name: row.name || null, guest, who: staff, text: textOf(row, labels), reason }
}

const BOOKED: Record<string, string> = {
  waitlist: 'Tomó un lugar desde la lista de espera',
  move: 'Llegó de otra clase',
  repeat: 'Reservó, cada semana',
  restored: 'Recuperó su lugar',
}
const CANCELLED: Record<string, string> = {
  move: 'Cambió a otra clase',
  studio: 'El estudio canceló la clase',
  system: 'Se liberó su lugar',
  undo: 'Deshizo su reservación',
}
const TEXTS: Record<string, string> = {
  'reservation.paid': 'Pagó su lugar',
  'reservation.owed': 'Su lugar quedó por cobrar',
  'attendance.close': 'Se cerró la lista',
  'waitlist.joined': 'Entró a la lista de espera',
  'waitlist.leave': 'Salió de la lista de espera',
  'waitlist.promote': 'Pasó de la lista de espera a la clase',
  'waitlist.prioritise': 'Cambió su turno en la lista de espera',
  'class.create': 'Se creó la clase',
  'class.change': 'Se cambió la clase',
  'class.cancel': 'Se canceló la clase',
  'class.restore': 'Se recuperó la clase',
}

/** The Spanish sentence of an event. */
function textOf({ action, source, actor, before, after }: HistoryRow, labels: Labels): string {
  const at = (spot: unknown) => (typeof spot === 'string' ? spotName(spot, labels?.get(spot)) : null)
  if (action === 'booked') return [BOOKED[source ?? ''] ?? 'Reservó', at(after?.spot)].filter(Boolean).join(' · ')
  if (action === 'cancelled') return `${CANCELLED[actor ?? ''] ?? 'Canceló'}${after?.late === true ? ', tarde' : ''}`
  if (action === 'attendance.mark') return after?.attend === true ? 'Llegó' : after?.attend === false ? 'No asistió' : 'Se quitó su marca'
  if (action === 'class.over_capacity') return `Se amplió el cupo de ${String(before?.capacity ?? 0)} a ${String(after?.capacity ?? 0)}`
  if (action === 'reservation.change') {
    if (before?.guest && after?.guest === null) return 'Se quitó a su invitado'
    if (!before?.guest && after?.guest) return `Lleva a ${String(after.guest)}`
    return ['Cambió su lugar', at(before?.spot), at(after?.spot) && `a ${at(after?.spot)}`].filter(Boolean).join(' · ')
  }
  return TEXTS[action] ?? 'Cambió'
}
