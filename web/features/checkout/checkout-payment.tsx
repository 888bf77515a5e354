import { IconCalendarRepeat, IconLock } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { billingCalendarOf } from '#contract/billing.ts'
import type { ClassPackage } from '#contract/catalogue.ts'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { Discount } from '#contract/discounts.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import type { PaymentOptions } from '#contract/payment-options.ts'
import { displayedPrice, quoteOnWire } from '#contract/pricing.ts'
import type { WalletProcessor } from '#contract/processors.ts'
import { formatWall } from '#contract/time.ts'
import type { DocumentToAccept } from '#web/features/account/document-names.tsx'
import { queries } from '#web/lib/api.ts'
import { useCustomerQuery } from '#web/lib/customer.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { type NotedClass, readWantedClass } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { Acceptance, useAcceptance } from './acceptance.tsx'
import { type CardOrigins, useBankChallenge } from './card-entry.tsx'
import { checkoutSum, type GiftCardUsed } from './checkout-sum.ts'
import { OpenPurchaseBanner, useOpenPurchase } from './open-purchase.tsx'
import { FeeFirst, Refusal } from './pay-banners.tsx'
import { payVerb, subscriptionTerms } from './payment-text.ts'
import { useOwedFee } from './signup-fee.ts'
import { usePaying } from './use-paying.ts'
import { usePaymentOptionChoice } from './use-payment-option.tsx'

const PayPalButton = lazyPart(() => import('./wallet-button.tsx'))
/** The button that the script of each wallet draws; null: the customer approves on its page. */
const WALLET_BUTTONS = { sandbox: null, paypal: PayPalButton } as const satisfies Record<WalletProcessor, unknown>
/** The wallets' buttons are an extra: without them the page is whole. */
const ExpressCheckout = lazy(() => import('./express-checkout.tsx').catch(() => ({ default: () => null })))
/** How long the payment options wait for these buttons, which would push them down later. */
const EXPRESS_TIMEOUT_MS = 1_500

export interface CheckoutPaymentProps {
  classPackage: ClassPackage
  discount: Discount | null
  giftCard: GiftCardUsed | null
  /** the price differs from the displayed one: reload package and discount */
  onPriceChanged: () => void
  /** the discount code was refused at the payment */
  onDiscountRefused: () => void
  /** the gift card cannot pay what the page showed */
  onGiftCardRefused: () => void
  /** the card was used for a trial before */
  onTrialUsed: () => void
  cardOrigins: CardOrigins
  /** the element for refusals, at the top of the page (S1-2.70); null until it is mounted */
  banners: HTMLElement | null
  /** documents to accept before paying */
  required: readonly DocumentToAccept[]
  /** the package has a free trial, but not for this customer: it is sold without */
  noTrial: boolean
  /** how many hours a cash purchase is on hold, and how many days before a renewal the customer is notified */
  terms: { cashHours: number; renewalTermDays: number; holdMinutes: number }
}

