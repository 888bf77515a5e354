/** The basket of a counter sale before it is sent: items, payments and their sums. */
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { type Centavos, parsePesos, pesos } from '#contract/money.ts'
import type { Product } from '#contract/products.ts'
import type { SingleClass } from '#contract/schedule.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { formatInstant } from '#contract/time.ts'
import { freeSpots } from '#web/features/admin/roster/free-spots.ts'

/** A price other than the list price: by a code, or by hand with a reason. */
export interface Reduction {
  by: 'code' | 'percent' | 'amount' | 'price'
  value: string
  reason: string
}

export interface BasketItem {
  key: string
  kind: 'package' | 'class' | 'product' | 'gift_card' | 'other'
  title: string
  detail: string
  /** List price of one in pesos; null if only the server knows it. */
  list: string | null
  quantity: number
  class_package_id?: number
  single_class_id?: number
  product_id?: number
  /** Free seats of the class, row by row; empty without a map. */
  spots?: readonly string[]
  spot?: string
  starts_on: string
  /** Typed days of validity; empty: the package's own. */
  package_days?: string
  /** Whether it is a subscription. */
  renews?: boolean
  /** Whether a package gives credits. */
  givesCredits?: boolean
  /** The recipient of a gift package; `choosing` until one was chosen. */
  gift?: GiftTo | 'choosing' | undefined
  /** Whether a credit pays for a class. */
  withCredit?: boolean
  reduction: Reduction | null
}

export interface GiftTo {
  customer_id: number
  name: string
  last_name: string
}

export interface BasketPayment {
  key: string
  payment_method_id: number
  name: string
  kind: PaymentMethodKind | 'gift_card'
  amount: string
  received: string
  reference: string
  card_brand: string
  last_digits: string
  authorisation: string
  /** The typed code of the gift card that pays. */
  code?: string
  /** The uploaded photo of a transfer's proof. */
  proof?: { file_id: number; name: string; thumbnail: string | null }
}

/** Parses typed pesos, also "1,500" and "$20.5"; null if it is no amount. */
export const typedPesos = (text: string): Centavos | null => parsePesos(text.replace(/[$,\s]/g, ''))

/** The current price of a package. */
export const packagePrice = (classPackage: Pick<StudioPackage, 'price' | 'sale_price'>): string =>
  classPackage.sale_price || classPackage.price

/** A basket item for a package. `detail`: the text below its title. */
export function packageItem(classPackage: StudioPackage, detail: string): BasketItem {
  const { class_package_id, title } = classPackage
  return {
    key: `package-${class_package_id}`,
    kind: 'package',
    title,
    detail,
    list: packagePrice(classPackage),
    quantity: 1,
    class_package_id,
    starts_on: '',
    renews: classPackage.is_subscription,
    givesCredits: classPackage.class_amount !== 0,
    reduction: null,
  }
}

/** A basket item for a product. */
export function productItem({ product_id, name, price }: Product): BasketItem {
  return {
    key: `product-${product_id}`,
    kind: 'product',
    title: name,
    detail: 'Producto',
    list: price,
    quantity: 1,
    product_id,
    starts_on: '',
    reduction: null,
  }
}

/** Pieces of a product at a location; null where they are not counted. */
export const piecesAt = ({ stock }: Pick<Product, 'stock'>, location_id: number | null): number | null =>
  stock.find((location) => location.location_id === location_id)?.quantity ?? null

/** Whether the basket can be sold without a customer. */
export const needsNoCustomer = (lines: readonly BasketItem[]): boolean => lines.every(({ kind }) => kind !== 'package' && kind !== 'class')

/** A basket item for a class, with its first free seat if the room has a map. */
export function classItem(cls: SingleClass, detail: string): BasketItem {
  const spots = freeSpots(cls, cls.class_reservations)
  return {
    key: `class-${cls.single_class_id}`,
    kind: 'class',
    title: cls.class_type.name,
    detail,
    list: cls.price,
    quantity: 1,
    single_class_id: cls.single_class_id,
    spots,
    ...(spots[0] ? { spot: spots[0] } : {}),
    starts_on: '',
    reduction: null,
  }
}

