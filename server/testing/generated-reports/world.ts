/** A generated studio, its whole tables, and the reports of its owner. */
import { afterAll, beforeAll } from 'vitest'
import type { GroupKey, ReportKey } from '#contract/copy/reports.ts'
import type { Report, ReportInput } from '#contract/reports.ts'
import { refreshAllIncome } from '#server/modules/income/income.ts'
import { refreshAllRollups } from '#server/modules/rollups/rollups.ts'
import { generateStudio, type StudioKind } from '#server/testing/generated-studio.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

/**
 * The clocks of each studio, and those of its second location. In Tijuana they change on 1 November, within the periods, in the
 * others never.
 */
const ZONES: Readonly<Record<StudioKind, readonly [studio: string, elsewhere: string]>> = {
  ordinary: ['America/Cancun', 'America/Tijuana'],
  chaotic: ['America/Tijuana', 'America/Mexico_City'],
  empty: ['America/Mexico_City', 'America/Tijuana'],
}
/** How many days before its hour a class can be booked; the demand of the first one is counted from there. */
export const OPENS_DAYS: Readonly<Record<StudioKind, number | null>> = { ordinary: 3, chaotic: null, empty: 5 }
/** Periods of three lengths; the last one has not ended. */
export const PERIODS = [
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-09-07', to: '2026-11-08' },
  { from: '2026-11-02', to: '2026-11-19' },
] as const

// biome-ignore lint/suspicious/noExplicitAny: whole rows, as the database has them
export type Row = Record<string, any>
export interface Tables {
  customer: Row[]
  purchase: Row[]
  invoice: Row[]
  refund: Row[]
  dispute_movement: Row[]
  gift_card: Row[]
  cash_session: Row[]
  single_class: Row[]
  class_reservation: Row[]
  class_instructor: Row[]
  location: Row[]
  available_class: Row[]
  credit_movement: Row[]
  class_package: Row[]
  waitlist: Row[]
  class_refusal: Row[]
  message: Row[]
  playback: Row[]
  video_rating: Row[]
}
const TABLES = [
  ...(['customer', 'purchase', 'invoice', 'refund', 'dispute_movement', 'gift_card', 'cash_session', 'location'] as const),
  ...(['single_class', 'class_reservation', 'class_instructor', 'available_class', 'credit_movement', 'class_package'] as const),
  ...(['waitlist', 'class_refusal', 'message', 'playback', 'video_rating'] as const),
] as const

export const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)
export const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)
export const centavos = (pesos: number | null | undefined) => Math.round(100 * (pesos ?? 0))
export const percent = (part: number, whole: number) => (whole > 0 ? Math.round((1_000 * part) / whole) / 10 : null)

export interface Period {
  from: string
  to: string
}

/** Messages in every state, videos that were watched and rated, debts, and a rule that pays every class. */
async function addMarks(s: TestStudio): Promise<void> {
  const people = (await s.sql<{ id: number }>('select customer_id as id from customer where not is_anonymous order by 1')).map(
    ({ id }) => id,
  )
  const states = ['sent', 'delivered', 'read', 'failed', 'unknown', 'waiting', 'moot']
  for (const [n, customer_id] of people.entries())
    await s.sql(
      `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt")
       values ($1, $2, $3, $4, $5, '{}', $6, $6)`,
      [
        n % 2 ? 'penalty' : 'reservation_reminder',
        `generated:${n}`,
        customer_id,
        n % 3 ? 'mail' : 'whatsapp',
        states[n % states.length],
        new Date(s.clock.now().getTime() - n * 1.7 * 86_400_000),
      ],
    )
  const videos = [await s.make.video(), await s.make.video()].map(({ video_id }) => video_id)
  for (const [n, customer_id] of people.entries()) {
    const started = new Date(s.clock.now().getTime() - n * 1.9 * 86_400_000)
    await s.sql(
      `insert into playback (customer_id, video_id, "startedAt", "lastAt", "completedAt", "createdAt") values ($1, $2, $3, $3, $4, $3)`,
      [customer_id, videos[n % 2], started, n % 3 ? new Date(started.getTime() + 3_600_000) : null],
    )
  }
  for (const [n, customer_id] of people.entries())
    if (n % 4 === 0)
      await s.sql(`insert into video_rating (customer_id, video_id, stars, "createdAt", "updatedAt") values ($1, $2, $3, $4, $4)`, [
        customer_id,
        videos[n % 2],
        1 + (n % 5),
        new Date(s.clock.now().getTime() - n * 2.3 * 86_400_000),
      ])
  await s.sql(`update purchase set past_due_since = $1 where is_subscription and status = 'active' and purchase_id % 3 = 0`, [
    new Date(s.clock.now().getTime() - 3 * 86_400_000),
  ])
  // Some of those that were cancelled ended because a renewal was not paid.
  await s.sql(
    `update purchase set past_due_since = "cancelledAt" - interval '5 days', cancel_reason = null where is_subscription and status = 'cancelled' and purchase_id % 2 = 0`,
  )
  // Places to be paid at the studio, of classes before and after now.
  await s.sql(
    `insert into class_reservation (single_class_id, customer_id, is_cash, is_paid, price_centavos, "createdAt", "updatedAt")
     select c.single_class_id, u.customer_id, true, false, 15000 + 100 * c.single_class_id, $1, $1
     from single_class c cross join lateral (select u.customer_id from customer u where not u.is_anonymous and not exists (
         select from class_reservation r where r.single_class_id = c.single_class_id and r.customer_id = u.customer_id) order by u.customer_id limit 1) u
     where c.starts_at > $1::timestamptz - interval '40 days' and c."cancelledAt" is null and c.taken < c.capacity and c.single_class_id % 4 = 0`,
    [s.clock.now()],
  )
  // Who found a class full: with a place in it by now, in its line, or neither.
  await s.sql(
    `insert into class_refusal (single_class_id, customer_id, "createdAt")
     select c.single_class_id, u.customer_id, c.starts_at - interval '1 day' from single_class c join customer u on (c.single_class_id * 7 + u.customer_id) % 9 = 0
     where not u.is_anonymous and c.capacity > 0 and c.single_class_id % 3 = 0`,
  )
  // And of every class in which anybody has a place, one of them.
  await s.sql(
    `insert into class_refusal (single_class_id, customer_id, "createdAt")
     select r.single_class_id, min(r.customer_id), min(c.starts_at) - interval '1 day' from class_reservation r join single_class c using (single_class_id)
     join customer u using (customer_id) where not u.is_anonymous and c.capacity > 0 and r."deletedAt" is null group by 1 on conflict do nothing`,
  )
  // Who stood in line and stayed outside, in every stretch of time.
  await s.sql(
    `insert into waitlist (single_class_id, customer_id, status, "createdAt", "updatedAt")
     select c.single_class_id, u.customer_id, 'closed', c."createdAt", c."createdAt" from single_class c cross join lateral (
       select u.customer_id from customer u where not u.is_anonymous
         and not exists (select from class_reservation r where r.single_class_id = c.single_class_id and r.customer_id = u.customer_id)
         and not exists (select from waitlist w where w.single_class_id = c.single_class_id and w.customer_id = u.customer_id)
       order by u.customer_id limit 1) u
     where c.capacity > 0 and c.single_class_id % 5 = 1`,
  )
  const terms = {
    base: 30_000,
    per_person: 1_000,
    per_person_from: 1,
    steps: [],
    full_bonus: 0,
    percent: 0,
    minimum: 0,
    private: null,
    substitute: 'own',
    late_cancel_hours: 0,
    late_cancel_percent: 0,
  }
  await s.sql(`insert into pay_rule (from_day, terms) values ('2020-01-01', $1)`, [terms])
}

