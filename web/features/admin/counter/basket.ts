/** A sale at the counter before it is sent: its lines, its payments, and what they come to. */
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { type Centavos, parsePesos, pesos } from '#contract/money.ts'
import type { SingleClass } from '#contract/schedule.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { seatsOf } from '#web/ui/spot-geometry.ts'

/** Another price than the list's: a code, or by hand with its reason. */
export interface Reduction {
  by: 'code' | 'percent' | 'amount' | 'price'
  value: string
  reason: string
}

export interface BasketItem {
  key: string
  kind: 'package' | 'class' | 'other'
  title: string
  detail: string
  /** Pesos of one by the list; null where only the server knows it. */
  list: string | null
  quantity: number
  class_package_id?: number
  single_class_id?: number
  /** Free seats of the class, in the order of its rows; none without a map. */
  spots?: readonly string[]
  spot?: string
  starts_on: string
  reduction: Reduction | null
}

export interface BasketPayment {
  key: string
  payment_method_id: number
  name: string
  kind: PaymentMethodKind
  amount: string
  received: string
  reference: string
  last_digits: string
  authorisation: string
}

/** Pesos as they are typed: "1,500" and "$20.5" too. */
export const typedPesos = (text: string): Centavos | null => parsePesos(text.replace(/[$,\s]/g, ''))

/** What a package costs now. */
export const packagePrice = (one: Pick<StudioPackage, 'price' | 'sale_price'>): string => one.sale_price || one.price

export function packageItem(one: StudioPackage, detail: string): BasketItem {
  const { class_package_id, title } = one
  return {
    ...{ key: `package-${class_package_id}`, kind: 'package', title, detail, list: packagePrice(one), quantity: 1 },
    ...{ class_package_id, starts_on: '', reduction: null },
  }
}

/** The seats of a class that nobody has, in the order of its rows. */
export function freeSpots(cls: Pick<SingleClass, 'spot_map' | 'closed_spots' | 'class_reservations'>): string[] {
  if (!cls.spot_map) return []
  const taken = new Set([...cls.closed_spots, ...cls.class_reservations.flatMap(({ spot }) => spot ?? [])])
  return seatsOf(cls.spot_map.split(',').map(Number)).flatMap((row) => row.map(({ spot }) => spot).filter((spot) => !taken.has(spot)))
}

export function classItem(cls: SingleClass, detail: string): BasketItem {
  const spots = freeSpots(cls)
  return {
    ...{ key: `class-${cls.single_class_id}`, kind: 'class', title: cls.class_type.name, detail, list: cls.price, quantity: 1 },
    ...{ single_class_id: cls.single_class_id, spots, ...(spots[0] ? { spot: spots[0] } : {}), starts_on: '', reduction: null },
  }
}

/** Adds a line; what is there already becomes one more of it, except a place in a class. */
export function withItem(lines: readonly BasketItem[], line: BasketItem): BasketItem[] {
  const known = lines.find(({ key }) => key === line.key)
  if (!known) return [...lines, line]
  if (line.kind === 'class') return [...lines]
  return lines.map((one) => (one.key === line.key ? { ...one, quantity: Math.min(50, one.quantity + 1) } : one))
}

/** What is wrong with another price than the list's; null when nothing is. */
export function reductionProblem({ by, value, reason }: Reduction): string | null {
  if (by === 'code') return value.trim() ? null : 'Escribe el código.'
  if (by === 'percent') {
    const percent = Number(value)
    if (!(percent > 0 && percent <= 100)) return 'Escribe un porcentaje entre 1 y 100.'
  } else if (typedPesos(value) === null || (by === 'amount' && typedPesos(value) === 0)) return 'Escribe una cantidad.'
  return reason.trim().length < 3 ? 'Escribe el motivo.' : null
}

/** What the lines come to by the list, in centavos; null where a price is not known. */
export function listTotal(lines: readonly BasketItem[]): Centavos | null {
  let total = 0
  for (const { list, quantity } of lines) {
    const price = list === null ? null : parsePesos(list)
    if (price === null) return null
    total += price * quantity
  }
  return total
}

/** Lines as POST /admin/sales takes them. A reduction that is not complete stays out. `over_limit`: why a limit per customer is passed. */
export function itemsSent(lines: readonly BasketItem[], over_limit: string | null) {
  return lines.map(({ kind, title, list, quantity, class_package_id, single_class_id, spot, starts_on, reduction }) => {
    const good = reduction && reductionProblem(reduction) === null ? reduction : null
    const reason = good?.reason.trim() ?? ''
    const amount = pesos(typedPesos(good?.value ?? '') ?? 0)
    return {
      ...{ kind, quantity },
      ...(kind === 'package'
        ? { class_package_id, ...(starts_on ? { starts_on } : {}), ...(over_limit ? { over_limit: { reason: over_limit } } : {}) }
        : {}),
      ...(kind === 'class' ? { single_class_id, ...(spot ? { spot } : {}) } : {}),
      ...(kind === 'other' ? { title, amount: list ?? '0' } : {}),
      ...(good?.by === 'code' ? { discountCode: good.value.trim() } : {}),
      ...(good?.by === 'percent' ? { discount: { percent: Number(good.value), reason } } : {}),
      ...(good?.by === 'amount' ? { discount: { amount, reason } } : {}),
      ...(good?.by === 'price' ? { price: { amount, reason } } : {}),
    }
  })
}

/** What payments leave open of a total, in centavos: negative when they are too much; null while one is no amount. */
export function stillOpen(total: Centavos, payments: readonly BasketPayment[]): Centavos | null {
  let open = total
  for (const { amount } of payments) {
    const paid = typedPesos(amount)
    if (paid === null) return null
    open -= paid
  }
  return open
}

/** What goes back to a customer who hands over more cash than is due, in centavos; null where it is too little. */
export function changeOf({ amount, received }: Pick<BasketPayment, 'amount' | 'received'>): Centavos | null {
  const [due, given] = [typedPesos(amount), typedPesos(received)]
  if (due === null) return null
  if (received.trim() === '') return 0
  return given === null || given < due ? null : given - due
}

const BILLS = [50_00, 100_00, 200_00, 500_00, 1_000_00]

/** What somebody would hand over for an amount: the next full bills above it, at most two. */
export function likelyCash(amount: Centavos): Centavos[] {
  const above = BILLS.map((bill) => Math.ceil(amount / bill) * bill).filter((sum) => sum > amount)
  return [...new Set(above)].sort((a, b) => a - b).slice(0, 2)
}

/** Payments as POST /admin/sales takes them. */
export function paymentsSent(payments: readonly BasketPayment[]) {
  return payments.flatMap(({ payment_method_id, kind, amount, received, reference, last_digits, authorisation }) => {
    const paid = typedPesos(amount) ?? 0
    if (paid === 0) return []
    const given = typedPesos(received)
    return [
      {
        ...{ payment_method_id, amount: pesos(paid) },
        ...(kind === 'cash' && given !== null && received.trim() ? { received: pesos(given) } : {}),
        ...(reference.trim() ? { reference: reference.trim() } : {}),
        ...(kind === 'terminal' && last_digits ? { last_digits } : {}),
        ...(kind === 'terminal' && authorisation.trim() ? { authorisation: authorisation.trim() } : {}),
      },
    ]
  })
}
