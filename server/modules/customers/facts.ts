/**
 * State, alerts, habits and figures of customers (docs/domain.md X3 to X5). Only `measureCustomer` computes them: the file of a
 * customer calls it for one customer, the list for many.
 */
import type { CustomerState } from '#contract/copy/customer-list.ts'
import type { CustomerAlert, CustomerFigures, CustomerHabits } from '#contract/customer-file.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { formatInstant, wallClock } from '#contract/time.ts'
import { singleReservationPrice } from '#server/modules/bookings/bookings.ts'
import { customersWithHealth, pendingDocuments } from '#server/modules/content/content.ts'
import { isAlive } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type CustomerRow, listPastVisits } from '#server/modules/people/people.ts'
import type { Reader } from '#server/platform/db.ts'
import {
  findHabitClass,
  findUnpaidFee,
  listAttendance,
  listCreditLotFacts,
  listFirstCoaches,
  listLimitsReached,
  listNextClasses,
  listPenalties,
  listSubscriptions,
  listUnpaidReservations,
  sumMoney,
} from './facts-store.ts'
import { customerState, detectHabits, mostFrequent, type StateFacts, stateHoldsUntil, WEEKDAYS } from './rules.ts'

const DAY_MS = 86_400_000
const HABIT_DAYS = 90
/** Days ahead within which the expiry of credits is an alert. */
const EXPIRY_ALERT_DAYS = 7
/** Days ahead in which the next class of a habit is looked for. */
const HABIT_AHEAD_DAYS = 14

export interface CustomerAbout {
  state: CustomerState
  alerts: CustomerAlert[]
  limits_reached: { class_package_id: number; title: string; limit: number }[]
  habits: CustomerHabits | null
  figures: CustomerFigures
}

type Rows<F extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<F>>

/** Source data of one customer. */
export interface CustomerFacts {
  attendance: Rows<typeof listAttendance>
  /** The imported number of visits at another system; null: none. */
  past: Rows<typeof listPastVisits>[number] | null
  creditLots: Rows<typeof listCreditLotFacts>
  subscriptions: Rows<typeof listSubscriptions>
  money: { spent: number; owed: number }
  unpaid: Rows<typeof listUnpaidReservations>
  penalty: Rows<typeof listPenalties>[number] | null
  next_class: Date | null
}

function byCustomer<R extends { customer_id: number }>(rows: readonly R[]): (customer_id: number) => R[] {
  const groups = new Map<number, R[]>()
  for (const row of rows) {
    const group = groups.get(row.customer_id)
    if (group) group.push(row)
    else groups.set(row.customer_id, [row])
  }
  return (customer_id) => groups.get(customer_id) ?? []
}

/** The facts of some customers, in one query per kind. */
export async function loadFacts(db: Reader, customer_ids: number[], now: Date): Promise<(customer_id: number) => CustomerFacts> {
  const [attendance, creditLots, subscriptions, money, unpaid, penalties, next, past] = await Promise.all([
    listAttendance(db, customer_ids, now),
    listCreditLotFacts(db, customer_ids),
    listSubscriptions(db, customer_ids),
    sumMoney(db, customer_ids),
    listUnpaidReservations(db, customer_ids),
    listPenalties(db, customer_ids, now),
    listNextClasses(db, customer_ids, now),
    listPastVisits(db, customer_ids),
  ])
  const of = {
    attendance: byCustomer(attendance),
    creditLots: byCustomer(creditLots),
    subscriptions: byCustomer(subscriptions),
    unpaid: byCustomer(unpaid),
    penalties: byCustomer(penalties),
    next: byCustomer(next),
    past: byCustomer(past),
  }
  return (customer_id) => ({
    attendance: of.attendance(customer_id),
    past: of.past(customer_id)[0] ?? null,
    creditLots: of.creditLots(customer_id),
    subscriptions: of.subscriptions(customer_id),
    money: money.get(customer_id) ?? { spent: 0, owed: 0 },
    unpaid: of.unpaid(customer_id),
    penalty: of.penalties(customer_id)[0] ?? null,
    next_class: of.next(customer_id)[0]?.starts_at ?? null,
  })
}

