import { useEffect, useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { PaymentAnswer } from '#contract/sales.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { fromScript, loadProviderScript, styleNonce } from '#web/lib/provider-script.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Approved {
  orderID?: string | null
  subscriptionID?: string | null
}

/** Types of the part of PayPal's browser script that is used. The script must be loaded from PayPal's own address. */
interface PayPal {
  Buttons(style: {
    style: { layout: 'vertical'; shape: 'pill' | 'rect'; height: number; label: 'pay' | 'subscribe'; color: 'gold' }
    fundingSource: 'paypal'
    createOrder?: () => Promise<string>
    createSubscription?: () => Promise<string>
    onApprove: (approved: Approved, actions: { restart?: () => unknown }) => Promise<void>
    onCancel: () => void
    onError: (error: unknown) => void
  }): { render(into: HTMLElement): Promise<void>; close?(): unknown }
}

interface WalletButtonProps {
  site: string
  publicKey: string
  subscription: boolean
  begin: () => Promise<PaymentAnswer>
  follow: (answer: PaymentAnswer) => Promise<void>
  refuse: (error: unknown) => void
}

/**
 * PayPal's own button: the customer approves in PayPal's window, then the server captures the money (S1-4.15, S1-7.47, S1-7.48, S1-7.51).
 */
export default function WalletButton({ site, publicKey, subscription, begin, follow, refuse }: WalletButtonProps) {
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  const latest = useRef({ begin, follow, refuse })
  latest.current = { begin, follow, refuse }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try loads again
  useEffect(() => {
    let unmounted = false
    let purchase: number | null = null
    /** Set once a refusal was shown: PayPal then calls `onError` with the same failure, which must not be shown twice. */
    let isShown = false
    const refuseOnce = (error: unknown) => {
      isShown = true
      latest.current.refuse(error)
    }
    const create = async (): Promise<string> => {
      isShown = false
      try {
        const answer = await latest.current.begin()
        purchase = answer.purchase_id
        const id = subscription ? answer.subscriptionID : answer.orderID
        if (!id) throw { code: 'PAYMENT_FAILED', ...accountErrors.PAYMENT_FAILED }
        return id
      } catch (error) {
        refuseOnce(error)
        throw error
      }
    }
    const scriptQuery = new URLSearchParams({ 'client-id': publicKey, currency: 'MXN', locale: 'es_MX', components: 'buttons' })
    if (subscription) {
      scriptQuery.set('vault', 'true')
      scriptQuery.set('intent', 'subscription')
    }
    loadProviderScript(`${site}/sdk/js?${scriptQuery}`, { 'data-csp-nonce': styleNonce() })
      .then(async () => {
        if (unmounted || !box.current) return
        const buttons = fromScript<PayPal>('paypal').Buttons({
          style: { layout: 'vertical', shape: 'pill', height: 48, label: subscription ? 'subscribe' : 'pay', color: 'gold' },
          fundingSource: 'paypal',
          ...(subscription ? { createSubscription: create } : { createOrder: create }),
          async onApprove({ orderID, subscriptionID }, actions) {
            try {
              await latest.current.follow(await api.checkout.capture({ orderID: orderID ?? null, subscriptionID: subscriptionID ?? null }))
            } catch (error) {
              // The same order can be approved again with another funding source.
              if (toFailure(error).data.restart === true && actions.restart) actions.restart()
              refuseOnce(error)
            }
          },
          onCancel() {
            if (purchase !== null) api.sales.giveUp({ purchase_id: purchase }).catch(() => {})
          },
          onError(error) {
            if (!isShown) latest.current.refuse(error)
          },
        })
        await buttons.render(box.current)
        if (!unmounted) setState('shown')
      })
      .catch(() => {
        if (!unmounted) setState('failed')
      })
    const into = box.current
    return () => {
      unmounted = true
      into?.replaceChildren()
    }
  }, [site, publicKey, subscription, tries])

  return (
    <>
      {state === 'loading' && <Skeleton height="48px" shape="pill" />}
      {state === 'failed' && (
        <Banner tone="danger" live title="No pudimos cargar PayPal.">
          <Button
            variant="outline"
            size="small"
            onClick={() => {
              setState('loading')
              setTries(tries + 1)
            }}
          >
            Intentar de nuevo
          </Button>
        </Banner>
      )}
      <div ref={box} hidden={state === 'failed'} />
    </>
  )
}
