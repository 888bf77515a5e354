/**
 * Plans the demo's customers: invented people with habits who buy packages, book, bring guests, cancel and miss classes. Pure: it only
 * plans rows. Every reservation is paid by a credit lot that was valid for it, by the studio's own rules.
 */
import { endOfDay, expiryAfter, type LocalDate, localDate, mondayOf } from '#contract/time.ts'
import type { Brand } from './brand.ts'
import type { Chance } from './chance.ts'
import { comment, guestName } from './names.ts'
import { type PlannedClass, zoneOfBrand } from './week.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How something is paid on the site. */
export type OnlineOption = 'card' | 'oxxo' | 'spei' | 'paypal'

/** A subscription that a card pays: one lot for each of its periods. */
export interface PlannedSubscription {
  customer_id: number
  package: string
  startedAt: Date
  periods: { from: Date; to: Date }[]
  /** `ending`: cancelled, with days left that are paid. */
  state: 'active' | 'paused' | 'past_due' | 'ending' | 'ended'
}

export interface PlannedCreditLot {
  customer_id: number
  package: string
  boughtAt: Date
  expires_at: Date
  /** Null = unlimited. */
  granted: number | null
  balance: number | null
  /** Class types for which the credits are valid; null = any. */
  types: readonly string[] | null
  cancels: number
  /** Paid on the site; absent: at the counter. */
  online?: OnlineOption
  /** The subscription and its period that gave it. */
  subscription?: { plan: PlannedSubscription; period: { from: Date; to: Date } }
  /** Bought with the first code of the brand. */
  withCode?: boolean
  /** Bought by mistake: the money went back, and nothing is paid with it. */
  refundedAt?: Date
}

export interface PlannedReservation {
  cls: PlannedClass
  customer_id: number
  host: PlannedReservation | null
  guest: string | null
  spot: string | null
  creditLot: PlannedCreditLot
  createdAt: Date
  deletedAt: Date | null
  late: boolean
  attend: boolean | null
  class_stars: number | null
  coach_stars: number | null
  comment: string | null
  fromWaitlist?: boolean
}

/** An invented customer with habits. */
export interface Patron {
  customer_id: number
  location: string
  /** Maximum number of classes per week. */
  perWeek: number
  likes: readonly string[]
  /** Key of the package that they buy repeatedly. */
  buys: string
  /** For new customers: since when. Their first purchase is the trial. */
  since: Date | null
  /** Their last day, when they left. */
  until?: Date
  /** While it runs, they buy no packages. */
  subscription?: PlannedSubscription
}

/** The planned rows of all customers. */
export class Crowd {
  readonly creditLots: PlannedCreditLot[] = []
  readonly reservations: PlannedReservation[] = []
  readonly #free = new Map<PlannedClass, string[]>()
  readonly #left = new Map<PlannedClass, number>()
  readonly #busy = new Set<string>()
  readonly #weeks = new Map<string, number>()
  readonly #mondays = new Map<LocalDate, LocalDate>()
  readonly #creditLotsByCustomer = new Map<number, PlannedCreditLot[]>()
  readonly #brand: Brand
  readonly #chance: Chance
  readonly #now: Date

  constructor(brand: Brand, chance: Chance, now: Date) {
    this.#brand = brand
    this.#chance = chance
    this.#now = now
  }

  /** The credit lot of a purchase at this time. */
  buy(customer_id: number, key: string, boughtAt: Date): PlannedCreditLot {
    const classPackage = this.#brand.packages[key]
    if (!classPackage) throw new Error(`${this.#brand.key} sells no ${key}.`)
    const [only] = classPackage.types ?? []
    const amount = only?.class_amount ?? classPackage.class_amount
    const creditLot: PlannedCreditLot = {
      customer_id,
      package: key,
      boughtAt,
      expires_at: this.#expiry(key, boughtAt),
      granted: amount === -1 ? null : amount,
      balance: amount === -1 ? null : amount,
      types: classPackage.types?.map((type) => type.type) ?? null,
      cancels: 0,
    }
    this.creditLots.push(creditLot)
    const mine = this.#creditLotsByCustomer.get(customer_id)
    if (mine) mine.push(creditLot)
    else this.#creditLotsByCustomer.set(customer_id, [creditLot])
    return creditLot
  }

