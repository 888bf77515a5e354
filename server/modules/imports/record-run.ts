/**
 * Writing and taking back rows of coaches, classes, reservations, notes, past purchases and subscriptions (docs/domain.md IM9 to IM11,
 * IM14, IM15, IM17).
 */
import { importSources } from '#contract/imports.ts'
import { splitName } from '#contract/person-name.ts'
import { addDays, endOfDay, fromWallClock, localDate } from '#contract/time.ts'
import { addImportedReservation, eraseImportedReservation } from '#server/modules/bookings/bookings.ts'
import {
  addImportedCoach,
  completeCoach,
  emptyCoach,
  ensureByName,
  eraseImportedCoach,
  eraseUnused,
  findPackage,
  onlyLocation,
  zoneOf,
} from '#server/modules/catalogue/catalogue.ts'
import { grantCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  addImportedNote,
  addPastPurchase,
  eraseImportedNote,
  erasePastPurchase,
  setCustomerTag,
} from '#server/modules/customers/customers.ts'
import { erasePastVisits } from '#server/modules/people/people.ts'
import { addPendingSubscription, erasePendingSubscription } from '#server/modules/sales/sales.ts'
import { addImportedClass, eraseImportedClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { findStart, setRecordOfRef, upsertRecordRef } from './record-store.ts'
import {
  type ImportedClass,
  type ImportedCoach,
  type ImportedNote,
  type ImportedPurchase,
  type ImportedRecord,
  type ImportedReservation,
  type ImportedSubscription,
  recordRef,
} from './records.ts'
import type { ImportJobRow } from './store.ts'
import type { RowUndo } from './tables.ts'
import { STAYS } from './undo-preview.ts'

/** Why a row cannot be imported or undone, as a sentence for staff. */
export class RowFailed extends Error {}

interface Applied {
  customer_id: number | null
  undo: RowUndo
}
type Records = NonNullable<RowUndo['records']>

/** Validity of the credit that a cancelled imported reservation returns, where the file has none. */
const RETURNED_DAYS = 30

/** Writes a row once: what was imported before, from this or another file, stays as it is. */
export async function applyRecord(tx: Tx, ctx: Ctx, job: ImportJobRow, record: ImportedRecord): Promise<Applied> {
  const records: Records = []
  const undo: RowUndo = { made: false, before: {}, after: {}, granted: [], refs: [], records }
  const ref = recordRef(record)
  const customer_id = record.kind === 'classes' || record.kind === 'coaches' ? null : record.customer_id
  const own = { source: job.source, ref, customer_id, import_id: job.import_id }
  // First, so that another process that imports the same waits and then leaves it.
  if (!(await upsertRecordRef(tx, { ...own, record_id: 0 }))) return { customer_id, undo }
  undo.refs.push(ref)
  const id =
    record.kind === 'coaches'
      ? await applyCoach(tx, ctx, record, undo)
      : record.kind === 'classes'
        ? await applyClass(tx, ctx, job, record, records)
        : record.kind === 'reservations'
          ? await applyReservation(tx, ctx, job, record, undo)
          : record.kind === 'notes'
            ? await applyNote(tx, ctx, job, record, records)
            : record.kind === 'purchases'
              ? await applyPurchase(tx, job, record, records)
              : await applySubscription(tx, ctx, job, record, records)
  await setRecordOfRef(tx, own, id)
  return { customer_id, undo }
}

/** A new coach, or one whose empty fields are filled in. */
async function applyCoach(tx: Tx, ctx: Ctx, record: ImportedCoach, undo: RowUndo): Promise<number> {
  if (record.instructor_id === null) {
    const id = await addImportedCoach(tx, ctx, record)
    const at = ctx.now.toISOString()
    Object.assign(undo, { records: [{ kind: 'coach', id }], updatedAt: { before: at, after: at } })
    return id
  }
  const completed = await completeCoach(tx, ctx, record.instructor_id, record)
  // Removed, or completed by somebody else, since the check.
  if (completed) Object.assign(undo, { ...completed, records: [{ kind: 'completed_coach', id: record.instructor_id }] })
  return record.instructor_id
}

const reasonOf = ({ source }: ImportJobRow) => `Importado de ${importSources[source]}`

/** Of a location that is made: only where it is not the studio's. */
const zoneToWrite = (ctx: Ctx, { timezone }: ImportedClass): string | null => (timezone && timezone !== ctx.zone ? timezone : null)

async function applyClass(tx: Tx, ctx: Ctx, job: ImportJobRow, record: ImportedClass, records: Records): Promise<number> {
  if (record.single_class_id !== null) return record.single_class_id
  const ensure = async (...[entity, name, more]: [Parameters<typeof ensureByName>[1], string, Parameters<typeof ensureByName>[3]?]) => {
    const { id, isNew } = await ensureByName(tx, entity, name, more)
    if (isNew && entity !== 'tag') records.push({ kind: entity, id })
    return id
  }
  const location_id =
    record.location === null ? await onlyLocation(tx) : await ensure('location', record.location, { timezone: zoneToWrite(ctx, record) })
  if (location_id === null) throw new RowFailed('Falta en qué estudio es.')
  const class_type_id = await ensure('class_type', record.class_type, record.minutes === null ? {} : { duration_minutes: record.minutes })
  const instructor_ids: number[] = []
  for (const coach of record.instructors) {
    const { name, last_name } = splitName(coach)
    const id = await ensure('instructor', coach, { given: name, last_name })
    if (!instructor_ids.includes(id)) instructor_ids.push(id)
  }
  const room_id = record.room === null ? null : await ensure('room', record.room, { location_id })
  const { starts, minutes, capacity, spot_map } = record
  const of = { class_type_id, location_id, room_id, instructor_ids, starts, minutes, capacity, spot_map, reason: reasonOf(job) }
  const single_class_id = await addImportedClass(tx, ctx, of)
  records.push({ kind: 'single_class', id: single_class_id })
  return single_class_id
}

async function applyReservation(tx: Tx, ctx: Ctx, job: ImportJobRow, record: ImportedReservation, undo: RowUndo): Promise<number> {
  const { customer_id, single_class_id, spot, guest, guest_spot, attend, expires_on } = record
  if (customer_id === null || single_class_id === null) throw new RowFailed('Falta de quién es o en qué clase.')
  const starts = await findStart(tx, single_class_id)
  if (!starts) throw new RowFailed('Esta clase ya no está en el horario.')
  const day = localDate(starts.starts_at, zoneOf(starts, ctx.settings))
  const importedReservation = await addImportedReservation(tx, ctx, {
    customer_id,
    single_class_id,
    spot,
    guest,
    guest_spot,
    attend,
    // The source has taken this credit already: it is granted here for this reservation, and returned to the customer by a cancellation in
    // time.
    async credit(amount) {
      const least = addDays(day, expires_on === null ? RETURNED_DAYS : 0)
      const last_day = expires_on !== null && expires_on > least ? expires_on : least
      const creditLotId = await grantLike(tx, ctx, job, {
        customer_id,
        title: record.package,
        class_package_id: null,
        amount,
        last_day,
      })
      undo.granted.push({ available_class_id: creditLotId, amount })
      return creditLotId
    },
  })
  undo.records?.push({
    kind: 'reservation',
    id: importedReservation.class_reservation_id,
    attend: importedReservation.over ? attend : null,
  })
  return importedReservation.class_reservation_id
}

async function applyNote(tx: Tx, ctx: Ctx, job: ImportJobRow, record: ImportedNote, records: Records): Promise<number> {
  const { customer_id, text, tags, written_on } = record
  if (customer_id === null) throw new RowFailed('No encontramos a este cliente.')
  for (const name of tags) {
    const { id, isNew } = await ensureByName(tx, 'tag', name)
    if (isNew) records.push({ kind: 'tag', id })
    if (await setCustomerTag(tx, ctx, { customer_id, tag_id: id, has: true })) records.push({ kind: 'tag_of_customer', id })
  }
  if (text === null) return 0
  const at = written_on === null ? ctx.now : fromWallClock(new Date(`${written_on}T12:00:00Z`), ctx.zone)
  const id = await addImportedNote(tx, ctx, { customer_id, text, staff_id: job.staff_id, at: at > ctx.now ? ctx.now : at })
  if (id === null) throw new RowFailed('Este cliente ya no existe o ya no le caben más notas.')
  records.push({ kind: 'note', id })
  return id
}

/** A purchase of another system, linked to our package when staff mapped its name to one. */
async function applyPurchase(tx: Tx, { source, packages }: ImportJobRow, record: ImportedPurchase, records: Records): Promise<number> {
  const { customer_id, bought_on, total_centavos, way } = record
  if (customer_id === null) throw new RowFailed('No encontramos a este cliente.')
  const ours = packages[record.title]?.class_package_id ?? null
  const title = (ours === null ? null : await findPackage(tx, ours))?.title ?? record.title
  const id = await addPastPurchase(tx, { customer_id, source, bought_on, title, total_centavos, way })
  if (id === null) throw new RowFailed('Este cliente ya no existe.')
  records.push({ kind: 'past_purchase', id })
  return id
}

async function applySubscription(tx: Tx, ctx: Ctx, job: ImportJobRow, record: ImportedSubscription, records: Records): Promise<number> {
  const { customer_id, class_package_id, price_centavos, next_charge_on } = record
  if (customer_id === null || class_package_id === null) throw new RowFailed('Falta de quién es o qué suscripción es.')
  const { source, staff_id } = job
  const id = await addPendingSubscription(tx, ctx, { customer_id, class_package_id, source, price_centavos, next_charge_on, staff_id })
  if (id === null) throw new RowFailed('Este cliente ya no existe.')
  // Bought, or imported by another job, since the check.
  if (id === 'has') throw new RowFailed('Ya tiene esta suscripción.')
  records.push({ kind: 'pending_subscription', id })
  return id
}

interface CreditLotTerms {
  customer_id: number
  /** As the file calls it. */
  title: string | null
  /** Null: valid for everything. */
  class_package_id: number | null
  /** -1: unlimited. */
  amount: number
  last_day: string
}

/** Gives one lot on the terms of a package, or valid for everything; its id. */
export async function grantLike(tx: Tx, ctx: Ctx, job: ImportJobRow, like: CreditLotTerms): Promise<number> {
  const { class_package_id } = like
  const of = { customer_id: like.customer_id, until: endOfDay(like.last_day, ctx.zone), reason: reasonOf(job) }
  const title = like.title ?? `Clases de ${importSources[job.source]}`
  const creditLots =
    class_package_id === null
      ? await grantCredits(tx, ctx, { ...of, kind: 'courtesy', title, class_amount: like.amount, days: 0 })
      : await grantCredits(tx, ctx, {
          ...of,
          kind: 'package',
          class_package_id,
          purchase_id: null,
          period: null,
          from: ctx.now,
          class_amount: like.amount,
          expiration_days: 0,
        })
  const [creditLot] = creditLots
  // A package that counts by class type has amounts of its own, which the file does not know.
  if (!creditLot || creditLots.length > 1) throw new RowFailed('Este paquete reparte sus clases por tipo: dalas en la ficha del cliente.')
  return creditLot.available_class_id
}

export const UNDO_REASON = 'Se deshizo la importación'

/**
 * Takes back what a row made, in reverse; returns the classes whose reservations it had. RowFailed when one of them was used or changed.
 */
export async function undoRecords(tx: Tx, ctx: Ctx, customer_id: number | null, undo: RowUndo): Promise<number[]> {
  const reservationIds: number[] = []
  const updatedAt = undo.updatedAt ?? { before: '', after: '' }
  for (const record of undo.records?.toReversed() ?? [])
    if (record.kind === 'coach') {
      if (!(await eraseImportedCoach(tx, record.id, updatedAt.after))) throw new RowFailed(STAYS.coach)
    } else if (record.kind === 'completed_coach') {
      const { before, after } = undo
      await emptyCoach(tx, ctx, record.id, { before, after: after as Record<string, string>, updatedAt }, UNDO_REASON)
    } else if (record.kind === 'reservation') {
      const erased = await eraseImportedReservation(tx, ctx, { class_reservation_id: record.id, attend: record.attend ?? null })
      if (!erased) throw new RowFailed(STAYS.reservation)
      reservationIds.push(...erased)
    } else if (record.kind === 'single_class') {
      if (!(await eraseImportedClass(tx, ctx, record.id))) throw new RowFailed(STAYS.single_class)
    } else if (record.kind === 'note') {
      if (!(await eraseImportedNote(tx, ctx, { customer_id: customer_id ?? 0, customer_note_id: record.id })))
        throw new RowFailed(STAYS.note)
    } else if (record.kind === 'pending_subscription') {
      if (!(await erasePendingSubscription(tx, record.id))) throw new RowFailed(STAYS.pending_subscription)
    } else if (record.kind === 'past_purchase') await erasePastPurchase(tx, record.id)
    else if (record.kind === 'past_visit') await erasePastVisits(tx, record.id)
    else if (record.kind === 'tag_of_customer')
      await setCustomerTag(tx, ctx, { customer_id: customer_id ?? 0, tag_id: record.id, has: false })
    // What it created in the catalogue stays when something else uses it by now.
    else await eraseUnused(tx, record.kind, record.id)
  return reservationIds
}
