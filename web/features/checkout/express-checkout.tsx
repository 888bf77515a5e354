import { type ReactNode, useEffect, useRef } from 'react'
import { useSite } from '#web/lib/settings.tsx'
import { EXPRESS_WALLETS, openStripe, type StripeExpress, type StripeGroup, stripeRefusal } from '#web/lib/stripe.ts'
import type { How } from './use-paying.ts'
import './express-checkout.css'

const HEIGHT = 48

const BUTTON_OPTIONS = {
  buttonHeight: HEIGHT,
  buttonType: { applePay: 'plain', googlePay: 'plain' },
  layout: { maxColumns: 2, maxRows: 0, overflow: 'never' },
  paymentMethods: { applePay: 'auto', googlePay: 'auto', link: 'auto', amazonPay: 'never', klarna: 'never', paypal: 'never' },
} as const

interface ExpressCheckoutProps {
  site: string
  publicKey: string
  /** what is bought, and its price in centavos, as the wallet shows them; the server decides what is charged */
  title: string
  amount: number
  /** why nothing can be paid now; tapping the buttons then shows what is missing */
  holds: string | null
  onAuthorized: () => void
  state: 'asking' | 'shown' | 'none'
  onState: (state: 'shown' | 'none') => void
  pay: (how: How) => void
}

/** Apple Pay, Google Pay and Link in Stripe's Express Checkout Element; takes no room where the browser has none of them. */
export default function ExpressCheckout({
  site,
  publicKey,
  title,
  amount,
  holds,
  onAuthorized,
  state,
  onState,
  pay,
}: ExpressCheckoutProps): ReactNode {
  const { business_name } = useSite()
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<StripeGroup | null>(null)
  const latest = useRef({ title, amount, holds, onAuthorized, onState, pay, business_name })
  latest.current = { title, amount, holds, onAuthorized, onState, pay, business_name }

  useEffect(() => {
    let unmounted = false
    let mounted: StripeExpress | null = null
    const decide = (shown: boolean) => {
      if (!unmounted) latest.current.onState(shown ? 'shown' : 'none')
    }
    openStripe(site, publicKey).then(
      (stripe) => {
        if (unmounted || !box.current) return
        const elements = stripe.elements({
          locale: 'es-419',
          mode: 'payment',
          amount: latest.current.amount,
          currency: 'mxn',
          allowedPaymentMethodTypes: ['card', 'link'],
          appearance: appearance(),
        })
        group.current = elements
        const express = elements.create('expressCheckout', BUTTON_OPTIONS)
        mounted = express
        express.on('availablepaymentmethodschange', ({ paymentMethods }) =>
          decide(EXPRESS_WALLETS.some((wallet) => paymentMethods?.[wallet]?.available)),
        )
        express.on('loaderror', () => decide(false))
        express.on('click', ({ resolve }) => {
          const now = latest.current
          // Without an answer the wallet stays closed.
          if (now.holds) return now.onAuthorized()
          resolve({ business: { name: now.business_name }, lineItems: [{ name: now.title, amount: now.amount }] })
        })
        express.on('confirm', async ({ expressPaymentType, paymentFailed }) => {
          const failed = () => paymentFailed({ reason: 'fail' })
          const { error } = await elements.submit()
          let promise: Promise<string> | undefined
          latest.current.pay({
            by: 'express',
            link: expressPaymentType === 'link',
            failed,
            tokenize() {
              if (error) return Promise.reject(stripeRefusal(error))
              // A repeated purchase is confirmed after the wallet has closed: with what it returned before.
              promise ??= stripe.createConfirmationToken({ elements }).then((answer) => {
                if (!answer.confirmationToken) throw stripeRefusal(answer.error ?? {})
                return answer.confirmationToken.id
              })
              return promise
            },
          })
        })
        express.mount(box.current)
      },
      () => decide(false),
    )
    return () => {
      unmounted = true
      group.current = null
      mounted?.destroy()
    }
  }, [site, publicKey])
  useEffect(() => group.current?.update({ amount }), [amount])

  return (
    <div className={`express ${state === 'shown' ? '' : 'express-away'}`} inert={state !== 'shown'}>
      {/* biome-ignore lint/a11y/useSemanticElements: the processor's frame is put inside */}
      <div role="group" aria-label="Pago con un toque" className="express-buttons">
        <div ref={box} inert={holds !== null} />
        {holds && (
          <button type="button" className="express-cover" onClick={onAuthorized}>
            <span className="sr-only">Apple Pay, Google Pay o Link: {holds}</span>
          </button>
        )}
      </div>
      <p className="express-or small muted">o elige cómo pagar</p>
    </div>
  )
}

const RADIUS_VARIABLE = '--radius-control'

/** The page's corners for Stripe's buttons, which cannot read them. */
function appearance(): object {
  const radius = getComputedStyle(document.documentElement).getPropertyValue(RADIUS_VARIABLE).trim()
  return { variables: { borderRadius: radius || '8px' } }
}
