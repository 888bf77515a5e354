/**
 * Cash sessions: the till of one staff member at one location, from opening to count, approval and reopening (docs/domain.md, "The till").
 */

import * as z from 'zod'
import { CASH_SESSIONS_PER_PAGE, type CashSession, cashCount, type cashSessions as wire } from '#contract/cash-sessions.ts'
import { refuse } from '#contract/errors.ts'
import { type Centavos, parsePesos, pesos } from '#contract/money.ts'
import { addDays, startOfDay } from '#contract/time.ts'
import { locations } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  type CashSessionFilter,
  type CashSessionRow,
  type CashSessionView,
  findLeftInDrawer,
  insertCashMovement,
  insertCashSession,
  listAllPaymentMethods,
  listCashMovements,
  listCashSessionPeople,
  listCashSessions,
  lockCashSession,
  type MethodFigures,
  sumCashSessions,
  updateCashSession,
} from '#server/modules/sales/store/cash-session-store.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type One = Promise<{ cash_session: CashSession }>

/** Whether the caller works at a location. */
const worksAt = (ctx: Ctx, location_id: number): boolean => ctx.staff?.location_ids?.includes(location_id) ?? true

/** Whether the caller reviews tills of others at their location: sees expected sums while open, approves and reopens counts. */
const mayReview = (ctx: Ctx, { location_id }: { location_id: number }): boolean =>
  (ctx.staff?.rights.has('cash.review') ?? false) && worksAt(ctx, location_id)

function staffOf(ctx: Ctx): number {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff.staff_id
}

/** NOT_FOUND for a location that does not exist, or where the caller does not work. */
export async function assertLocation(ctx: Ctx, location_id: number): Promise<void> {
  if (!worksAt(ctx, location_id)) throw refuse('NOT_FOUND')
  if (!(await locations(ctx)).locations.some((location) => location.location_id === location_id)) throw refuse('NOT_FOUND')
}

/** The sums of one payment method in a session, and the balance expected from them, in centavos. */
interface MethodCount extends Omit<MethodFigures, 'cash_session_id'> {
  in: Centavos
  out: Centavos
  expected: Centavos
}

const countedMethods = z.array(z.object({ payment_method_id: z.int(), expected: z.int(), counted: z.int() }))

/** What was counted when the session was closed; a value that is not a count reads as none. */
const countOf = ({ counted, cash_count }: Pick<CashSessionRow, 'counted' | 'cash_count'>) => ({
  methods: countedMethods.safeParse(counted).data ?? [],
  cash: cashCount.safeParse(cash_count).data ?? null,
})

/**
 * Sums per session and payment method: always cash, every other method with a movement, and for an open session also the terminal and
 * transfer methods, so that they can be counted.
 */
async function figuresOf(
  db: Reader,
  sessions: readonly CashSessionRow[],
  movements: readonly { cash_session_id: number; kind: 'in' | 'out'; amount_centavos: number }[],
): Promise<Map<number, MethodCount[]>> {
  const ids = sessions.map((row) => row.cash_session_id)
  const [methods, sums] = await Promise.all([listAllPaymentMethods(db), sumCashSessions(db, ids)])
  const moved = (cash_session_id: number, kind: 'in' | 'out') =>
    movements
      .filter((movement) => movement.cash_session_id === cash_session_id && movement.kind === kind)
      .reduce((sum, movement) => sum + movement.amount_centavos, 0)
  return new Map(
    sessions.map((session) => {
      const { cash_session_id } = session
      const rows = methods.flatMap(({ payment_method_id, kind, deletedAt }) => {
        const found = sums.find((sum) => sum.cash_session_id === cash_session_id && sum.payment_method_id === payment_method_id)
        const isToCount = session.closedAt === null && deletedAt === null && (kind === 'terminal' || kind === 'transfer')
        if (
          !found &&
          kind !== 'cash' &&
          !isToCount &&
          !countOf(session).methods.some((method) => method.payment_method_id === payment_method_id)
        )
          return []
        const { count = 0, sales = 0, refunds = 0 } = found ?? {}
        const drawer = kind === 'cash' ? { in: moved(cash_session_id, 'in'), out: moved(cash_session_id, 'out') } : { in: 0, out: 0 }
        const opening = kind === 'cash' ? session.opening_centavos : 0
        return [{ payment_method_id, count, sales, refunds, ...drawer, expected: opening + sales - refunds + drawer.in - drawer.out }]
      })
      return [cash_session_id, rows]
    }),
  )
}