export class GeneratedStudio {
  readonly kind: StudioKind
  readonly zone: string
  s!: TestStudio
  owner!: Person
  /** The rows of the tables. */
  t!: Tables
  /** "reporte cifra" of the figures that a test compared. */
  readonly compared = new Set<string>()
  /** A location, for reports of one location. */
  there!: number

  constructor(kind: StudioKind) {
    this.kind = kind
    this.zone = ZONES[kind][0]
    beforeAll(() => this.#open())
    afterAll(() => this.s.close())
  }

  async #open() {
    const opensDays = OPENS_DAYS[this.kind]
    this.s = await studio({ settings: { timezone: this.zone, ...(opensDays === null ? {} : { reservation_opens_days: opensDays }) } })
    this.s.clock.set(START)
    this.owner = await this.s.make.staff('owner')
    this.there = (await generateStudio(this.s, this.kind, this.kind === 'chaotic' ? 7 : 3, ZONES[this.kind][1])).locations[1]
    if (this.kind !== 'empty') await addMarks(this.s)
    // From rollups alone, from some of them, and without any.
    if (this.kind !== 'empty') await refreshAllRollups(this.s.system())
    if (this.kind !== 'empty') await refreshAllIncome(this.s.system())
    if (this.kind === 'chaotic') {
      await this.s.sql('insert into rollup_change (customer_id) select customer_id from customer where customer_id % 2 = 0')
      await this.s.sql('insert into rollup_change (single_class_id) select single_class_id from single_class where single_class_id % 2 = 0')
      await this.s.sql('delete from visit_first where customer_id % 2 = 0')
      await this.s.sql('delete from visit_month where customer_id % 2 = 0')
      await this.s.sql('delete from class_rollup where single_class_id % 2 = 0')
      await this.s.sql('insert into income_change (purchase_id) select purchase_id from purchase where purchase_id % 2 = 0')
    }
    const read = async (name: string) => (await this.s.sql<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)).map(({ row }) => row)
    this.t = Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await read(name)]))) as unknown as Tables
  }

  readonly report = (key: ReportKey, period: Period, more: Partial<ReportInput> = {}): Promise<Report> =>
    this.s.as(this.owner).reports.read({ key, ...period, ...more })
  readonly figure = (of: Report, key: string) => {
    this.compared.add(`${of.key} ${key}`)
    return of.figures.find((figure) => figure.key === key)?.value ?? null
  }
  readonly column = (of: Report, key: string) => sum(of.rows.map(({ cells }) => Number(cells[key] ?? 0)))
  /** Whether an instant is on one of the days, and not after now. */
  readonly isIn = (period: Period, at: string | null | undefined): boolean =>
    at != null && new Date(at) < this.s.clock.now() && this.dayOf(at) >= period.from && this.dayOf(at) <= period.to
  readonly dayOf = (at: string) => dayIn(this.zone, new Date(at))
  readonly isHere = (location_id: number | undefined, row: Row) => location_id === undefined || row.location_id === location_id
  readonly groupsOf = async (key: ReportKey): Promise<GroupKey[]> => (await this.report(key, PERIODS[0])).groups.map((group) => group.key)
  readonly startOf = (from: string) => {
    // The first instant whose day it is, searched hour by hour.
    let at = Date.parse(`${from}T00:00:00Z`) - 15 * 3_600_000
    while (dayIn(this.zone, new Date(at)) < from) at += 3_600_000
    return new Date(at)
  }
  readonly endOf = (period: Period) => {
    const next = new Date(Date.parse(`${period.to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
    const end = this.startOf(next)
    return end > this.s.clock.now() && this.startOf(period.from) < this.s.clock.now() ? this.s.clock.now() : end
  }
}