/**
 * State and figures of one customer; money in centavos. `createdAt`: since when they are a customer, `archivedAt`: since when they
 * are archived.
 */
export function measureCustomer(
  { now, settings }: Pick<Ctx, 'now' | 'settings'>,
  facts: CustomerFacts,
  { createdAt, archivedAt }: { createdAt: Date; archivedAt: Date | null },
) {
  const { attendance, past, creditLots, subscriptions, money, unpaid } = facts
  const visits = attendance.filter((row) => row.attend !== false)
  // What is here row by row up to the day of the count is in it.
  const pastVisits = past ? Math.max(0, past.visits - visits.filter((row) => row.starts_at <= past.until_at).length) : 0
  const lastHere = visits.at(-1)?.starts_at ?? null
  const lastVisit = past?.last_at && (lastHere === null || past.last_at > lastHere) ? past.last_at : lastHere
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const since = (from: Date) => visits.filter((row) => row.starts_at >= from).length
  const noShows = attendance.filter((row) => row.attend === false && row.excuse === null).length
  const priceOf = (row: (typeof unpaid)[number]) =>
    row.price ?? singleReservationPrice({ price_centavos: row.class_price }, { price_centavos: row.type_price }, settings) ?? 0
  const stateFacts: StateFacts = {
    now,
    createdAt,
    archivedAt:
      archivedAt !== null &&
      [...visits.map((row) => row.starts_at), ...creditLots.map((creditLot) => creditLot.createdAt)].some((at) => at > archivedAt)
        ? null
        : archivedAt,
    visits: visits.map((row) => row.starts_at),
    past: pastVisits > 0 ? { last_at: past?.last_at ?? null } : null,
    creditLots: creditLots.map((creditLot) => ({
      isAlive: isAlive(creditLot, now),
      expires_at: creditLot.expires_at,
      endedAt: creditLot.revokedAt ?? (creditLot.expires_at && creditLot.expires_at <= now ? creditLot.expires_at : null),
      isTrial: creditLot.is_trial,
    })),
    hasSubscription: subscriptions.length > 0,
    renews: subscriptions.some((row) => !row.paused_since),
    isPastDue: subscriptions.some((row) => row.past_due_since),
  }
  const recent = visits.filter((row) => row.starts_at >= ago(HABIT_DAYS))
  const changes = [
    stateHoldsUntil(stateFacts),
    facts.next_class,
    facts.penalty?.ends_at,
    ...[visits.find((row) => row.starts_at >= ago(30)), recent[0]].map(
      (row, n) => row && new Date(row.starts_at.getTime() + (n === 0 ? 30 : HABIT_DAYS) * DAY_MS + 1),
    ),
  ].flatMap((at) => (at ? [at.getTime()] : []))
  return {
    state: customerState(stateFacts),
    visits,
    visit_count: visits.length + pastVisits,
    last_visit: lastVisit,
    /** Null: no visit here, or the first one was in the previous system. */
    first_visit: pastVisits > 0 ? null : (visits[0]?.starts_at ?? null),
    recent,
    alive: creditLots.filter((creditLot) => isAlive(creditLot, now)),
    visits_30: since(ago(30)),
    visits_before: since(ago(60)) - since(ago(30)),
    no_shows: noShows,
    marked: attendance.filter((row) => row.attend === true).length + noShows,
    spent: money.spent,
    owed: money.owed + unpaid.reduce((sum, row) => sum + priceOf(row), 0),
    home_location_id: Number(mostFrequent(recent.map((row) => String(row.location_id)))?.key ?? 0) || null,
    /** When any of it changes by the passing of time alone; null: never. */
    changesAt: changes.length ? new Date(Math.min(...changes)) : null,
  }
}

