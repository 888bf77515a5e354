import { type ReactNode, type Ref, Suspense, useCallback, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { CardProcessor, ProviderSites } from '#contract/processors.ts'
import type { CardFields as Fields } from '#contract/sales.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { confirmWithBank, openStripe } from '#web/lib/stripe.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CardChallenge, CardFields, type CardFieldsHandle } from './card-fields.tsx'

/** The fields of the processors with a script of their own. The sandbox's fields are in an iframe of ours. */
const FIELDS = {
  stripe: lazyPart(() => import('./stripe-fields.tsx')),
  conekta: lazyPart(() => import('./conekta-fields.tsx')),
} satisfies Record<Exclude<CardProcessor, 'sandbox'>, unknown>

/** Origins of card forms and processor scripts, from the document's loader. */
export interface CardOrigins {
  /** origin of the sandbox processor's frames; null if it is not in use */
  frame: string | null
  sites: ProviderSites
}

interface CardEntryProps extends CardOrigins {
  ref: Ref<CardFieldsHandle>
  card: Fields
  /** the customer's name, proposed as the name on the card */
  holder?: string | undefined
  onReady: (ready: boolean) => void
}

/** The card fields of the processor that charges cards. */
export function CardEntry({ ref, card, frame, sites, holder, onReady }: CardEntryProps) {
  const [failed, setFailed] = useState(false)
  const onFailed = useCallback(() => setFailed(true), [])
  const { publicUrl } = useSite()
  // `failed` is only set in the browser, so `location` exists.
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
  const shared = { ref, onReady, onFailed, publicKey: card.public_key ?? '', holder }
  if (card.processor === 'sandbox')
    return frame ? (
      <CardFields ref={ref} origin={frame} holder={holder} onReady={onReady} onFailed={onFailed} />
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

type ConfirmAtBank = (secret: string, intent: 'payment' | 'setup') => Promise<string | null>

/**
 * The bank's challenge for a card (3-D Secure), shown by the processor's own script. `confirmAtBank` resolves to null when it was passed,
 * otherwise to the reason; render `challenge` while it is open.
 */
export function useBankChallenge(
  card: Fields | null,
  { frame, sites }: CardOrigins,
): { confirmAtBank: ConfirmAtBank; challenge: ReactNode } {
  const [openChallenge, setOpenChallenge] = useState<{ secret: string; answer(failed: string | null): void } | null>(null)
  const confirmAtBank: ConfirmAtBank = async (secret, intent) => {
    // There is a frame origin only while the sandbox takes cards.
    const processor = card?.processor ?? (frame ? 'sandbox' : undefined)
    switch (processor) {
      case 'stripe':
        return confirmWithBank(await openStripe(sites.stripe, card?.public_key ?? ''), secret, intent)
      case 'sandbox': {
        const failed = await new Promise<string | null>((answer) => setOpenChallenge({ secret, answer }))
        setOpenChallenge(null)
        return failed
      }
      // Conekta never needs a challenge on our page: it redirects to a page of its own.
      case 'conekta':
      case undefined:
        throw new Error('This processor asks no question of the bank on our page.')
      default:
        return processor satisfies never
    }
  }
  const challengeFrame = frame && (
    <CardChallenge origin={frame} secret={openChallenge?.secret ?? null} onAnswer={(failed) => openChallenge?.answer(failed)} />
  )
  return { confirmAtBank, challenge: challengeFrame }
}