/** Serializes sessions. Expected sums of an open session are null for a caller who counts blind (setting `cash_blind_count`). */
async function onWire(ctx: Ctx, db: Reader, views: readonly CashSessionView[]): Promise<CashSession[]> {
  if (views.length === 0) return []
  const ids = views.map((view) => view.session.cash_session_id)
  const moves = await listCashMovements(db, ids)
  const figures = await figuresOf(
    db,
    views.map((view) => view.session),
    moves.map((move) => move.movement),
  )
  const methods = await listAllPaymentMethods(db)
  return views.map(({ session, ...names }) => {
    const isBlind = session.closedAt === null && ctx.settings.cash_blind_count && !mayReview(ctx, session)
    const shown = (amount: Centavos | null) => (amount === null || isBlind ? null : pesos(amount))
    const rows = figures.get(session.cash_session_id) ?? []
    const count = countOf(session)
    return {
      cash_session_id: session.cash_session_id,
      location: { location_id: session.location_id, name: names.location },
      staff: { staff_id: session.staff_id, name: names.staff },
      state: session.closedAt === null ? ('open' as const) : session.approvedAt === null ? ('closed' as const) : ('approved' as const),
      openedAt: session.openedAt.toISOString(),
      closedAt: session.closedAt?.toISOString() ?? null,
      closed_by: session.closed_by === null ? null : { staff_id: session.closed_by, name: names.closer ?? '' },
      approvedAt: session.approvedAt?.toISOString() ?? null,
      approved_by: session.approved_by === null ? null : { staff_id: session.approved_by, name: names.approver ?? '' },
      approval_note: session.approval_note,
      reopenedAt: session.reopenedAt?.toISOString() ?? null,
      reopen_reason: session.reopen_reason,
      opening: pesos(session.opening_centavos),
      ways: rows.map((row) => {
        const method = methods.find((method) => method.payment_method_id === row.payment_method_id)
        const counted = count.methods.find((method) => method.payment_method_id === row.payment_method_id) ?? null
        return {
          payment_method_id: row.payment_method_id,
          name: method?.name ?? '',
          kind: method?.kind ?? 'other',
          sales: shown(row.sales),
          refunds: shown(row.refunds),
          in: shown(row.in),
          out: shown(row.out),
          expected: shown(counted?.expected ?? row.expected),
          counted: counted && pesos(counted.counted),
          difference: counted && pesos(counted.counted - counted.expected),
          count: isBlind ? null : row.count,
        }
      }),
      cash: count.cash,
      left_in_drawer: session.left_centavos === null ? null : pesos(session.left_centavos),
      movements: moves
        .filter((move) => move.movement.cash_session_id === session.cash_session_id)
        .map(({ movement, staff }) => ({
          cash_movement_id: movement.cash_movement_id,
          kind: movement.kind,
          amount: pesos(movement.amount_centavos),
          reason: movement.reason,
          staff: { staff_id: movement.staff_id, name: staff },
          createdAt: movement.createdAt.toISOString(),
        })),
      note: session.note,
    }
  })
}

async function shown(ctx: Ctx, cash_session_id: number): One {
  const { rows } = await listCashSessions(ctx.db, { cash_session_id }, { number: 1, size: 1 })
  const [cash_session] = await onWire(ctx, ctx.db, rows)
  if (!cash_session) throw refuse('NOT_FOUND')
  return { cash_session }
}