/** Computes the figures of a customer's file. */
export async function readFacts(ctx: Ctx, record: Pick<CustomerRow, 'customer_id' | 'createdAt' | 'archivedAt'>): Promise<CustomerAbout> {
  const { customer_id } = record
  const { db, now, zone } = ctx
  const facts = (await loadFacts(db, [customer_id], now))(customer_id)
  const { subscriptions, money, unpaid, penalty } = facts
  const measured = measureCustomer(ctx, facts, record)
  const { state, recent, alive, owed } = measured
  const coaches = await listFirstCoaches(
    db,
    recent.map((row) => row.single_class_id),
  )
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)

  const alerts: CustomerAlert[] = []
  if ((await customersWithHealth(ctx, [customer_id])).has(customer_id))
    alerts.push({ kind: 'health', message: 'Dijo algo de su salud o una lesión.', detail: 'Sus respuestas están en Perfil.' })
  const [first] = unpaid
  if (owed > 0)
    alerts.push({
      kind: 'debt',
      message: `Debe ${formatMoney(owed)}.`,
      detail: first && money.owed === 0 ? `${first.type}, ${formatInstant(first.starts_at, first.timezone ?? zone, 'class')}.` : null,
    })
  const refused = subscriptions.find((row) => row.past_due_since)
  if (refused) alerts.push({ kind: 'renewal', message: 'No pasó el pago de su renovación.', detail: refused.title })
  if (penalty)
    alerts.push({
      kind: 'penalty',
      message: `No puede reservar hasta el ${formatInstant(penalty.ends_at, zone, 'long')}.`,
      detail: penalty.reason,
    })
  const { signup_fee, trial_once_per_customer } = ctx.settings
  const [fee, limits_reached] = await Promise.all([
    signup_fee === null ? null : findUnpaidFee(db, customer_id, signup_fee),
    listLimitsReached(db, customer_id, trial_once_per_customer),
  ])
  if (fee) alerts.push({ kind: 'signup_fee', message: `No ha pagado “${fee.title}”.`, detail: formatMoney(fee.price_centavos) })
  const [pending, ...others] = await pendingDocuments(db, customer_id)
  if (pending)
    alerts.push({
      kind: 'documents',
      message: others.length === 0 ? 'Falta aceptar un documento.' : `Falta aceptar ${others.length + 1} documentos.`,
      detail: [pending, ...others].map(({ title }) => title).join(', '),
    })
  const renewing = new Set(subscriptions.filter((row) => !row.paused_since).map((row) => row.purchase_id))
  const soon = alive.find(
    (creditLot) =>
      creditLot.expires_at &&
      creditLot.expires_at <= ago(-EXPIRY_ALERT_DAYS) &&
      !(creditLot.purchase_id && renewing.has(creditLot.purchase_id)),
  )
  if (soon?.expires_at)
    alerts.push({ kind: 'expiring', message: `${soon.title} vence el ${formatInstant(soon.expires_at, zone, 'long')}.`, detail: null })

  const habits = detectHabits(
    recent.map((row) => ({
      wall: wallClock(row.starts_at, row.timezone ?? zone),
      location: row.location,
      coach: coaches.get(row.single_class_id) ?? null,
      row: row.spot === null ? null : Number(row.spot.split('-')[0]),
    })),
  )
  const next =
    habits &&
    (await findHabitClass(db, {
      customer_id,
      now,
      until: ago(-HABIT_AHEAD_DAYS),
      zone,
      locations: ctx.locationIds,
      weekday: WEEKDAYS.indexOf(habits.weekday),
      hour: habits.hour,
      location: habits.location,
      coach: habits.coach,
    }))
  return {
    state,
    alerts,
    limits_reached,
    habits: habits && { ...habits, next },
    figures: {
      visits: measured.visit_count,
      visits_30: measured.visits_30,
      visits_before: measured.visits_before,
      last_visit: measured.last_visit?.toISOString() ?? null,
      first_visit: measured.first_visit?.toISOString() ?? null,
      no_shows: measured.no_shows,
      marked: measured.marked,
      spent: pesos(measured.spent),
      owed: pesos(owed),
    },
  }
}
