/** The texts of a package's card: number, price and terms (design section 6, S1-9.10, S1-9.11). */
import type { ClassPackage } from '#contract/catalogue.ts'
import { subscriptionPeriodText } from '#contract/copy/names.ts'
import type { Discount } from '#contract/discounts.ts'
import { formatMoney } from '#contract/money.ts'
import { quoteOnWire } from '#contract/pricing.ts'

type Facts = Pick<
  ClassPackage,
  | 'price'
  | 'sale_price'
  | 'class_amount'
  | 'expiration_days'
  | 'clock_starts'
  | 'is_special_event'
  | 'is_subscription'
  | 'subscription_period'
  | 'subscription_interval'
  | 'free_trial_length'
  | 'free_trial_period'
  | 'limits'
>

export interface PackageTexts {
  /** "clases", "al mes": on two lines */
  unit: readonly [string, string?]
  badge: string | null
  price: string
  /** the price before an offer */
  before: string | null
  /** "luego $2,690.00" */
  later: string | null
  /** "$181.25 por clase, cada mes" */
  terms: string
  /** "Vence en 30 días"; "Pago único" if it gives no classes */
  expiry: string
  verb: 'Comprar' | 'Obtener Oferta'
  /** nothing is paid now */
  free: boolean
}

const UNITS = { day: ['día', 'días'], month: ['mes', 'meses'], year: ['año', 'años'] } as const
const days = (count: number): string => `${count} ${count === 1 ? 'día' : 'días'}`
/** Of its own: `contract/text.ts`, which the administration shares, would be one more file of the checkout (e2e/shell.spec.ts). */
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "en 30 días", or counted from the first class */
const whenOver = (classPackage: Pick<Facts, 'clock_starts' | 'expiration_days'>): string =>
  classPackage.clock_starts === 'first_class'
    ? `${days(classPackage.expiration_days)} después de tu primera clase`
    : `en ${days(classPackage.expiration_days)}`

/** All texts of a package's card. `discount`: included in the price per class. */
export function packageText(classPackage: Facts, discount: Discount | null = null): PackageTexts {
  const { amount: base, old } = quoteOnWire(classPackage, null)
  const { total } = quoteOnWire(classPackage, discount)
  const every = subscriptionPeriodText(classPackage.subscription_period, classPackage.subscription_interval)
  const isMonthly = classPackage.subscription_period === 'month' && (classPackage.subscription_interval ?? 1) === 1
  const trial = classPackage.is_subscription && classPackage.free_trial_length ? classPackage.free_trial_length : 0
  const free = trial > 0 || (base === 0 && !classPackage.is_subscription)
  const many = classPackage.class_amount === 1 ? 'clase' : 'clases'

  const expiry = classPackage.class_amount === 0 ? 'pago único' : `vence ${whenOver(classPackage)}`
  const each = classPackage.class_amount > 0 && total > 0 ? `${formatMoney(Math.round(total / classPackage.class_amount))} por clase` : null
  const trialUnit = UNITS[classPackage.free_trial_period ?? 'day'][trial === 1 ? 0 : 1]
  const terms = trial
    ? `${trial} ${trialUnit} de prueba, después ${every.toLowerCase()}`
    : classPackage.is_subscription
      ? [each, each ? every.toLowerCase() : `se renueva ${every.toLowerCase()}`].filter(Boolean).join(', ')
      : [each, expiry].filter(Boolean).join(' · ')
  // Its limits are shown beside the price, so that no customer buys hours in which they cannot come.
  const limits = classPackage.limits.map((limit) => ` · ${limit}`).join('')

  return {
    unit:
      classPackage.class_amount < 0
        ? ['clases', 'sin límite']
        : classPackage.is_subscription
          ? [many, isMonthly ? 'al mes' : every.toLowerCase()]
          : [many],
    badge: classPackage.is_subscription ? every : old !== null ? 'Oferta' : classPackage.is_special_event ? 'Evento especial' : null,
    price: trial ? '$0.00 hoy' : formatMoney(base),
    before: !trial && old !== null ? formatMoney(old) : null,
    later: trial ? `luego ${formatMoney(base)}` : null,
    terms: `${capitalize(terms)}${limits}`,
    expiry: `${capitalize(classPackage.is_subscription ? every : expiry)}${limits}`,
    verb: free ? 'Obtener Oferta' : 'Comprar',
    free,
  }
}

/** Whether both descriptions have the same text, which is then shown once. */
export function describesTwice({ description, short_description }: Pick<ClassPackage, 'description' | 'short_description'>): boolean {
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return plain(description) === plain(short_description)
}
