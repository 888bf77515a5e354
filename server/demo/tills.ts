/**
 * How the demo's sales at the counter were received: with location, staff member and payment method, with the counted and approved till of
 * every day that is over.
 */
import { isNull, sql } from 'drizzle-orm'
import type { Centavos } from '#contract/money.ts'
import { type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { cashMovement, cashSession } from '#server/modules/sales/counter-tables.ts'
import type { Tx } from '#server/platform/db.ts'
import { insertMany, newIds } from './bulk.ts'
import { Chance } from './chance.ts'

const HOUR = 3_600_000
/** When the tills are open, from midnight; ms. */
const OPENS_AT = 6.5 * HOUR
const CLOSES_AT = 21.5 * HOUR
/** Cash in the drawer every morning. */
const OPENING: Centavos = 100_000
/** Bills and coins, in centavos. */
const DENOMINATIONS = [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50]
/** Of twenty sales, how many are paid in cash and by terminal; the others by transfer. */
const CASH_OF_20 = 7
const TERMINAL_OF_20 = 10

export type Method = 'cash' | 'terminal' | 'transfer'
interface PaymentMethod {
  payment_method_id: number
  name: string
}

/** The sellers by location, and the payment methods of the counter. */
export interface Counter {
  sellers: ReadonlyMap<number, number>
  methods: Record<Method, PaymentMethod>
  zone: string
}

/** A sale as the plan has it. */
export interface SaleToReceive {
  location_id: number
  total: Centavos
  at: Date
}

/** How the money of a sale was received. */
export interface Receipt {
  kind: Method
  gateway: 'efectivo' | 'mostrador'
  method: PaymentMethod
  location_id: number
  staff_id: number | null
  cash_session_id: number | null
}

/** A till of one day: of one seller at one location. */
interface Till {
  cash_session_id: number
  location_id: number
  staff_id: number
  day: LocalDate
  sales: { total: Centavos; at: Date; kind: Method }[]
  /** Refunds by payment method, and cash that was put in or taken out. */
  refunds: { total: Centavos; kind: Method }[]
  movements: { kind: 'in' | 'out'; amount: Centavos; reason: string; at: Date }[]
}

/** Cash put into or taken out of a till besides its sales: how many of a hundred tills have it. */
const MOVEMENTS = [
  { share: 6, kind: 'out', amount: 18_000, reason: 'Garrafones de agua' },
  { share: 3, kind: 'out', amount: 35_000, reason: 'Flores de la recepción' },
  { share: 3, kind: 'out', amount: 12_000, reason: 'Artículos de limpieza' },
  { share: 4, kind: 'in', amount: 50_000, reason: 'Cambio del banco' },
] as const

/** The studio's counter: reception sells at the first location, management at the others. */
export async function readCounter(tx: Tx, locations: readonly number[], zone: string): Promise<Counter> {
  const people = await tx.select({ staff_id: staff.staff_id, role: staff.role }).from(staff).where(isNull(staff.disabledAt))
  const sellers = (['reception', 'manager', 'owner'] as const).flatMap(
    (role) => people.find((person) => person.role === role)?.staff_id ?? [],
  )
  const rows = await tx.select().from(paymentMethod).where(isNull(paymentMethod.deletedAt))
  const methodOf = (kind: Method): PaymentMethod => {
    const found = rows.find((method) => method.kind === kind) ?? rows.find((method) => method.kind === 'cash')
    if (!found) throw new Error('The studio has no way to pay in cash.')
    return found
  }
  return {
    sellers: new Map(locations.flatMap((id, i) => (sellers.length > 0 ? [[id, sellers[i % sellers.length] ?? 0] as const] : []))),
    methods: { cash: methodOf('cash'), terminal: methodOf('terminal'), transfer: methodOf('transfer') },
    zone,
  }
}

/** The payment method of a sale: the same for the same sale in every run. */
function kindOf(chance: Chance): Method {
  const drawn = chance.between(0, 20)
  return drawn < CASH_OF_20 ? 'cash' : drawn < CASH_OF_20 + TERMINAL_OF_20 ? 'terminal' : 'transfer'
}

/** Whether the counter is open at an instant. */
export function isCounterOpen(at: Date, zone: string): boolean {
  const time = at.getTime() - startOfDay(localDate(at, zone), zone).getTime()
  return time > OPENS_AT && time < CLOSES_AT
}

export class Tills {
  readonly #counter: Counter
  readonly #today: LocalDate
  readonly #tills = new Map<string, Till>()
  readonly #chance = new Chance(19_170_205)
  readonly #withHistory: boolean

  /**
   * `withHistory`: the tills also have refunds and cash movements, and are written all at once while the guards of closed tills are off.
   */
  constructor(counter: Counter, now: Date, withHistory = false) {
    this.#counter = counter
    this.#today = localDate(now, counter.zone)
    this.#withHistory = withHistory
  }

  /**
   * Decides how sales are received. At night they are transfers, in no till. Nor are those of today: the demo's people open their till when
   * they try it.
   */
  async receive(tx: Tx, sales: readonly SaleToReceive[]): Promise<Receipt[]> {
    const { sellers, methods, zone } = this.#counter
    const planned = sales.map((sale) => {
      const kind = kindOf(this.#chance)
      const day = localDate(sale.at, zone)
      const time = sale.at.getTime() - startOfDay(day, zone).getTime()
      const isOpen = time > OPENS_AT && time < CLOSES_AT
      return { ...sale, day, kind: isOpen ? kind : ('transfer' as const), inTill: isOpen && day < this.#today }
    })
    const keys = [
      ...new Set(planned.filter((location) => location.inTill).map((location) => `${location.day} ${location.location_id}`)),
    ].sort()
    const missing = keys.filter((key) => !this.#tills.has(key))
    const ids = await newIds(tx, cashSession, 'cash_session_id', missing.length)
    const idOf = new Map(missing.map((key, i) => [key, ids[i] ?? 0]))
    return planned.map(({ location_id, total, at, kind, day, inTill }) => {
      const staff_id = sellers.get(location_id) ?? null
      const key = `${day} ${location_id}`
      const cash_session_id = inTill && staff_id !== null ? (this.#tills.get(key)?.cash_session_id ?? idOf.get(key) ?? null) : null
      if (staff_id !== null && cash_session_id !== null) {
        const till = this.#tills.get(key) ?? { cash_session_id, location_id, staff_id, day, sales: [], refunds: [], movements: [] }
        till.sales.push({ total, at, kind })
        this.#tills.set(key, till)
      }
      return { kind, gateway: kind === 'cash' ? 'efectivo' : 'mostrador', method: methods[kind], location_id, staff_id, cash_session_id }
    })
  }

  /** The seller at a location. */
  sellerAt(location_id: number): number {
    const staff_id = this.#counter.sellers.get(location_id)
    if (staff_id === undefined) throw new Error('Nobody sells at this location.')
    return staff_id
  }

  get methods(): Counter['methods'] {
    return this.#counter.methods
  }

  /** Takes a refund from the till of its day at a location: within its hours. Null: that day has no till, or not so much cash. */
  giveBack(location_id: number, { total, kind, at }: { total: Centavos; kind: Method; at: Date }): { till: number; at: Date } | null {
    const till = this.#tills.get(`${localDate(at, this.#counter.zone)} ${location_id}`)
    const cash = till?.sales.filter((sale) => sale.kind === 'cash').reduce((sum, sale) => sum + sale.total, 0) ?? 0
    if (!till || (kind === 'cash' && cash < total)) return null
    till.refunds.push({ total, kind })
    const start = startOfDay(till.day, this.#counter.zone).getTime()
    return { till: till.cash_session_id, at: new Date(Math.min(start + CLOSES_AT - HOUR, Math.max(start + OPENS_AT + HOUR, at.getTime()))) }
  }

  /** Writes the charges of the sales, day by day: a seller has one open till at a location, and a closed one takes no more. */
  async write<Row extends { cash_session_id: number | null }>(
    tx: Tx,
    rows: readonly Row[],
    insert: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    if (this.#withHistory) {
      await this.#writeClosed(tx)
      await insert(rows)
      return
    }
    const days = [...new Set([...this.#tills.values()].map((till) => till.day))].sort()
    for (const day of days) {
      const tills = [...this.#tills.values()].filter((till) => till.day === day)
      const ids = new Set<number | null>(tills.map((till) => till.cash_session_id))
      const counts = tills.map((till) => this.#count(till))
      await insertMany(
        tx,
        cashSession,
        counts.map(({ cash_session_id, location_id, staff_id, openedAt }) => ({
          cash_session_id,
          location_id,
          staff_id,
          openedAt,
          opening_centavos: OPENING,
        })),
      )
      await insert(rows.filter((row) => ids.has(row.cash_session_id)))
      await tx.execute(sql`
        update cash_session s set "closedAt" = c."closedAt", closed_by = s.staff_id, cash_count = c.cash_count, counted = c.counted,
          left_centavos = ${OPENING}, note = c.note, "approvedAt" = c."approvedAt", approved_by = c.approved_by, approval_note = c.approval_note
        from jsonb_populate_recordset(null::cash_session, ${JSON.stringify(counts)}::jsonb) c
        where s.cash_session_id = c.cash_session_id`)
    }
    await insert(rows.filter((row) => row.cash_session_id === null))
  }

  /** Writes all tills as they were closed, with their cash movements. */
  async #writeClosed(tx: Tx): Promise<void> {
    const tills = [...this.#tills.values()].sort((a, b) => a.cash_session_id - b.cash_session_id)
    for (const till of tills) {
      const start = startOfDay(till.day, this.#counter.zone).getTime()
      const cash = till.sales.filter(({ kind }) => kind === 'cash').reduce((sum, { total }) => sum + total, 0)
      for (const { share, ...movement } of MOVEMENTS)
        if (this.#chance.happens(share / 100) && (movement.kind === 'in' || cash > movement.amount))
          till.movements.push({ ...movement, at: new Date(start + this.#chance.between(9, 20) * HOUR) })
    }
    await insertMany(
      tx,
      cashSession,
      tills.map((till) => ({ ...this.#count(till), closed_by: till.staff_id, opening_centavos: OPENING, left_centavos: OPENING })),
    )
    await insertMany(
      tx,
      cashMovement,
      tills.flatMap(({ cash_session_id, staff_id, movements }) =>
        movements.map(({ kind, amount, reason, at }) => ({
          cash_session_id,
          kind,
          amount_centavos: amount,
          reason,
          staff_id,
          createdAt: at,
        })),
      ),
    )
  }

  /** The count of a till: sometimes a bill is missing or too many. */
  #count({ cash_session_id, location_id, staff_id, day, sales, refunds, movements }: Till) {
    const { methods, zone } = this.#counter
    const dayStart = startOfDay(day, zone).getTime()
    const [openedAt, closedAt] = [new Date(dayStart + OPENS_AT), new Date(dayStart + CLOSES_AT)]
    const add = (all: readonly { total: Centavos; kind: Method }[], kind: Method) =>
      all.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.total, 0)
    const sumOf = (kind: Method) => add(sales, kind) - add(refunds, kind)
    const moved = movements.reduce((sum, { kind, amount }) => sum + (kind === 'in' ? amount : -amount), 0)
    const discrepancy = this.#chance.happens(0.08) ? (this.#chance.happens(0.6) ? -5_000 : 2_000) : 0
    const cash = OPENING + sumOf('cash') + moved
    const counted = [
      { payment_method_id: methods.cash.payment_method_id, expected: cash, counted: cash + discrepancy },
      ...(['terminal', 'transfer'] as const).map((kind) => ({
        payment_method_id: methods[kind].payment_method_id,
        expected: sumOf(kind),
        counted: sumOf(kind),
      })),
    ]
    const approved_by = [...this.#counter.sellers.values()].at(-1) ?? staff_id
    return {
      cash_session_id,
      location_id,
      staff_id,
      openedAt,
      closedAt,
      counted,
      cash_count: billsOf(cash + discrepancy),
      note: discrepancy === 0 ? null : discrepancy < 0 ? 'Falta un billete de $50; ya revisé la caja dos veces.' : 'Sobran $20 de cambio.',
      approvedAt: closedAt,
      approved_by,
      approval_note: discrepancy === 0 ? null : 'Visto con recepción.',
    }
  }
}

/** Bills and coins that make up an amount, by their value in pesos: {"500": 3, "0.50": 1}. */
function billsOf(amount: Centavos): Record<string, number> {
  const count: Record<string, number> = {}
  let rest = amount
  for (const value of DENOMINATIONS) {
    const pieces = Math.floor(rest / value)
    if (pieces > 0) count[value >= 100 ? String(value / 100) : (value / 100).toFixed(2)] = pieces
    rest -= pieces * value
  }
  return count
}
