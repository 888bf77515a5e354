/**
 * The customers of a year: former ones, the subscriptions that some have, and how each purchase was paid. Pure: it only
 * plans.
 */
import { chargeAfter } from '#contract/billing.ts'
import { localDate } from '#contract/time.ts'
import type { Brand } from './brand.ts'
import type { Chance } from './chance.ts'
import { type Crowd, everydayPackages, type OnlineOption, type Patron, type PlannedSubscription } from './crowd.ts'
import { demand } from './season.ts'
import { isCounterOpen } from './tills.ts'
import { zoneOfBrand } from './week.ts'

const DAY = 86_400_000
const MONTH = 30.4 * DAY

/** A former customer: their classes, from when until when. */
export interface Life {
  location: string
  since: Date
  until: Date
}

/** Former customers, as shares of the people of a location: of those from before the year, and of each month's new ones. */
const LEFT_OF_BEFORE = 0.3
const JOINED_EACH_MONTH = 0.08
/** Share of those who came once and did not return. */
const ONLY_TRIAL = 0.48
/** Days that the others stay, at least and beyond that on average. */
const STAY = { least: 25, more: 120 }

/** The former customers who came between `from` and now, by their first day. */
export function pastLives(brand: Brand, chance: Chance, from: Date, now: Date): Life[] {
  const zone = zoneOfBrand(brand)
  const span = now.getTime() - from.getTime()
  const lives: Life[] = []
  for (const [location, count] of Object.entries(brand.people)) {
    for (let n = 0; n < count * LEFT_OF_BEFORE; n++)
      lives.push({
        location,
        since: new Date(from.getTime() - chance.between(10, 500) * DAY),
        until: new Date(from.getTime() + chance.next() ** 1.4 * (span - 12 * DAY)),
      })
    for (let month = 0; month * MONTH < span - 20 * DAY; month++) {
      const start = from.getTime() + month * MONTH
      const joined = count * JOINED_EACH_MONTH * demand(localDate(new Date(start), zone), localDate(now, zone)) ** 2
      for (let n = 0; n < joined; n++) {
        const since = start + chance.next() * MONTH
        const stay = chance.happens(ONLY_TRIAL) ? 6 : STAY.least - Math.log(1 - chance.next()) * STAY.more
        const until = Math.min(since + stay * DAY, now.getTime() - chance.between(8, 90) * DAY)
        if (until > since + 5 * DAY) lives.push({ location, since: new Date(since), until: new Date(until) })
      }
    }
  }
  return lives.sort((a, b) => a.since.getTime() - b.since.getTime())
}

/** Share of subscribers among those who come at least twice a week. */
const SUBSCRIBERS = 0.3
/** Living subscriptions that are something else than running, in the order in which they are given out. */
const STATES: readonly PlannedSubscription['state'][] = ['past_due', 'paused', 'ending', 'paused', 'ending', 'past_due', 'ending']

/** Gives subscriptions to some of the people, and their lots to the crowd. */
export function planSubscriptions(brand: Brand, crowd: Crowd, chance: Chance, patrons: readonly Patron[], from: Date, now: Date): void {
  const sold = Object.entries(brand.packages)
    .filter(([, classPackage]) => classPackage.is_subscription && classPackage.subscription_period === 'month')
    .sort(([, a], [, b]) => (a.class_amount === -1 ? 99 : a.class_amount) - (b.class_amount === -1 ? 99 : b.class_amount))
    .map(([key]) => key)
  const [small, large] = [sold[0], sold.at(-1)]
  if (small === undefined || large === undefined) return
  const states = [...STATES]
  for (const patron of patrons) {
    if (patron.perWeek < 2 || !chance.happens(SUBSCRIBERS)) continue
    const earliest = Math.max(from.getTime(), (patron.since?.getTime() ?? from.getTime()) + 9 * DAY)
    const latest = (patron.until ?? now).getTime() - 20 * DAY
    if (latest <= earliest) continue
    const startedAt = new Date(earliest + chance.next() ** 2 * (latest - earliest))
    const state = patron.until ? 'ended' : chance.happens(0.3) ? (states.shift() ?? 'active') : 'active'
    const plan = planOf(
      { customer_id: patron.customer_id, package: patron.perWeek >= 4 ? large : small },
      { startedAt, state },
      patron,
      now,
    )
    if (!plan) continue
    patron.subscription = plan
    crowd.subscribe(plan)
  }
}

