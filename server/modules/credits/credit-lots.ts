/**
 * Credit lots: what a customer sees of theirs, and how staff grant, change and revoke them (C16-C18). Every change by staff has a reason.
 */

import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import type { anyCreditLot, CreditSummary, credits as wire } from '#contract/credits.ts'
import { refuse } from '#contract/errors.ts'
import { endOfDay, localDate, wallClock } from '#contract/time.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, recordUndo } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { grantCredits } from './credits.ts'
import { newMovement } from './ledger.ts'
import { creditLotState, expiryOnceThawed, isAlive } from './rules.ts'
import {
  type CreditLotRow,
  findUnoffered,
  insertMovements,
  listAllCreditLots,
  lockCreditLotsById,
  type NamedCreditLot,
  updateCreditLot,
} from './store.ts'
import { serializeCreditLot, summarise } from './summaries.ts'
import { validityDates } from './taking-back.ts'

export type AnyCreditLot = z.infer<typeof anyCreditLot>
type Input<K extends 'create' | 'update' | 'revoke'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

const toAnyCreditLot = (ctx: Ctx, creditLot: NamedCreditLot): AnyCreditLot => ({
  ...serializeCreditLot(creditLot, ctx.zone),
  state: creditLotState(creditLot, ctx.now),
  createdAt: creditLot.createdAt.toISOString(),
})

/** All credit lots of the signed-in customer by expiry; with a date, those valid on it (S2-7.36). */
export async function listMyCreditLots(ctx: Ctx, input: { date?: string | undefined }): Promise<{ available_classes: AnyCreditLot[] }> {
  const creditLots = await listAllCreditLots(ctx.db, ctx.customer.customer_id)
  const { date } = input
  const good = date === undefined ? creditLots : creditLots.filter((creditLot) => isGoodOn(creditLot, date, ctx))
  return { available_classes: good.map((creditLot) => toAnyCreditLot(ctx, creditLot)) }
}

function isGoodOn(creditLot: CreditLotRow, date: string, ctx: Ctx): boolean {
  const left = creditLot.unlimited || (creditLot.balance ?? 0) > 0
  return (
    left &&
    !creditLot.revokedAt &&
    !creditLot.frozenAt &&
    (creditLot.expires_at === null || localDate(creditLot.expires_at, ctx.zone) >= date)
  )
}

/** One credit lot of the signed-in customer. CREDIT_NOT_FOUND, also for another customer's. */
export async function getCreditLot(ctx: Ctx, input: { available_class_id: number }): Promise<{ available_class: AnyCreditLot }> {
  const [creditLot] = await listAllCreditLots(ctx.db, ctx.customer.customer_id, input.available_class_id)
  if (!creditLot) throw refuse('CREDIT_NOT_FOUND')
  return { available_class: toAnyCreditLot(ctx, creditLot) }
}

/** The credit lots of a customer, for staff. NOT_FOUND. */
export async function listCreditLotsOfCustomer(
  ctx: Ctx,
  input: { customer_id: number },
): Promise<{ available_classes: AnyCreditLot[]; summary: CreditSummary }> {
  await customerById(ctx.db, input.customer_id)
  const creditLots = await listAllCreditLots(ctx.db, input.customer_id)
  return {
    available_classes: creditLots.map((creditLot) => toAnyCreditLot(ctx, creditLot)),
    summary: summarise(
      creditLots.filter((creditLot) => isAlive(creditLot, ctx.now)),
      ctx.zone,
    ),
  }
}

async function createdCreditLots(ctx: Ctx, customer_id: number, ids: readonly number[]): Promise<AnyCreditLot[]> {
  const creditLots = await listAllCreditLots(ctx.db, customer_id)
  return creditLots.filter((creditLot) => ids.includes(creditLot.available_class_id)).map((creditLot) => toAnyCreditLot(ctx, creditLot))
}

/**
 * Grants credits by hand (C16): by a package's terms, or an amount with a last day. NOT_FOUND, PACKAGE_NOT_FOUND, INVALID_INPUT (also for
 * the id of an existing lot).
 */