/** The payment options of a package for the signed-in customer; page and column share one request. */
export function usePaymentOptions(classPackage: ClassPackage, discount: Discount | null, giftCard: GiftCardUsed | null) {
  return useQuery({
    ...queries.checkout.ways.queryOptions({
      input: {
        class_package_id: classPackage.class_package_id,
        discountCode: discount?.code ?? null,
        gift_card: giftCard && pesos(checkoutSum(classPackage, discount, giftCard).byCard),
      },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
}

/** 'Forma de Pago': payment options, documents and the pay button (S1-2.66 to S1-2.70, S1-4.06 to S1-4.15, S1-5.17, S1-5.18). */
export function CheckoutPayment(props: CheckoutPaymentProps) {
  const { classPackage, discount, giftCard } = props
  const paymentOptions = usePaymentOptions(classPackage, discount, giftCard)
  return (
    <section aria-labelledby="forma" className="stack gap-16 checkout-payment">
      <h2 id="forma" className="t3">
        Forma de Pago
      </h2>
      <Loading loading={paymentOptions.isPending} skeleton={<PaymentOptionsSkeleton />}>
        {paymentOptions.data ? (
          <Pay {...props} available={paymentOptions.data} />
        ) : (
          paymentOptions.isError && (
            <Banner tone="danger" live title={toFailure(paymentOptions.error).message}>
              <Button variant="outline" size="small" onClick={() => void paymentOptions.refetch()}>
                Intentar de nuevo
              </Button>
            </Banner>
          )
        )}
      </Loading>
    </section>
  )
}

function PaymentOptionsSkeleton() {
  return (
    <div className="stack gap-16">
      <div className="card padded stack gap-16">
        <Skeleton width="55%" height="24px" />
        <Skeleton height="48px" />
        <Skeleton height="48px" />
        <Skeleton width="40%" height="24px" />
      </div>
      <Skeleton height="48px" shape="pill" />
    </div>
  )
}

type PayProps = CheckoutPaymentProps & { available: PaymentOptions }

function Pay(props: PayProps) {
  const { classPackage, discount, giftCard, cardOrigins, banners, required, noTrial, terms, available } = props
  const site = useSite()
  const me = useCustomerQuery().data?.customer
  const choice = usePaymentOptionChoice(available, cardOrigins, terms.cashHours, me && `${me.name} ${me.last_name}`.trim())
  const { options, chosen, choose, missing } = choice
  const { documents, accepted, setAccepted, record } = useAcceptance(required)
  // Online access and sign-up fees reserve nothing.
  const [wanted] = useState(() => (classPackage.class_amount === 0 || classPackage.is_online ? null : readWantedClass()))
  const owed = useOwedFee(classPackage)
  const [feeSeen, setFeeSeen] = useState(false)

  const price = quoteOnWire(classPackage, discount)
  const { byCard } = checkoutSum(classPackage, discount, giftCard)
  const trial = Boolean(classPackage.is_subscription && classPackage.free_trial_length)
  const { confirmAtBank, challenge } = useBankChallenge(available.card, cardOrigins)
  const paying = usePaying({
    class_package_id: classPackage.class_package_id,
    discountCode: discount?.code ?? null,
    giftCard: giftCard && { code: giftCard.code, part: byCard },
    price: displayedPrice(price, trial),
    onPriceChanged: props.onPriceChanged,
    onDiscountRefused: props.onDiscountRefused,
    onGiftCardRefused: props.onGiftCardRefused,
    onTrialUsed: props.onTrialUsed,
    before: record,
    confirmAtBank,
    wanted,
  })
  const { refused } = paying
  const open = useOpenPurchase(classPackage.class_package_id)
  const column = useRef<HTMLDivElement>(null)

  /** Why nothing can be paid, whatever is chosen. */
  const expressHolds = site.checkout_disabled
    ? accountErrors.CHECKOUT_DISABLED.message
    : open?.deciding && !paying.busy
      ? 'Estamos confirmando tu pago anterior.'
      : documents.length > 0 && !accepted
        ? 'Acepta los documentos para continuar.'
        : null
  const hasExpress = available.express && Boolean(available.card?.public_key)
  const express = useExpressState(hasExpress)
  const wallet = chosen === 'paypal' && !available.free ? (available.wallet?.processor ?? null) : null

  return (
    <>
      {refused &&
        refused.feeId === null &&
        banners &&
        createPortal(<Refusal refused={refused} busy={paying.busy} onAgain={(chosen) => paying.pay(chosen, true)} />, banners)}
      {wanted && <HeldClass wanted={wanted} holdMinutes={terms.holdMinutes} />}
      {open && !refused && !paying.busy && <OpenPurchaseBanner open={open} />}
      {site.checkout_disabled && <Banner tone="warn">{accountErrors.CHECKOUT_DISABLED.message}</Banner>}
      {classPackage.is_subscription && (
        <Banner tone="brand" icon={<IconCalendarRepeat className="icon" aria-hidden="true" />} title="Esto es una suscripción">
          {noTrial && 'Ya usaste tu prueba gratis: esta suscripción se cobra desde el primer día. '}
          {subscriptionTerms(
            classPackage,
            price.nextTotal ?? price.total,
            trial ? price.total : null,
            site.zone,
            terms.renewalTermDays,
            billingCalendarOf(wallet),
          )}
        </Banner>
      )}
      {hasExpress && (
        <Suspense fallback={null}>
          <ExpressCheckout
            site={cardOrigins.sites.stripe}
            publicKey={available.card?.public_key ?? ''}
            title={classPackage.title}
            amount={price.total - byCard}
            holds={paying.busy ? 'Estamos procesando tu pago.' : expressHolds}
            onAuthorized={() => !paying.busy && showMissing(column.current)}
            state={express.state}
            onState={express.decide}
            pay={paying.pay}
          />
        </Suspense>
      )}
      {express.isWaiting ? (
        <PaymentOptionsSkeleton />
      ) : (
        <>
          {options.length > 0 && (
            <RadioCards legend="Forma de pago" quietLegend variant="list" options={options} value={chosen} onChange={choose} />
          )}
          {!available.free && options.length === 0 && !site.checkout_disabled && (
            <Banner tone="warn">Por ahora no se puede pagar este paquete en línea. Comunícate con nosotros.</Banner>
          )}
          {documents.length > 0 && <Acceptance documents={documents} accepted={accepted} onChange={setAccepted} />}
          <PayBar
            column={column}
            paying={paying}
            wallet={wallet}
            choice={choice}
            available={available}
            holds={expressHolds ?? missing}
            isSubscription={classPackage.is_subscription}
            giftCardPays={byCard > 0}
            amount={trial ? null : price.total - byCard}
            walletSite={cardOrigins.sites.paypal}
          />
        </>
      )}
      {challenge}
      <FeeFirst
        feeId={refused?.feeId ?? (feeSeen ? null : owed)}
        busy={paying.busy}
        onPay={(id) => paying.go(paths.checkout(id))}
        onClose={() => {
          setFeeSeen(true)
          paying.forget()
        }}
      />
    </>
  )
}

/**
 * Whether the browser has a wallet for the express buttons. The payment options wait for the answer, but not longer than
 * EXPRESS_TIMEOUT_MS.
 */
function useExpressState(hasExpress: boolean) {
  const [state, setState] = useState<'asking' | 'shown' | 'none'>('asking')
  const isWaiting = hasExpress && state === 'asking'
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(setState, EXPRESS_TIMEOUT_MS, 'none')
    return () => clearTimeout(timer)
  }, [isWaiting])
  return { state, isWaiting, decide: (next: 'shown' | 'none') => setState((now) => (now === 'asking' ? next : now)) }
}

/** The class that is reserved after the payment, and how long its place is held. */
function HeldClass({ wanted, holdMinutes }: { wanted: NotedClass; holdMinutes: number }) {
  return (
    <p className="small">
      Después de pagar apartas tu lugar: <b>{wanted.name}</b>, {formatWall(wanted.class_date, 'class')}.
      {holdMinutes > 0 && ` Si hay lugar, te lo guardamos ${holdMinutes} min desde que empiezas a pagar.`}
    </p>
  )
}

interface PayBarProps {
  column: RefObject<HTMLDivElement | null>
  paying: ReturnType<typeof usePaying>
  choice: ReturnType<typeof usePaymentOptionChoice>
  available: PaymentOptions
  /** the wallet that is chosen */
  wallet: WalletProcessor | null
  /** address of the wallet's scripts */
  walletSite: string
  /** why it cannot be paid yet; null: it can */
  holds: string | null
  isSubscription: boolean
  giftCardPays: boolean
  /** centavos on the button; null: none are charged today */
  amount: number | null
}

/** The button that pays: that of the chosen wallet, or the page's own. While it waits for something, a click scrolls there. */
function PayBar({ column, paying, choice, available, wallet, walletSite, holds, isSubscription, giftCardPays, amount }: PayBarProps) {
  const { chosen, how } = choice
  const { free } = available
  const WalletButton = wallet && WALLET_BUTTONS[wallet]
  const pay = () => {
    const selected = how()
    if (selected) paying.pay(selected)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: clicks of the button inside, by keyboard too, bubble up to here */}
      <div ref={column} className="checkout-pay" onClick={() => holds && !paying.busy && showMissing(column.current)}>
        {WalletButton && !holds && !paying.busy ? (
          <Suspense fallback={<Skeleton height="48px" shape="pill" />}>
            <WalletButton
              site={walletSite}
              publicKey={available.wallet?.public_key ?? ''}
              subscription={isSubscription}
              begin={paying.begin}
              follow={paying.followWallet}
              refuse={paying.refuse}
            />
          </Suspense>
        ) : (
          (free || chosen !== null) && (
            <Button full loading={paying.busy} reason={holds} icon={<IconLock className="icon" aria-hidden="true" />} onClick={pay}>
              {free
                ? giftCardPays
                  ? 'Pagar con la tarjeta de regalo'
                  : 'Obtener Oferta'
                : payVerb(chosen ?? 'card', amount === null ? null : formatMoney(amount))}
            </Button>
          )
        )}
      </div>
      {!free && chosen !== null && chosen !== 'cash' && (
        <p className="small muted checkout-safe">
          El pago lo procesa un proveedor certificado. El estudio no ve ni guarda el número de tu tarjeta.
        </p>
      )}
    </>
  )
}

/** Scrolls to what the pay button waits for: the documents, or the card. */
function showMissing(bar: HTMLElement | null): void {
  const column = bar?.parentElement
  const box = column?.querySelector<HTMLInputElement>('.checkout-accept input:not(:checked)')
  box?.focus({ preventScroll: true })
  const missing = box?.closest('.checkout-accept') ?? column?.querySelector('.radio-card .panel')
  missing?.scrollIntoView({ block: 'center' })
}
