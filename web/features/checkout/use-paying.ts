/** One visit of the checkout, from the pay button to the next page: each way of paying, the bank's question, and what was refused (S1-4.08 to S1-4.15). */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { accountErrors, embeddedFormErrors } from '#contract/copy/errors-account.ts'
import { publicErrors } from '#contract/copy/errors-public.ts'
import { pesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import type { DisplayedPrice } from '#contract/pricing.ts'
import type { PaymentAnswer } from '#contract/sales.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'

/** How it is paid, with what that needs. */
export type How =
  | { by: 'free' }
  | { by: 'cash'; payment_method_id: number | null }
  | { by: 'source'; payment_source_id: number }
  | { by: 'card'; tokenize: () => Promise<string>; save: boolean }
  | { by: 'page' }
  | { by: 'oxxo' | 'spei' }
  | { by: 'wallet' }

export interface Refused {
  message: string
  /** the sign-up fee's package, when that has to be bought first (S1-2.71) */
  feeId: number | null
  /** the purchase that stands in the way: one on its way, or the same one bought before */
  orderId: number | null
  /** buys another one all the same; null when that is not what was asked */
  again: How | null
}

interface Visit {
  class_package_id: number
  discountCode: string | null
  /** what stands on the page: the server charges nothing else (docs/domain.md V36) */
  price: DisplayedPrice
  /** the studio changed it meanwhile: the page asks for it again */
  onPriceChanged: () => void
  /** the free trial was used with this card: the page shows the price without it */
  onTrialUsed: () => void
  /** the code is no good any more: it is taken off, so that the next try is not refused for it again */
  onDiscountRefused: () => void
  /** what has to happen before anything is bought: documents are accepted */
  before: () => Promise<void>
  /** the bank's question; null when it was answered, otherwise why not */
  ask: (secret: string, intent: 'payment' | 'setup') => Promise<string | null>
}

/** While the server is still on the same purchase it is asked again, with the same key, before anybody is told. */
const AGAIN_MS = 2_000
const AGAIN_TIMES = 5

async function whileBusy<T>(call: () => Promise<T>): Promise<T> {
  for (let left = AGAIN_TIMES; ; left--)
    try {
      return await call()
    } catch (error) {
      if (left === 0 || failureOf(error).code !== 'PAYMENT_IN_PROGRESS') throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
}

export function usePaying({ class_package_id, discountCode, price, onPriceChanged, onTrialUsed, onDiscountRefused, before, ask }: Visit) {
  const site = useSite()
  // One key per thing that is bought: the same package with another code is another purchase.
  const keys = useRef(new Map<string, string>())
  const [refused, setRefused] = useState<Refused | null>(null)
  const [leaving, setLeaving] = useState(false)
  const working = useRef(false)

  function context() {
    const what = discountCode ?? ''
    const key = keys.current.get(what) ?? newIdempotencyKey()
    keys.current.set(what, key)
    return { context: { intention: key } }
  }
  function go(to: string) {
    setLeaving(true)
    location.assign(to)
  }
  function refuse(error: unknown, how: How) {
    const { code, message, data } = failureOf(error)
    // Whatever has no words of its own gets the checkout's (S1-8.28).
    const wordless = code === 'UNKNOWN' && message === publicErrors.INTERNAL.message
    const ofItsFlow = how.by === 'card' ? embeddedFormErrors(code) : null
    if (code === 'PRICE_CHANGED') onPriceChanged()
    if (code === 'TRIAL_USED') onTrialUsed()
    if (code === 'DISCOUNT_INVALID' || code === 'DISCOUNT_EXHAUSTED') onDiscountRefused()
    // This visit has no tries left: the next one is another visit.
    if (code === 'TOO_MANY_CARDS') keys.current.clear()
    const isRepeated = code === 'PURCHASE_REPEATED' || code === 'SUBSCRIPTION_REPEATED'
    setRefused({
      message: wordless ? accountErrors.PAYMENT_FAILED.message : (ofItsFlow ?? message),
      feeId: code === 'SIGNUP_FEE_REQUIRED' ? Number(data.class_package_id) : null,
      orderId: isRepeated || code === 'PURCHASE_IN_PROGRESS' ? Number(data.purchase_id) : null,
      again: isRepeated ? how : null,
    })
  }

  async function call(how: How, again = false): Promise<PaymentAnswer> {
    setRefused(null)
    await before()
    const { today, total, nextTotal } = price
    const shown = { today: pesos(today), total: pesos(total), next_total: nextTotal === null ? null : pesos(nextTotal) }
    const what = { class_package_id, discountCode, shown, again }
    switch (how.by) {
      case 'free':
        return api.sales.checkout({ ...what, payment_method_id: null }, context())
      case 'cash':
        return api.sales.checkout({ ...what, payment_method_id: how.payment_method_id }, context())
      case 'source':
        return whileBusy(() => api.sales.attempt({ ...what, payment_source_id: how.payment_source_id }, context()))
      case 'card': {
        const token = await how.tokenize()
        return whileBusy(() => api.sales.attempt({ ...what, payment_method: token, save_card: how.save }, context()))
      }
      case 'wallet':
        return whileBusy(() => api.checkout.paypal(what, context()))
      default:
        return whileBusy(() => api.sales.attempt({ ...what, payment_method: how.by === 'page' ? 'card' : how.by }, context()))
    }
  }

  /** What comes after an answer: another page, the bank, or the order. */
  async function follow(answer: PaymentAnswer): Promise<void> {
    if (answer.session) return go(answer.session.url)
    if (answer.approve_url) return go(answer.approve_url)
    if (answer.clientSecret) {
      const failed = await ask(answer.clientSecret, answer.intent ?? 'payment')
      if (failed)
        return setRefused({
          message: accountErrors.CARD_CONFIRMATION.message.replace('{message}', () => failed),
          feeId: null,
          orderId: null,
          again: null,
        })
    }
    const order = answer.payment_id ?? answer.purchase_id
    // Only what is paid goes where the studio sends it; what the bank has just confirmed may not be there yet.
    if (answer.status === 'completed' || answer.status === 'active') return go(site.checkout_redirect_url || paths.thanks(order))
    go(answer.voucher ? paths.thanks(order) : paths.paying(order))
  }

  const paying = useMutation({
    meta: { handled: true },
    mutationFn: async ({ how, again }: { how: How; again: boolean }) => follow(await call(how, again)),
    onError: (error, { how }) => refuse(error, how),
    onSettled() {
      working.current = false
    },
  })

  return {
    /** A double click is faster than the button's ring: it pays once. */
    pay(how: How, again = false) {
      if (working.current) return
      working.current = true
      paying.mutate({ how, again })
    },
    busy: paying.isPending || leaving,
    refused,
    forget: () => setRefused(null),
    go,
    /** For the wallet's own button: begins the purchase, and goes on once it was approved. */
    begin: () => call({ by: 'wallet' }),
    follow,
    refuse: (error: unknown) => refuse(error, { by: 'wallet' }),
  }
}
