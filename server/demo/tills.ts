/**
 * How the demo's sales at the counter were received: where, by whom and by which payment method, with the counted and approved till of every
 * day that is over.
 */
import { isNull, sql } from 'drizzle-orm'
import type { Centavos } from '#contract/money.ts'
import { type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { cashSession } from '#server/modules/sales/counter-tables.ts'
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

type Method = 'cash' | 'terminal' | 'transfer'
interface PaymentMethod {
  payment_method_id: number
  name: string
}

/** Who sells at which location, and the payment methods of the counter. */
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
}

/** The studio's counter: reception sells at the first location, management at the others. */
export async function readCounter(tx: Tx, locations: readonly number[], zone: string): Promise<Counter> {
  const people = await tx.select({ staff_id: staff.staff_id, role: staff.role }).from(staff).where(isNull(staff.disabledAt))
  const sellers = (['reception', 'manager', 'owner'] as const).flatMap((role) => people.find((one) => one.role === role)?.staff_id ?? [])
  const rows = await tx.select().from(paymentMethod).where(isNull(paymentMethod.deletedAt))
  const methodOf = (kind: Method): PaymentMethod => {
    const found = rows.find((one) => one.kind === kind) ?? rows.find((one) => one.kind === 'cash')
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

export class Tills {
  readonly #counter: Counter
  readonly #today: LocalDate
  readonly #tills = new Map<string, Till>()
  readonly #chance = new Chance(19_170_205)

  constructor(counter: Counter, now: Date) {
    this.#counter = counter
    this.#today = localDate(now, counter.zone)
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
    const keys = [...new Set(planned.filter((one) => one.inTill).map((one) => `${one.day} ${one.location_id}`))].sort()
    const ids = await newIds(tx, cashSession, 'cash_session_id', keys.length)
    return planned.map(({ location_id, total, at, kind, day, inTill }) => {
      const staff_id = sellers.get(location_id) ?? null
      const i = inTill ? keys.indexOf(`${day} ${location_id}`) : -1
      const cash_session_id = staff_id === null || i < 0 ? null : (ids[i] ?? null)
      if (staff_id !== null && cash_session_id !== null) {
        const till = this.#tills.get(`${cash_session_id}`) ?? { cash_session_id, location_id, staff_id, day, sales: [] }
        till.sales.push({ total, at, kind })
        this.#tills.set(`${cash_session_id}`, till)
      }
      return { gateway: kind === 'cash' ? 'efectivo' : 'mostrador', method: methods[kind], location_id, staff_id, cash_session_id }
    })
  }

  /** Writes the charges of the sales, day by day: a seller has one open till at a location, and a closed one takes no more. */
  async write<Row extends { cash_session_id: number | null }>(
    tx: Tx,
    rows: readonly Row[],
    insert: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    const days = [...new Set([...this.#tills.values()].map((till) => till.day))].sort()
    for (const day of days) {
      const tills = [...this.#tills.values()].filter((till) => till.day === day)
      const ids = new Set<number | null>(tills.map((till) => till.cash_session_id))
      const counts = tills.map((till) => this.#count(till))
      await insertMany(
        tx,
        cashSession,
        counts.map(({ cash_session_id, location_id, staff_id, openedAt }) => ({
          ...{ cash_session_id, location_id, staff_id, openedAt },
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

  /** The count of a till: sometimes a bill is missing or too many. */
  #count({ cash_session_id, location_id, staff_id, day, sales }: Till) {
    const { methods, zone } = this.#counter
    const dayStart = startOfDay(day, zone).getTime()
    const [openedAt, closedAt] = [new Date(dayStart + OPENS_AT), new Date(dayStart + CLOSES_AT)]
    const sumOf = (kind: Method) => sales.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.total, 0)
    const difference = this.#chance.happens(0.08) ? (this.#chance.happens(0.6) ? -5_000 : 2_000) : 0
    const cash = OPENING + sumOf('cash')
    const counted = [
      { payment_method_id: methods.cash.payment_method_id, expected: cash, counted: cash + difference },
      ...(['terminal', 'transfer'] as const).map((kind) => ({
        ...{ payment_method_id: methods[kind].payment_method_id, expected: sumOf(kind), counted: sumOf(kind) },
      })),
    ]
    const approved_by = [...this.#counter.sellers.values()].at(-1) ?? staff_id
    return {
      ...{ cash_session_id, location_id, staff_id, openedAt, closedAt, counted },
      cash_count: billsOf(cash + difference),
      note: difference === 0 ? null : difference < 0 ? 'Falta un billete de $50; ya revisé la caja dos veces.' : 'Sobran $20 de cambio.',
      ...{ approvedAt: closedAt, approved_by, approval_note: difference === 0 ? null : 'Visto con recepción.' },
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
