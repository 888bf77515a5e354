/** The payment on the checkout page: each payment option, the bank's challenge, the retries, and refusals (S1-4.08 to S1-4.15). */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { accountErrors, embeddedFormErrors } from '#contract/copy/errors-account.ts'
import { publicErrors } from '#contract/copy/errors-public.ts'
import { pesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import type { DisplayedPrice } from '#contract/pricing.ts'
import type { PaymentAnswer, WantedClass } from '#contract/sales.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { forgetWantedClass, wantedOnWire } from '#web/lib/wanted-class.ts'

/** The chosen payment option with its data. */
export type How =
  | { by: 'free' }
  | { by: 'cash'; payment_method_id: number | null }
  | { by: 'source'; payment_source_id: number }
  | { by: 'card'; tokenize: () => Promise<string>; save: boolean }
  /** a wallet of the browser; `failed` reports the failure to its window */
  | { by: 'express'; link: boolean; tokenize: () => Promise<string>; failed: () => void }
  | { by: 'page' }
  | { by: 'oxxo' | 'spei' }
  | { by: 'wallet' }

export interface Refused {
  message: string
  /** the package of the sign-up fee, if it must be bought first (S1-2.71) */
  feeId: number | null
  /** the purchase that prevents this one: one in progress, or a repeated one */
  orderId: number | null
  /** the same payment, confirmed as an intended repetition; null if it was refused for another reason */
  again: How | null
}

interface PayingOptions {
  class_package_id: number
  discountCode: string | null
  /** the gift card that pays a part, and the displayed part in centavos (docs/domain.md I12) */
  giftCard: { code: string; part: number } | null
  /** the displayed price: the server refuses to charge another one (docs/domain.md V36) */
  price: DisplayedPrice
  /** the studio changed the price meanwhile: the page reloads it */
  onPriceChanged: () => void
  /** the card was used for a trial before: the page shows the price without the trial */
  onTrialUsed: () => void
  /** the code is no longer valid: the page removes it, so that the next try is not refused for it again */
  onDiscountRefused: () => void
  /** the gift card cannot pay what was displayed: the page removes it */
  onGiftCardRefused: () => void
  /** runs before the purchase: accepts the documents */
  before: () => Promise<void>
  /** shows the bank's challenge; null when it was passed, otherwise the reason */
  confirmAtBank: (secret: string, intent: 'payment' | 'setup') => Promise<string | null>
  /** the class for which it is bought: its dialog opens after the payment (docs/domain.md V52) */
  wanted: WantedClass | null
}

/** Retries with the same key while the server is still processing the purchase. */
const RETRY_MS = 2_000
const RETRIES = 5

async function whileBusy<T>(call: () => Promise<T>): Promise<T> {
  for (let left = RETRIES; ; left--)
    try {
      return await call()
    } catch (error) {
      if (left === 0 || toFailure(error).code !== 'PAYMENT_IN_PROGRESS') throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
}

/** The id in the address of the order: after a payment by card that of the payment, otherwise that of the purchase (S1-2.23). */
const orderAddress = ({ by }: How, { payment_id, purchase_id }: PaymentAnswer) =>
  by === 'card' || by === 'source' || by === 'express' || by === 'page' ? (payment_id ?? purchase_id) : purchase_id

/** The payment of one package: `pay` starts it, `refused` is the last refusal, `busy` while it runs. */
export function usePaying({
  class_package_id,
  discountCode,
  giftCard,
  price,
  onPriceChanged,
  onTrialUsed,
  onDiscountRefused,
  onGiftCardRefused,
  before,
  confirmAtBank,
  wanted,
}: PayingOptions) {
  const site = useSite()
  // One idempotency key per purchase: the same package with another code or gift card is another purchase.
  const keys = useRef(new Map<string, string>())
  const [refused, setRefused] = useState<Refused | null>(null)
  const [leaving, setLeaving] = useState(false)
  const working = useRef(false)

  function context() {
    const what = `${discountCode ?? ''} ${giftCard?.code ?? ''}`
    const key = keys.current.get(what) ?? newIdempotencyKey()
    keys.current.set(what, key)
    return { context: { intention: key } }
  }
  function go(to: string) {
    setLeaving(true)
    location.assign(to)
  }
  function refuse(error: unknown, how: How) {
    const { code, message, data } = toFailure(error)
    // An error without a text of its own gets the checkout's (S1-8.28).
    const hasNoText = code === 'UNKNOWN' && message === publicErrors.INTERNAL.message
    if (how.by === 'express') how.failed()
    const embeddedText = how.by === 'card' ? embeddedFormErrors(code) : null
    if (code === 'PRICE_CHANGED') onPriceChanged()
    if (code === 'TRIAL_USED') onTrialUsed()
    if (code.startsWith('DISCOUNT_')) onDiscountRefused()
    if (code.startsWith('GIFT_CARD')) onGiftCardRefused()
    // The purchase has no card attempts left: start a new one with new keys.
    if (code === 'TOO_MANY_CARDS') keys.current.clear()
    const isRepeated = code === 'PURCHASE_REPEATED' || code === 'SUBSCRIPTION_REPEATED'
    setRefused({
      message: hasNoText ? accountErrors.PAYMENT_FAILED.message : (embeddedText ?? message),
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
    const gift_card = giftCard && { code: giftCard.code, amount: pesos(giftCard.part) }
    const what = { class_package_id, discountCode, shown, gift_card, again, wanted_class: wanted && wantedOnWire(wanted) }
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
      case 'express': {
        const token = await how.tokenize()
        return whileBusy(() => api.sales.attempt({ ...what, payment_method: token, link: how.link }, context()))
      }
      case 'wallet':
        return whileBusy(() => api.checkout.paypal(what, context()))
      default:
        return whileBusy(() => api.sales.attempt({ ...what, payment_method: how.by === 'page' ? 'card' : how.by }, context()))
    }
  }

  /** Handles the answer of a payment: redirect to another page, the bank's challenge, or the order. */
  async function follow(how: How, answer: PaymentAnswer): Promise<void> {
    if (answer.session) return go(answer.session.url)
    if (answer.approve_url) return go(answer.approve_url)
    if (answer.clientSecret) {
      const failed = await confirmAtBank(answer.clientSecret, answer.intent ?? 'payment')
      if (failed)
        return setRefused({
          message: accountErrors.CARD_CONFIRMATION.message.replace('{message}', () => failed),
          feeId: null,
          orderId: null,
          again: null,
        })
    }
    const order = orderAddress(how, answer)
    // From here on the purchase has the class.
    if (wanted) forgetWantedClass()
    // Only a paid purchase redirects to the studio's own page; a charge that the bank has just confirmed may still be pending.
    if (answer.status === 'completed' || answer.status === 'active')
      // The page of the order continues to the wanted class.
      return go(site.checkout_redirect_url || (wanted ? paths.paying(order) : paths.thanks(order)))
    go(answer.voucher ? paths.thanks(order) : paths.paying(order))
  }

  const paying = useMutation({
    meta: { handled: true },
    mutationFn: async ({ how, again }: { how: How; again: boolean }) => follow(how, await call(how, again)),
    onError: (error, { how }) => refuse(error, how),
    onSettled() {
      working.current = false
    },
  })

  return {
    /** Pays. A second click before the button is disabled is ignored. */
    pay(how: How, again = false) {
      if (working.current) return
      working.current = true
      paying.mutate({ how, again })
    },
    busy: paying.isPending || leaving,
    refused,
    forget: () => setRefused(null),
    go,
    /** For PayPal's own button: starts the purchase; `followWallet` continues it after the approval. */
    begin: () => call({ by: 'wallet' }),
    followWallet: (answer: PaymentAnswer) => follow({ by: 'wallet' }, answer),
    refuse: (error: unknown) => refuse(error, { by: 'wallet' }),
  }
}