/** Adds an item; an existing one gets one more, except a class. A class beside a package that gives credits is paid with one of them. */
export function withItem(lines: readonly BasketItem[], line: BasketItem): BasketItem[] {
  const known = lines.find(({ key }) => key === line.key)
  if (!known) {
    const next = [...lines, line]
    const hasCredits = next.some(({ givesCredits, gift }) => givesCredits && !gift)
    const isFirst = !lines.some(({ kind }) => kind === line.kind)
    return hasCredits && isFirst
      ? next.map((item) => (item.kind === 'class' ? { ...item, withCredit: true, reduction: null } : item))
      : next
  }
  if (line.kind === 'class') return [...lines]
  return lines.map((item) => (item.key === line.key ? { ...item, quantity: Math.min(50, item.quantity + 1) } : item))
}

/** Removes an item. Places that a credit was to pay get their price again when nothing else is left that is sold. */
export function withoutItem(lines: readonly BasketItem[], key: string): BasketItem[] {
  const left = lines.filter((item) => item.key !== key)
  return left.every(({ withCredit }) => withCredit) ? left.map((item) => ({ ...item, withCredit: false })) : left
}

/** What is missing in a reduction, in Spanish; null if it is complete. */
export function reductionProblem({ by, value, reason }: Reduction): string | null {
  if (by === 'code') return value.trim() ? null : 'Escribe el código.'
  if (by === 'percent') {
    const percent = Number(value)
    if (!(percent > 0 && percent <= 100)) return 'Escribe un porcentaje entre 1 y 100.'
  } else if (typedPesos(value) === null || (by === 'amount' && typedPesos(value) === 0)) return 'Escribe una cantidad.'
  return reason.trim().length < 3 ? 'Escribe el motivo.' : null
}

/** The sum of the list prices in centavos; null if a price is unknown. */
export function listTotal(lines: readonly BasketItem[]): Centavos | null {
  let total = 0
  for (const { list, quantity, withCredit } of lines) {
    if (withCredit) continue
    const price = list === null ? null : parsePesos(list)
    if (price === null) return null
    total += price * quantity
  }
  return total
}

/**
 * Items in the format of POST /admin/sales. An incomplete reduction is left out. `over_limit`: the reason for exceeding a limit
 * per customer.
 */
export function itemsSent(lines: readonly BasketItem[], over_limit: string | null) {
  return lines.map((line) => {
    const { kind, title, list, quantity, class_package_id, single_class_id, product_id, spot, starts_on, reduction } = line
    const days = Number(line.package_days)
    const good = reduction && reductionProblem(reduction) === null ? reduction : null
    const reason = good?.reason.trim() ?? ''
    const amount = pesos(typedPesos(good?.value ?? '') ?? 0)
    return {
      kind,
      quantity,
      ...(kind === 'package'
        ? {
            class_package_id,
            ...(starts_on ? { starts_on } : {}),
            ...(days > 0 ? { package_days: days } : {}),
            ...(over_limit ? { over_limit: { reason: over_limit } } : {}),
            ...(line.gift && line.gift !== 'choosing' ? { gift_to: line.gift.customer_id } : {}),
          }
        : {}),
      ...(kind === 'class' ? { single_class_id, ...(spot ? { spot } : {}), ...(line.withCredit ? { with_credit: true } : {}) } : {}),
      ...(kind === 'product' ? { product_id } : {}),
      ...(kind === 'other' ? { title, amount: list ?? '0' } : {}),
      ...(kind === 'gift_card' ? { amount: list ?? '0' } : {}),
      ...(good?.by === 'code' ? { discountCode: good.value.trim() } : {}),
      ...(good?.by === 'percent' ? { discount: { percent: Number(good.value), reason } } : {}),
      ...(good?.by === 'amount' ? { discount: { amount, reason } } : {}),
      ...(good?.by === 'price' ? { price: { amount, reason } } : {}),
    }
  })
}