function planOf(
  whose: { customer_id: number; package: string },
  { startedAt, state }: Pick<PlannedSubscription, 'startedAt' | 'state'>,
  patron: Patron,
  now: Date,
): PlannedSubscription | null {
  const start = state === 'past_due' ? startOfOverdue(now) : startedAt
  const last = patron.until ?? now
  const periods: { from: Date; to: Date }[] = []
  for (let n = 0; ; n++) {
    const [from, to] = [chargeAfter(start, 'month', n), chargeAfter(start, 'month', n + 1)]
    if (from >= last || (state === 'past_due' && to > now)) break
    periods.push({ from, to })
  }
  const end = periods.at(-1)?.to
  if (!end) return null
  if (state === 'past_due') return end <= now ? { ...whose, startedAt: start, periods, state } : null
  // A customer who left a few days ago still has paid days.
  return { ...whose, startedAt: start, periods, state: state === 'ended' && end > now ? 'ending' : state }
}

/** The start of a subscription whose third renewal was refused half a day ago. */
function startOfOverdue(now: Date): Date {
  const due = new Date(now.getTime() - DAY / 2)
  const start = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() - 3, Math.min(due.getUTCDate(), 28)))
  return new Date(start.getTime() + (due.getTime() % DAY))
}

/** Of a hundred purchases, how many are paid on the site with each option; the others at the counter. */
const ONLINE: readonly (readonly [OnlineOption, number])[] = [
  ['card', 34],
  ['oxxo', 5],
  ['spei', 5],
  ['paypal', 4],
]
const ALL_ONLINE = ONLINE.reduce((sum, [, share]) => sum + share, 0)
/** First packages that are bought with the studio's code, and purchases that were a mistake. */
const WITH_CODE = 0.45
const MISTAKES = 26

/** Decides how the planned purchases were paid, and adds those that went back. */
export function planPayments(
  brand: Brand,
  crowd: Crowd,
  chance: Chance,
  { online, regular, from, now }: { online: boolean; regular: number; from: Date; now: Date },
): void {
  const everyday = everydayPackages(brand)
  const zone = zoneOfBrand(brand)
  const bought = new Set<number>()
  // The regular customer's purchases are written by `story.ts` and `cards.ts`.
  const creditLots = crowd.creditLots.filter((creditLot) => creditLot.customer_id !== regular && !creditLot.subscription)
  for (const creditLot of creditLots) {
    if (online) {
      let drawn = chance.between(0, isCounterOpen(creditLot.boughtAt, zone) ? 100 : ALL_ONLINE)
      for (const [paymentOption, share] of ONLINE) {
        if (drawn < share) {
          creditLot.online = paymentOption
          break
        }
        drawn -= share
      }
    }
    if (!everyday.includes(creditLot.package)) continue
    if (!bought.has(creditLot.customer_id) && chance.happens(WITH_CODE)) creditLot.withCode = true
    bought.add(creditLot.customer_id)
  }
  const candidates = creditLots.filter((creditLot) => everyday.includes(creditLot.package) && creditLot.granted !== null)
  for (let n = 0; n < MISTAKES && candidates.length > 0; n++) {
    const twice = chance.one(candidates)
    const at = new Date(twice.boughtAt.getTime() + chance.between(2, 9) * 60_000)
    const back = new Date(at.getTime() + chance.between(0.1, 3) * DAY)
    if (at < from || back.getTime() > now.getTime() - DAY) continue
    const creditLot = crowd.buy(twice.customer_id, twice.package, at)
    if (twice.online) creditLot.online = twice.online === 'oxxo' || twice.online === 'spei' ? 'card' : twice.online
    creditLot.refundedAt = back
  }
}