/** Sessions (J1): the caller's own, or all of them with `cash.review`, and then the staff who had one. */
export async function listSessions(ctx: Ctx, input: Input<'list'>) {
  const { page, per_page, ...filter } = input
  const reviewer = reviewerOf(ctx)
  const [sessions, people] = await Promise.all([
    pageOfSessions(ctx, filter, { number: page, size: per_page }),
    reviewer ? listCashSessionPeople(ctx.db, reviewer.location_ids) : [],
  ])
  return { ...sessions, people }
}

const reviewerOf = ({ staff }: Ctx) => (staff?.rights.has('cash.review') ? staff : null)

/** The same with pages of any size, without the staff who had one. */
export async function pageOfSessions(
  ctx: Ctx,
  { sort, from, to, ...filter }: Omit<Input<'list'>, 'page' | 'per_page'>,
  page: { number: number; size: number },
) {
  const reviewer = reviewerOf(ctx)
  const which: CashSessionFilter = {
    ...filter,
    ...(reviewer ? { location_ids: reviewer.location_ids } : { staff_id: staffOf(ctx) }),
    from: from === undefined ? undefined : startOfDay(from, ctx.zone),
    until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
  }
  const { rows, total } = await listCashSessions(ctx.db, which, page, sort)
  return { cash_sessions: await onWire(ctx, ctx.db, rows), total }
}

/**
 * The caller's open session at a location, the cash left there by the last count, and the other staff with an open session
 * there. NOT_FOUND.
 */
export async function currentSession(ctx: Ctx, { location_id }: Input<'current'>) {
  await assertLocation(ctx, location_id)
  const staff_id = staffOf(ctx)
  const [{ rows }, left] = await Promise.all([
    listCashSessions(ctx.db, { location_id, state: 'open' }, { number: 1, size: CASH_SESSIONS_PER_PAGE }),
    findLeftInDrawer(ctx.db, location_id),
  ])
  const [cash_session = null] = await onWire(
    ctx,
    ctx.db,
    rows.filter((row) => row.session.staff_id === staff_id),
  )
  return {
    cash_session,
    suggested_opening: pesos(left),
    others: rows
      .filter((row) => row.session.staff_id !== staff_id)
      .map(({ session, staff }) => ({
        cash_session_id: session.cash_session_id,
        staff: { staff_id: session.staff_id, name: staff },
        openedAt: session.openedAt.toISOString(),
      })),
  }
}

/** One session. NOT_FOUND, also for another person's without the right to review it. */
export async function oneSession(ctx: Ctx, { cash_session_id }: Input<'one'>): One {
  const answer = await shown(ctx, cash_session_id)
  if (!mayReview(ctx, answer.cash_session.location) && answer.cash_session.staff.staff_id !== ctx.staff?.staff_id) throw refuse('NOT_FOUND')
  return answer
}

/**
 * Opens a session (J1). NOT_FOUND for the location; CASH_SESSION_OPEN when the caller has one open there, also under concurrent requests.
 */
export async function openSession(ctx: Ctx, input: Input<'open'>): One {
  const { location_id } = input
  await assertLocation(ctx, location_id)
  const staff_id = staffOf(ctx)
  const opening_centavos = parsePesos(input.opening) ?? 0
  const id = await ctx.once('till.open', input, async (tx) => {
    const cash_session_id = await insertCashSession(tx, { location_id, staff_id, opening_centavos, openedAt: ctx.now })
    await ctx.audit(tx, {
      action: 'cash_session.open',
      entity: 'cash_session',
      entity_id: cash_session_id,
      after: { location_id, opening_centavos },
    })
    return cash_session_id
  })
  return shown(ctx, id)
}

/** Locks a session that the caller may work on. NOT_FOUND for another person's, CASH_SESSION_CLOSED after its count. */
async function lockOwn(tx: Tx, ctx: Ctx, cash_session_id: number): Promise<CashSessionRow> {
  const session = await lockCashSession(tx, cash_session_id)
  if (!session || (!mayReview(ctx, session) && session.staff_id !== ctx.staff?.staff_id)) throw refuse('NOT_FOUND')
  if (session.closedAt !== null) throw refuse('CASH_SESSION_CLOSED')
  return session
}