/** What the payments leave open of a total, in centavos; negative if they exceed it; null if an amount is invalid. */
export function stillOpen(total: Centavos, payments: readonly BasketPayment[]): Centavos | null {
  let open = total
  for (const { amount } of payments) {
    const paid = typedPesos(amount)
    if (paid === null) return null
    open -= paid
  }
  return open
}

/** The change for cash in centavos; null if too little was received. */
export function cashChange({ amount, received }: Pick<BasketPayment, 'amount' | 'received'>): Centavos | null {
  const [due, receivedAmount] = [typedPesos(amount), typedPesos(received)]
  if (due === null) return null
  if (received.trim() === '') return 0
  return receivedAmount === null || receivedAmount < due ? null : receivedAmount - due
}

const BILLS = [50_00, 100_00, 200_00, 500_00, 1_000_00]

/** Likely amounts of cash for a price: the next full bills above it, at most two. */
export function likelyCash(amount: Centavos): Centavos[] {
  const above = BILLS.map((bill) => Math.ceil(amount / bill) * bill).filter((sum) => sum > amount)
  return [...new Set(above)].sort((a, b) => a - b).slice(0, 2)
}

/** Payments in the format of POST /admin/sales. */
export function paymentsSent(payments: readonly BasketPayment[]) {
  return payments.flatMap(
    ({ payment_method_id, kind, amount, received, reference, card_brand, last_digits, authorisation, code, proof }) => {
      const paid = typedPesos(amount) ?? 0
      if (paid === 0) return []
      const receivedAmount = typedPesos(received)
      return [
        {
          ...(kind === 'gift_card' ? { gift_card_code: code?.trim() ?? '' } : { payment_method_id }),
          amount: pesos(paid),
          ...(kind === 'cash' && receivedAmount !== null && received.trim() ? { received: pesos(receivedAmount) } : {}),
          ...(reference.trim() ? { reference: reference.trim() } : {}),
          ...(kind === 'transfer' && proof ? { proof_file_id: proof.file_id } : {}),
          ...(kind === 'terminal' && card_brand ? { card_brand } : {}),
          ...(kind === 'terminal' && last_digits ? { last_digits } : {}),
          ...(kind === 'terminal' && authorisation.trim() ? { authorisation: authorisation.trim() } : {}),
        },
      ]
    },
  )
}

/** Credits or access that a sale gives to a person; without `expires_at` from their first class on. */
interface Given {
  name: string
  class_amount: number
  expires_at: string | null
}

/** "Ana tendrá 1 clase hasta el 28 dic 2026 y 10 clases hasta el 27 ene 2027.": a sentence for each person. */
export function givenTexts(gives: readonly Given[], zone: string): string[] {
  const what = ({ class_amount, expires_at }: Given) => {
    const classes = class_amount < 0 ? 'clases ilimitadas' : class_amount === 1 ? '1 clase' : `${class_amount} clases`
    return `${classes} ${expires_at ? `hasta el ${formatInstant(new Date(expires_at), zone, 'date')}` : 'desde su primera clase'}`
  }
  return [...Map.groupBy(gives, ({ name }) => name)].map(
    ([name, own]) => `${name} tendrá ${new Intl.ListFormat('es-MX').format(own.map(what))}.`,
  )
}

/** What the places of a basket take from the customer's credits; null: nothing. */
export function creditsUsedText(lines: readonly Pick<BasketItem, 'withCredit' | 'title'>[]): string | null {
  const [first, ...others] = lines.filter(({ withCredit }) => withCredit)
  if (!first) return null
  return others.length > 0 ? `Los lugares de esta venta usan ${others.length + 1}.` : `El lugar en ${first.title} usa una.`
}
