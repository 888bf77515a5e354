import { lazy, type ReactNode, type Ref, Suspense, useCallback, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { ProviderSites } from '#contract/provider-sites.ts'
import type { CardFields as Fields } from '#contract/sales.ts'
import { useSite } from '#web/lib/settings.tsx'
import { confirmWithBank, openStripe } from '#web/lib/stripe.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CardChallenge, CardFields, type CardFieldsHandle } from './card-fields.tsx'

const StripeFields = lazy(() => import('./stripe-fields.tsx'))
const ConektaFields = lazy(() => import('./conekta-fields.tsx'))

/** Where card forms and processors' scripts come from; the document's loader knows. */
export interface CardOrigins {
  /** origin of the built-in processor's frames; null: it is not in use */
  frame: string | null
  sites: ProviderSites
}

interface CardEntryProps extends CardOrigins {
  ref: Ref<CardFieldsHandle>
  card: Fields
  onReady: (ready: boolean) => void
}

/** The card fields of whoever charges cards here. */
export function CardEntry({ ref, card, frame, sites, onReady }: CardEntryProps) {
  const [failed, setFailed] = useState(false)
  const onFailed = useCallback(() => setFailed(true), [])
  const { publicUrl } = useSite()
  // Failures happen in a browser only: there is a location by then.
  const elsewhere = failed && location.origin !== publicUrl ? `${publicUrl}${location.pathname}${location.search}` : null
  if (failed)
    return (
      <Banner tone="danger" live title="No pudimos cargar los datos de la tarjeta.">
        {elsewhere && (
          <p className="card-elsewhere">
            Para pagar con tarjeta, abre el estudio en{' '}
            <a className="link" href={elsewhere}>
              {new URL(elsewhere).host}
            </a>
            .
          </p>
        )}
        <Button variant="outline" size="small" onClick={() => setFailed(false)}>
          Intentar de nuevo
        </Button>
      </Banner>
    )
  const shared = { ref, onReady, onFailed, publicKey: card.public_key ?? '' }
  if (card.processor === 'sandbox')
    return frame ? (
      <CardFields ref={ref} origin={frame} onReady={onReady} onFailed={onFailed} />
    ) : (
      <Banner tone="warn">{accountErrors.PAYMENT_METHOD_UNAVAILABLE.message}</Banner>
    )
  return (
    <Suspense fallback={<Skeleton height="292px" />}>
      {card.processor === 'stripe' ? <StripeFields {...shared} site={sites.stripe} /> : <ConektaFields {...shared} site={sites.conekta} />}
    </Suspense>
  )
}

type AskTheBank = (secret: string, intent: 'payment' | 'setup') => Promise<string | null>

/**
 * The bank's question about a card (3-D Secure), asked as the processor does it: `ask` answers null when it was confirmed, otherwise why
 * not; `question` is where it stands meanwhile.
 */
export function useBankQuestion(card: Fields | null, { frame, sites }: CardOrigins): { ask: AskTheBank; question: ReactNode } {
  const [asked, setAsked] = useState<{ secret: string; answer(failed: string | null): void } | null>(null)
  const input: AskTheBank = async (secret, intent) => {
    if (card?.processor === 'stripe') return confirmWithBank(await openStripe(sites.stripe, card.public_key ?? ''), secret, intent)
    const failed = await new Promise<string | null>((answer) => setAsked({ secret, answer }))
    setAsked(null)
    return failed
  }
  const question = frame && <CardChallenge origin={frame} secret={asked?.secret ?? null} onAnswer={(failed) => asked?.answer(failed)} />
  return { ask: input, question }
}