/** Records cash put into the drawer or taken out of it (J3). NOT_FOUND, CASH_SESSION_CLOSED. */
export async function moveCash(ctx: Ctx, input: Input<'move'>): One {
  const { cash_session_id, kind, reason } = input
  const staff_id = staffOf(ctx)
  const amount_centavos = parsePesos(input.amount) ?? 0
  await ctx.once('till.move', input, async (tx) => {
    await lockOwn(tx, ctx, cash_session_id)
    await insertCashMovement(tx, { cash_session_id, kind, amount_centavos, reason, staff_id, createdAt: ctx.now })
    await ctx.audit(tx, {
      action: 'cash_session.move',
      entity: 'cash_session',
      entity_id: cash_session_id,
      reason,
      after: { kind, amount_centavos },
    })
    return null
  })
  return shown(ctx, cash_session_id)
}

/** The value of counted bills and coins, in centavos. */
const sumOfCount = (cash: Input<'close'>['cash']): Centavos =>
  Object.entries(cash).reduce((sum, [value, pieces]) => sum + (parsePesos(value) ?? 0) * (pieces ?? 0), 0)

/**
 * Counted and expected sums by payment method; a method that was not counted is taken as expected. `needsNote`: a difference exceeds
 * `cash_difference_max`. INVALID_INPUT for an unknown payment method, or for cash among `ways`.
 */
async function countTill(ctx: Ctx, tx: Tx, session: CashSessionRow, { cash, ways }: Pick<Input<'close'>, 'cash' | 'ways'>) {
  const movements = (await listCashMovements(tx, [session.cash_session_id])).map((cashMovement) => cashMovement.movement)
  const rows = (await figuresOf(tx, [session], movements)).get(session.cash_session_id) ?? []
  const methods = await listAllPaymentMethods(tx)
  const methodOf = (payment_method_id: number) => methods.find((method) => method.payment_method_id === payment_method_id)
  const typed = new Map(ways.map((option) => [option.payment_method_id, parsePesos(option.counted) ?? 0]))
  if ([...typed.keys()].some((id) => (methodOf(id)?.kind ?? 'cash') === 'cash')) throw refuse('INVALID_INPUT', { field: 'ways' })
  const counted = rows.map(({ payment_method_id, expected }) => ({
    payment_method_id,
    expected,
    counted: methodOf(payment_method_id)?.kind === 'cash' ? sumOfCount(cash) : (typed.get(payment_method_id) ?? expected),
  }))
  // Methods that were counted although nothing was expected of them.
  for (const [payment_method_id, amount] of typed)
    if (!rows.some((row) => row.payment_method_id === payment_method_id)) counted.push({ payment_method_id, expected: 0, counted: amount })
  const most = parsePesos(ctx.settings.cash_difference_max) ?? 0
  return {
    counted: counted.filter(
      (paymentMethod) =>
        paymentMethod.expected !== 0 || paymentMethod.counted !== 0 || methodOf(paymentMethod.payment_method_id)?.kind === 'cash',
    ),
    needsNote: counted.some((paymentMethod) => Math.abs(paymentMethod.counted - paymentMethod.expected) > most),
    methodOf,
  }
}

/**
 * Compares a count with the expected sums without closing (J4), and writes it to the audit log. NOT_FOUND, CASH_SESSION_CLOSED,
 * INVALID_INPUT.
 */
export async function compareCount(ctx: Ctx, input: Input<'compare'>) {
  const { cash_session_id } = input
  return ctx.tx(async (tx) => {
    const session = await lockOwn(tx, ctx, cash_session_id)
    const { counted, needsNote, methodOf } = await countTill(ctx, tx, session, input)
    await ctx.audit(tx, { action: 'cash_session.compare', entity: 'cash_session', entity_id: cash_session_id, after: { counted } })
    return {
      ways: counted.map((paymentMethod) => {
        const { name = '', kind = 'other' as const } = methodOf(paymentMethod.payment_method_id) ?? {}
        const { payment_method_id } = paymentMethod
        return {
          payment_method_id,
          name,
          kind,
          expected: pesos(paymentMethod.expected),
          counted: pesos(paymentMethod.counted),
          difference: pesos(paymentMethod.counted - paymentMethod.expected),
        }
      }),
      needs_note: needsNote,
    }
  })
}