export async function giveCredits(ctx: Ctx, input: Input<'create'>): Promise<{ available_classes: AnyCreditLot[] }> {
  const { customer_id, class_package_id, available_classes: amount, expiration_date, reason } = input
  if (input.available_class_id !== null) throw refuse('INVALID_INPUT', { field: 'available_class_id' })
  await customerById(ctx.db, customer_id)
  if (class_package_id !== undefined && !(await findPackage(ctx.db, class_package_id))) throw refuse('PACKAGE_NOT_FOUND')
  const until = expiration_date === undefined ? undefined : lastInstant(ctx, expiration_date)
  const newCreditLotIds = await ctx.once('credits.give', input, async (tx) => {
    const unoffered = await findUnoffered(tx, input)
    if (unoffered) throw refuse('NOT_FOUND', { field: unoffered })
    const title = input.title === undefined ? {} : { title: input.title }
    const creditLots =
      class_package_id !== undefined
        ? await grantCredits(tx, ctx, {
            kind: 'package',
            customer_id,
            class_package_id,
            purchase_id: null,
            period: null,
            from: ctx.now,
            reason,
            ...title,
            ...(amount === undefined ? {} : { class_amount: amount }),
            ...(until === undefined ? {} : { until }),
          })
        : await grantCredits(tx, ctx, {
            kind: 'courtesy',
            customer_id,
            days: 0,
            reason,
            ...demanded(amount, until),
            title: input.title ?? 'Cortesía del estudio',
            like: {
              class_package_id: null,
              class_type_ids: input.class_type_ids ?? null,
              location_ids: input.location_ids ?? null,
              allowed_times: input.allowed_times ?? [],
              guests_use_credit: true,
            },
          })
    const ids = creditLots.map((creditLot) => creditLot.available_class_id)
    await ctx.audit(tx, {
      action: 'credits.give',
      entity: 'customer',
      entity_id: customer_id,
      after: { ...input, available_class_ids: ids },
      reason,
    })
    return ids
  })
  return { available_classes: await createdCreditLots(ctx, customer_id, newCreditLotIds) }
}

function demanded(amount: number | undefined, until: Date | undefined): { class_amount: number; until: Date } {
  if (amount === undefined) throw refuse('INVALID_INPUT', { field: 'available_classes' })
  if (until === undefined) throw refuse('INVALID_INPUT', { field: 'expiration_date' })
  return { class_amount: amount, until }
}

function lastInstant(ctx: Ctx, day: string): Date {
  const until = endOfDay(day, ctx.zone)
  if (until <= ctx.now) throw refuse('INVALID_INPUT', { field: 'expiration_date' })
  return until
}

/** Reads and locks the lot. CREDIT_NOT_FOUND; CREDIT_REVOKED for a revoked one, which cannot change any more. */
async function lockCreditLot(tx: Tx, available_class_id: number): Promise<CreditLotRow> {
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (!creditLot) throw refuse('CREDIT_NOT_FOUND')
  if (creditLot.revokedAt) throw refuse('CREDIT_REVOKED')
  return creditLot
}

/** The last day that a request sets; undefined when it leaves the lot's as it is, also where it sends it back as it was read. */
function lastDaySent(ctx: Ctx, { expires_at }: CreditLotRow, sent: string | null | undefined): string | undefined {
  if (!sent || (expires_at && sent === wallClock(expires_at, ctx.zone).toISOString())) return undefined
  return sent.slice(0, 10)
}

/** How many credits a lot lacks until it has the given number; a lot without a limit is read, and sent back, as -1. INVALID_INPUT. */
function missingUntil({ balance, unlimited }: CreditLotRow, wanted: number | undefined): number {
  if (wanted === undefined || (unlimited && wanted === -1)) return 0
  if (unlimited || wanted < 0) throw refuse('INVALID_INPUT', { field: 'available_classes' })
  return wanted - (balance ?? 0)
}