  /** Adds the lots of a subscription, each valid until the end of its period's last day. */
  subscribe(plan: PlannedSubscription): void {
    const zone = zoneOfBrand(this.#brand)
    for (const period of plan.periods) {
      const creditLot = this.buy(plan.customer_id, plan.package, period.from)
      creditLot.expires_at = endOfDay(localDate(period.to, zone), zone)
      creditLot.subscription = { plan, period }
    }
  }

  freeSpots(cls: PlannedClass): number {
    return this.#left.get(cls) ?? cls.capacity
  }

  isFree(customer_id: number, date: LocalDate): boolean {
    return !this.#busy.has(`${customer_id} ${date}`)
  }

  /** Books a place, and one for the guest, paid by a lot with enough credits. */
  reserve(
    cls: PlannedClass,
    creditLot: PlannedCreditLot,
    createdAt: Date,
    more: { guest?: string; attend?: boolean | null; stars?: readonly [number, number]; comment?: string } = {},
  ): void {
    const attend = more.attend ?? null
    const newReservation = (host: PlannedReservation | null, guest: string | null): PlannedReservation => {
      this.#left.set(cls, this.freeSpots(cls) - 1)
      if (creditLot.balance !== null) creditLot.balance--
      const stars = host ? undefined : more.stars
      return {
        cls,
        customer_id: creditLot.customer_id,
        host,
        guest,
        spot: this.#takeSpot(cls),
        creditLot,
        createdAt,
        deletedAt: null,
        late: false,
        attend,
        class_stars: stars?.[0] ?? null,
        coach_stars: stars?.[1] ?? null,
        comment: host ? null : (more.comment ?? null),
      }
    }
    const mine = newReservation(null, null)
    this.reservations.push(mine)
    if (more.guest) this.reservations.push(newReservation(mine, more.guest))
    this.#busy.add(`${creditLot.customer_id} ${cls.date}`)
    const week = `${creditLot.customer_id} ${this.#mondayOf(cls.date)}`
    this.#weeks.set(week, (this.#weeks.get(week) ?? 0) + 1)
  }

  /** A booked and cancelled reservation; in time, unless `late`, which forfeits the credit. */
  giveUp(cls: PlannedClass, creditLot: PlannedCreditLot, createdAt: Date, deletedAt: Date, late = false): void {
    if (late && creditLot.balance !== null) creditLot.balance--
    creditLot.cancels++
    this.reservations.push({
      cls,
      customer_id: creditLot.customer_id,
      host: null,
      guest: null,
      spot: null,
      creditLot,
      createdAt,
      deletedAt,
      late,
      attend: null,
      class_stars: null,
      coach_stars: null,
      comment: null,
    })
  }

  /** Fills the classes in order of their start, according to their `draw`. */
  fill(classes: readonly PlannedClass[], patrons: readonly Patron[]): void {
    const byLocation = new Map<string, Patron[]>()
    for (const patron of patrons) byLocation.set(patron.location, [...(byLocation.get(patron.location) ?? []), patron])
    for (const cls of classes) {
      if (cls.calledOff !== null || cls.package !== null) continue
      const near = (byLocation.get(cls.location) ?? []).filter(({ until }) => !until || cls.ends_at < until)
      let wanted = this.#wanted(cls) - (cls.capacity - this.freeSpots(cls))
      for (const patron of this.#chance.shuffled(near)) {
        if (wanted <= 0) break
        wanted -= this.#come(patron, cls, wanted)
      }
    }
  }

  /** Expected number of people: the full number by the start of the class, few for one that is weeks away. */
  #wanted(cls: PlannedClass): number {
    const ahead = (cls.starts_at.getTime() - this.#now.getTime()) / DAY
    const share =
      ahead <= 0
        ? 1
        : ahead < 2
          ? 0.94
          : ahead < 4
            ? 0.85
            : ahead < 7
              ? 0.68
              : ahead < 10
                ? 0.4
                : ahead < 14
                  ? 0.22
                  : ahead < 21
                    ? 0.08
                    : 0.02
    if (cls.draw >= 1 && ahead < 4) return cls.capacity
    return Math.min(cls.capacity, Math.round(cls.capacity * cls.draw * share * this.#chance.between(0.86, 1.12)))
  }

  #come(patron: Patron, cls: PlannedClass, wanted: number): number {
    const chance = this.#chance
    const week = this.#weeks.get(`${patron.customer_id} ${this.#mondayOf(cls.date)}`) ?? 0
    if (week >= patron.perWeek || !this.isFree(patron.customer_id, cls.date)) return 0
    if (!patron.likes.includes(cls.type) && !chance.happens(0.2)) return 0

    const past = cls.starts_at <= this.#now
    const latest = past ? cls.starts_at.getTime() - 0.3 * HOUR : this.#now.getTime() - 0.05 * HOUR
    const bookedAt = new Date(latest - chance.between(0, past ? 5 * DAY : 2 * DAY))
    if (patron.since && bookedAt < patron.since) return 0
    const creditLot = this.#payer(patron, cls, bookedAt)
    if (!creditLot) return 0
    const createdAt = new Date(Math.min(latest, Math.max(bookedAt.getTime(), creditLot.boughtAt.getTime() + 60_000)))

    if (creditLot.balance !== null && creditLot.cancels < 2 && chance.happens(0.05)) {
      const late = chance.happens(0.2)
      const cancelledAt = late ? cls.starts_at.getTime() - 2 * HOUR : cls.starts_at.getTime() - 14 * HOUR
      if (cancelledAt > createdAt.getTime() && cancelledAt < this.#now.getTime()) {
        this.giveUp(cls, creditLot, createdAt, new Date(cancelledAt), late)
        return 0
      }
    }
    const over = cls.ends_at.getTime() < this.#now.getTime() - 2 * HOUR
    const attend = over ? chance.happens(0.955) : null
    const guest =
      (creditLot.balance ?? 0) >= 2 && wanted >= 2 && this.freeSpots(cls) >= 2 && chance.happens(0.035) ? guestName(chance) : null
    const rates = attend && chance.happens(0.28)
    this.reserve(cls, creditLot, createdAt, {
      attend,
      ...(guest ? { guest } : {}),
      ...(rates ? { stars: [this.#stars(), this.#stars()], ...(chance.happens(0.2) ? { comment: comment(chance) } : {}) } : {}),
    })
    return guest ? 2 : 1
  }

  #mondayOf(date: LocalDate): LocalDate {
    const known = this.#mondays.get(date) ?? mondayOf(date)
    this.#mondays.set(date, known)
    return known
  }

  /** A lot of the customer that is valid for this class, or a new one bought just before; null when it would expire before the class. */
  #payer(patron: Patron, cls: PlannedClass, bookedAt: Date): PlannedCreditLot | null {
    const mine = this.#creditLotsByCustomer.get(patron.customer_id) ?? []
    const good = mine.find(
      (creditLot) =>
        (creditLot.balance === null || creditLot.balance > 0) &&
        creditLot.expires_at >= cls.starts_at &&
        (creditLot.types === null || creditLot.types.includes(cls.type)) &&
        creditLot.boughtAt.getTime() + 60_000 <
          Math.min(cls.starts_at.getTime() - (creditLot.subscription ? HOUR : 0), this.#now.getTime()) &&
        !creditLot.refundedAt,
    )
    if (good) return good
    if (patron.subscription?.periods.some(({ from, to }) => from <= bookedAt && bookedAt < to)) return null
    const boughtAt = new Date(Math.max(bookedAt.getTime() - this.#chance.between(0.05, 2) * HOUR, patron.since?.getTime() ?? 0))
    const key = patron.since && mine.length === 0 ? trialPackage(this.#brand) : patron.buys
    return this.#expiry(key, boughtAt) < cls.starts_at ? null : this.buy(patron.customer_id, key, boughtAt)
  }

  #expiry(key: string, boughtAt: Date): Date {
    const classPackage = this.#brand.packages[key]
    if (!classPackage) throw new Error(`${this.#brand.key} sells no ${key}.`)
    return expiryAfter(boughtAt, classPackage.types?.[0]?.expiration_days ?? classPackage.expiration_days, zoneOfBrand(this.#brand))
  }

  #stars(): number {
    return this.#chance.happens(0.7) ? 5 : this.#chance.happens(0.75) ? 4 : 3
  }

  #takeSpot(cls: PlannedClass): string | null {
    if (cls.spot_map === null) return null
    let free = this.#free.get(cls)
    if (!free) {
      const rows = cls.spot_map.split(',').map(Number)
      free = this.#chance.shuffled(rows.flatMap((size, row) => Array.from({ length: size }, (_, seat) => `${row + 1}-${seat + 1}`)))
      this.#free.set(cls, free)
    }
    return free.pop() ?? null
  }
}

/**
 * Keys of the packages that customers buy repeatedly: sold alone, for classes on site, valid for all types; fewest classes first, unlimited
 * last.
 */
export function everydayPackages(brand: Brand): string[] {
  const size = (key: string) => {
    const amount = brand.packages[key]?.class_amount ?? 0
    return amount === -1 ? Number.POSITIVE_INFINITY : amount
  }
  return Object.entries(brand.packages)
    .filter(
      ([, classPackage]) =>
        !(
          classPackage.is_subscription ||
          classPackage.is_trial ||
          classPackage.is_online ||
          classPackage.is_special_event ||
          classPackage.types
        ) &&
        classPackage.available !== false &&
        (classPackage.allowed_times ?? []).length === 0,
    )
    .map(([key]) => key)
    .sort((a, b) => size(a) - size(b))
}

function trialPackage(brand: Brand): string {
  const found = Object.entries(brand.packages).find(([, classPackage]) => classPackage.is_trial)
  if (!found) throw new Error(`${brand.key} has no trial.`)
  return found[0]
}

/** The habits of a customer. `since`: their first visit, if recent. */
export function habits(brand: Brand, customer_id: number, location: string, chance: Chance, since: Date | null): Patron {
  const packages = everydayPackages(brand)
  const perWeek = chance.one([1, 2, 2, 2, 3, 3, 4, 5])
  const types = [...new Set(brand.week.filter((slot) => slot.location === location).map((slot) => slot.type))]
  // Customers who come more often buy larger packages.
  const step = Math.min(packages.length - 1, Math.max(0, perWeek - 1 + (chance.happens(0.3) ? 1 : 0)))
  return {
    customer_id,
    location,
    perWeek,
    likes: chance.shuffled(types).slice(0, 2 + (perWeek > 2 ? 1 : 0)),
    buys: packages[step] ?? packages[0] ?? '',
    since,
  }
}