/**
 * Counts and closes a session (J4); it is immutable from then on. NOT_FOUND, CASH_SESSION_CLOSED; CASH_NOTE_REQUIRED for a difference above
 * `cash_difference_max` without a note; INVALID_INPUT when more is left in the drawer than was counted, or a payment method is unknown.
 */
export async function closeSession(ctx: Ctx, input: Input<'close'>): One {
  const { cash_session_id, cash } = input
  const note = input.note || null
  const left_centavos = parsePesos(input.left_in_drawer) ?? 0
  const cashCounted = sumOfCount(cash)
  if (left_centavos > cashCounted) throw refuse('INVALID_INPUT', { field: 'left_in_drawer' })
  const staff_id = staffOf(ctx)
  await ctx.once('till.close', input, async (tx) => {
    const session = await lockOwn(tx, ctx, cash_session_id)
    const { counted, needsNote } = await countTill(ctx, tx, session, input)
    if (!note && needsNote) throw refuse('CASH_NOTE_REQUIRED')
    await updateCashSession(tx, cash_session_id, {
      closedAt: ctx.now,
      closed_by: staff_id,
      cash_count: cash as Record<string, number>,
      counted,
      left_centavos,
      note,
    })
    await ctx.audit(tx, {
      action: 'cash_session.close',
      entity: 'cash_session',
      entity_id: cash_session_id,
      reason: note,
      after: { counted, left_centavos },
    })
    return null
  })
  return shown(ctx, cash_session_id)
}

/** Locks a session that is closed and not approved. NOT_FOUND, CASH_SESSION_NOT_CLOSED. */
async function lockClosed(tx: Tx, ctx: Ctx, cash_session_id: number): Promise<CashSessionRow> {
  const session = await lockCashSession(tx, cash_session_id)
  if (!session || !mayReview(ctx, session)) throw refuse('NOT_FOUND')
  if (session.closedAt === null) throw refuse('CASH_SESSION_NOT_CLOSED')
  return session
}

/** Approves a count (J5). Idempotent. NOT_FOUND, CASH_SESSION_NOT_CLOSED. */
export async function approveSession(ctx: Ctx, input: Input<'approve'>): One {
  const { cash_session_id } = input
  const staff_id = staffOf(ctx)
  await ctx.tx(async (tx) => {
    const session = await lockClosed(tx, ctx, cash_session_id)
    if (session.approvedAt !== null) return
    const approval_note = input.note || null
    await updateCashSession(tx, cash_session_id, { approvedAt: ctx.now, approved_by: staff_id, approval_note })
    await ctx.audit(tx, { action: 'cash_session.approve', entity: 'cash_session', entity_id: cash_session_id, reason: approval_note })
  })
  return shown(ctx, cash_session_id)
}

/**
 * Reopens a count (J5). NOT_FOUND, CASH_SESSION_NOT_CLOSED; CASH_SESSION_CLOSED after approval; CASH_SESSION_OPEN when its person has
 * opened another session there meanwhile.
 */
export async function reopenSession(ctx: Ctx, input: Input<'reopen'>): One {
  const { cash_session_id, reason } = input
  await ctx.once('till.reopen', input, async (tx) => {
    const session = await lockClosed(tx, ctx, cash_session_id)
    if (session.approvedAt !== null) throw refuse('CASH_SESSION_CLOSED')
    await updateCashSession(tx, cash_session_id, {
      closedAt: null,
      closed_by: null,
      cash_count: null,
      counted: null,
      left_centavos: null,
      note: null,
      reopenedAt: ctx.now,
      reopen_reason: reason,
    })
    await ctx.audit(tx, {
      action: 'cash_session.reopen',
      entity: 'cash_session',
      entity_id: cash_session_id,
      reason,
      before: { closedAt: session.closedAt, counted: session.counted, left_centavos: session.left_centavos, note: session.note },
    })
    return null
  })
  return shown(ctx, cash_session_id)
}
