/** State, alerts, habits and figures of one customer (docs/domain.md X3 to X5). */
import type { CustomerAlert, CustomerFigures, CustomerHabits, CustomerState } from '#contract/customer-file.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { formatInstant, wallClock } from '#contract/time.ts'
import { singleReservationPrice } from '#server/modules/bookings/bookings.ts'
import { isAlive } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findPenalty, listAttendance, listCreditLotFacts, listSubscriptions, listUnpaidReservations, sumMoney } from './facts-store.ts'
import { habitsOf, stateOf } from './rules.ts'

const DAY_MS = 86_400_000
const HABIT_DAYS = 90
/** Days ahead in which an end of credits is worth an alert. */
const EXPIRY_ALERT_DAYS = 7

export interface CustomerAbout {
  state: CustomerState
  alerts: CustomerAlert[]
  habits: CustomerHabits | null
  figures: CustomerFigures
}

/** Reads what stands on the file of a customer; `createdAt`: since when they are one. */
export async function readFacts(ctx: Ctx, customer_id: number, createdAt: Date): Promise<CustomerAbout> {
  const { db, now, zone } = ctx
  const [attendance, lots, subscriptions, money, unpaid, penalty] = await Promise.all([
    listAttendance(db, customer_id, now),
    listCreditLotFacts(db, customer_id),
    listSubscriptions(db, customer_id),
    sumMoney(db, customer_id),
    listUnpaidReservations(db, customer_id),
    findPenalty(db, customer_id, now),
  ])
  const visits = attendance.filter((row) => row.attend !== false)
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const since = (from: Date) => visits.filter((row) => row.starts_at >= from).length
  const noShows = attendance.filter((row) => row.attend === false && row.excuse === null).length
  const priceOf = (row: (typeof unpaid)[number]) =>
    row.price ?? singleReservationPrice({ price_centavos: row.class_price }, { price_centavos: row.type_price }, ctx.settings) ?? 0
  const owed = money.owed + unpaid.reduce((sum, row) => sum + priceOf(row), 0)
  const alive = lots.filter((lot) => isAlive(lot, now))
  const state = stateOf({
    now,
    createdAt,
    visits: visits.map((row) => row.starts_at),
    lots: lots.map((lot) => ({
      isAlive: isAlive(lot, now),
      expires_at: lot.expires_at,
      endedAt: lot.revokedAt ?? (lot.expires_at && lot.expires_at <= now ? lot.expires_at : null),
      isTrial: lot.is_trial,
    })),
    hasSubscription: subscriptions.length > 0,
    renews: subscriptions.some((row) => !row.paused_since),
    isPastDue: subscriptions.some((row) => row.past_due_since),
  })

  const alerts: CustomerAlert[] = []
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
  const renewing = new Set(subscriptions.filter((row) => !row.paused_since).map((row) => row.purchase_id))
  const soon = alive.find(
    (lot) => lot.expires_at && lot.expires_at <= ago(-EXPIRY_ALERT_DAYS) && !(lot.purchase_id && renewing.has(lot.purchase_id)),
  )
  if (soon?.expires_at)
    alerts.push({ kind: 'expiring', message: `${soon.title} vence el ${formatInstant(soon.expires_at, zone, 'long')}.`, detail: null })

  return {
    state,
    alerts,
    habits: habitsOf(
      visits
        .filter((row) => row.starts_at >= ago(HABIT_DAYS))
        .map((row) => ({ wall: wallClock(row.starts_at, row.timezone ?? zone), location: row.location, coach: row.coach })),
    ),
    figures: {
      visits: visits.length,
      visits_30: since(ago(30)),
      visits_before: since(ago(60)) - since(ago(30)),
      last_visit: visits.at(-1)?.starts_at.toISOString() ?? null,
      first_visit: visits[0]?.starts_at.toISOString() ?? null,
      no_shows: noShows,
      marked: attendance.filter((row) => row.attend === true).length + noShows,
      spent: pesos(money.spent),
      owed: pesos(owed),
    },
  }
}
