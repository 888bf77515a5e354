import { useEffect, useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { PaymentAnswer } from '#contract/sales.ts'
import { api } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { fromScript, loadProviderScript, styleNonce } from '#web/lib/provider-script.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Approved {
  orderID?: string | null
  subscriptionID?: string | null
}

/** What we use of PayPal's browser script, typed by hand (payments study section 1.3). */
interface PayPal {
  Buttons(look: {
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

/** PayPal's own button: its window approves, then the server takes the money (S1-4.15, S1-7.47, S1-7.48, S1-7.51). */
export default function WalletButton({ site, publicKey, subscription, begin, follow, refuse }: WalletButtonProps) {
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  const latest = useRef({ begin, follow, refuse })
  latest.current = { begin, follow, refuse }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try loads again
  useEffect(() => {
    let gone = false
    let purchase: number | null = null
    /** What PayPal throws itself is told by `onError`; a refusal of ours has been told already. */
    let told = false
    const refuseOnce = (error: unknown) => {
      told = true
      latest.current.refuse(error)
    }
    const create = async (): Promise<string> => {
      told = false
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
    const asked = new URLSearchParams({ 'client-id': publicKey, currency: 'MXN', locale: 'es_MX', components: 'buttons' })
    if (subscription) {
      asked.set('vault', 'true')
      asked.set('intent', 'subscription')
    }
    loadProviderScript(`${site}/sdk/js?${asked}`, { 'data-csp-nonce': styleNonce() })
      .then(async () => {
        if (gone || !box.current) return
        const buttons = fromScript<PayPal>('paypal').Buttons({
          style: { layout: 'vertical', shape: 'pill', height: 48, label: subscription ? 'subscribe' : 'pay', color: 'gold' },
          fundingSource: 'paypal',
          ...(subscription ? { createSubscription: create } : { createOrder: create }),
          async onApprove({ orderID, subscriptionID }, actions) {
            try {
              await latest.current.follow(await api.checkout.capture({ orderID: orderID ?? null, subscriptionID: subscriptionID ?? null }))
            } catch (error) {
              // The same order can be approved again with another way to pay.
              if (failureOf(error).data.restart === true && actions.restart) actions.restart()
              refuseOnce(error)
            }
          },
          onCancel() {
            if (purchase !== null) api.sales.giveUp({ purchase_id: purchase }).catch(() => {})
          },
          onError(error) {
            if (!told) latest.current.refuse(error)
          },
        })
        await buttons.render(box.current)
        if (!gone) setState('shown')
      })
      .catch(() => {
        if (!gone) setState('failed')
      })
    const into = box.current
    return () => {
      gone = true
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