/** Changes a lot's last day, its balance, or whether it is frozen (C17). CREDIT_NOT_FOUND, CREDIT_REVOKED, INVALID_INPUT. */
export async function changeCredits(ctx: Ctx, input: Input<'update'>): Promise<{ available_class: AnyCreditLot; undo: ActUndo | null }> {
  const { available_class_id, frozen, reason } = input
  const { customer_id, undo } = await ctx.once('credits.change', input, async (tx) => {
    const creditLot = await lockCreditLot(tx, available_class_id)
    const expiration_date = lastDaySent(ctx, creditLot, input.expiration_date)
    const add = input.add ?? missingUntil(creditLot, input.available_classes)
    const record = (kind: 'extend' | 'adjust' | 'remove', amount: number) =>
      insertMovements(tx, [{ ...newMovement(ctx, creditLot), kind, amount, class_reservation_id: null, reason }])
    let { expires_at, frozenAt } = creditLot
    if (frozen === true) frozenAt ??= ctx.now
    if (frozen === false && frozenAt) {
      expires_at = expiryOnceThawed(creditLot, ctx.now, ctx.zone)
      frozenAt = null
    }
    if (expiration_date !== undefined) expires_at = lastInstant(ctx, expiration_date)
    if (add !== 0 && creditLot.unlimited) throw refuse('INVALID_INPUT', { field: 'add' })
    if ((creditLot.balance ?? 0) + add < 0) throw refuse('INVALID_INPUT', { field: 'add', left: creditLot.balance })
    // A last day set by staff replaces a clock that waits for the first class.
    const clock = expiration_date === undefined ? {} : { days_from_first_class: null }
    const before = validityDates(creditLot)
    const after = validityDates({ ...creditLot, expires_at, frozenAt, ...clock })
    if (add === 0 && isDeepStrictEqual(before, after)) return { customer_id: creditLot.customer_id, undo: null }
    await updateCreditLot(tx, available_class_id, { expires_at, frozenAt, ...clock })
    if (expires_at?.getTime() !== creditLot.expires_at?.getTime()) await record('extend', 0)
    if (add !== 0) await record(add < 0 ? 'remove' : 'adjust', add)
    const stateOf = (of: Pick<CreditLotRow, 'expires_at' | 'frozenAt' | 'balance'>) => ({
      expires_at: of.expires_at?.toISOString() ?? null,
      frozen: of.frozenAt !== null,
      balance: of.balance,
    })
    await ctx.audit(tx, {
      action: 'credits.change',
      entity: 'available_class',
      entity_id: available_class_id,
      reason,
      before: stateOf(creditLot),
      after: stateOf({ expires_at, frozenAt, balance: creditLot.balance === null ? null : creditLot.balance + add }),
    })
    const undo = await recordUndo(tx, ctx, {
      customer_id: creditLot.customer_id,
      label: `Se cambió “${creditLot.title}” de :name.`,
      act: { kind: 'credit_lot', available_class_id, add, before, after },
    })
    return { customer_id: creditLot.customer_id, undo }
  })
  return { ...(await theCreditLot(ctx, customer_id, available_class_id)), undo }
}

/** Revokes the balance of a lot; reservations that it paid stay (C18). CREDIT_NOT_FOUND, CREDIT_REVOKED. */
export async function revokeCredits(ctx: Ctx, input: Input<'revoke'>): Promise<{ available_class: AnyCreditLot; undo: ActUndo | null }> {
  const { available_class_id, reason } = input
  const { customer_id, undo } = await ctx.tx(async (tx) => {
    const creditLot = await lockCreditLot(tx, available_class_id)
    await updateCreditLot(tx, available_class_id, { revokedAt: ctx.now })
    const amount = creditLot.balance ? -creditLot.balance : 0
    await insertMovements(tx, [{ ...newMovement(ctx, creditLot), kind: 'revoke', amount, class_reservation_id: null, reason }])
    const before = { balance: creditLot.balance, expires_at: creditLot.expires_at?.toISOString() ?? null }
    await ctx.audit(tx, { action: 'credits.revoke', entity: 'available_class', entity_id: available_class_id, before, reason })
    const undo = await recordUndo(tx, ctx, {
      customer_id: creditLot.customer_id,
      label: `Se retiró “${creditLot.title}” de :name.`,
      act: { kind: 'credit_revocation', available_class_id, amount: -amount, revokedAt: ctx.now.toISOString() },
    })
    return { customer_id: creditLot.customer_id, undo }
  })
  return { ...(await theCreditLot(ctx, customer_id, available_class_id)), undo }
}

async function theCreditLot(ctx: Ctx, customer_id: number, available_class_id: number): Promise<{ available_class: AnyCreditLot }> {
  const [available_class] = await createdCreditLots(ctx, customer_id, [available_class_id])
  if (!available_class) throw refuse('CREDIT_NOT_FOUND')
  return { available_class }
}
