import { lazy, type ReactNode, type Ref, Suspense, useCallback, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { CardProcessor, ProviderSites } from '#contract/processors.ts'
import type { CardFields as Fields } from '#contract/sales.ts'
import { useSite } from '#web/lib/settings.tsx'
import { confirmWithBank, openStripe } from '#web/lib/stripe.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CardChallenge, CardFields, type CardFieldsHandle } from './card-fields.tsx'

/** The fields of each processor with a script of its own. The sandbox's stand in a frame of ours. */
const FIELDS = {
  stripe: lazy(() => import('./stripe-fields.tsx')),
  conekta: lazy(() => import('./conekta-fields.tsx')),
} satisfies Record<Exclude<CardProcessor, 'sandbox'>, unknown>

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
  const ProcessorFields = FIELDS[card.processor]
  return (
    <Suspense fallback={<Skeleton height="292px" />}>
      <ProcessorFields {...shared} site={sites[card.processor]} />
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
    // A frame of ours stands here only while the sandbox takes cards.
    const processor = card?.processor ?? (frame ? 'sandbox' : undefined)
    switch (processor) {
      case 'stripe':
        return confirmWithBank(await openStripe(sites.stripe, card?.public_key ?? ''), secret, intent)
      case 'sandbox': {
        const failed = await new Promise<string | null>((answer) => setAsked({ secret, answer }))
        setAsked(null)
        return failed
      }
      // Conekta's answers never ask for the bank on our page: it has a page of its own for that.
      case 'conekta':
      case undefined:
        throw new Error('This processor asks no question of the bank on our page.')
      default:
        return processor satisfies never
    }
  }
  const question = frame && <CardChallenge origin={frame} secret={asked?.secret ?? null} onAnswer={(failed) => asked?.answer(failed)} />
  return { ask: input, question }
}
