import { IconCalendarRepeat, IconLock } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
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
import { DocumentDialog } from '#web/features/account/document-dialog.tsx'
import { type DocumentToAccept, documentNames } from '#web/features/account/document-names.tsx'
import { api, queries } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { useCustomerQuery } from '#web/lib/customer.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { readWantedClass } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { type CardOrigins, useBankChallenge } from './card-entry.tsx'
import { checkoutSum, type GiftCardUsed } from './checkout-sum.ts'
import { OpenPurchaseBanner, OrderLink, useOpenPurchase } from './open-purchase.tsx'
import { payVerb, subscriptionTerms } from './payment-text.ts'
import { useOwedFee } from './signup-fee.ts'
import { type How, type Refused, usePaying } from './use-paying.ts'
import { usePaymentOptionChoice } from './use-payment-option.tsx'

type Accepted = Awaited<ReturnType<typeof api.content.accepted>>

const PayPalButton = lazyPart(() => import('./wallet-button.tsx'))
/** The button that the script of each wallet draws; null: the customer approves on its page. */
const WALLET_BUTTONS = { sandbox: null, paypal: PayPalButton } as const satisfies Record<WalletProcessor, unknown>
/** The wallets' buttons are an extra: without them the page is whole. */
const ExpressCheckout = lazy(() => import('./express-checkout.tsx').catch(() => ({ default: () => null })))
/** How long the payment options wait for these buttons, which would push them down later. */
const EXPRESS_TIMEOUT_MS = 1_500

interface CheckoutPaymentProps {
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
export function usePaymentOptions(classPackage: ClassPackage, discount: Discount | null, giftCard: GiftCardUsed | null, enabled = true) {
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
    enabled,
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

function Pay({
  classPackage,
  discount,
  giftCard,
  onPriceChanged,
  onDiscountRefused,
  onGiftCardRefused,
  onTrialUsed,
  cardOrigins,
  banners,
  required,
  noTrial,
  terms,
  available,
}: CheckoutPaymentProps & { available: PaymentOptions }) {
  const site = useSite()
  const me = useCustomerQuery().data?.customer
  const pending = useQuery(queries.content.accepted.queryOptions({ meta: { handled: true } }))
  const { options, chosen, choose, missing, how } = usePaymentOptionChoice(
    available,
    cardOrigins,
    terms.cashHours,
    me && `${me.name} ${me.last_name}`.trim(),
  )
  // After an acceptance at the sign-up just before, the box is ticked already; it can be unticked (S1-5.18).
  const [ticked, setAccepted] = useState<boolean | null>(null)
  const documents = [
    ...required,
    ...(pending.data?.pending ?? []).filter((page) => !required.some(({ page_id }) => page_id === page.page_id)),
  ]
  const accepted = ticked ?? acceptedJustNow(pending.data, documents)
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
    onPriceChanged,
    onDiscountRefused,
    onGiftCardRefused,
    onTrialUsed,
    async before() {
      for (const page of pending.data?.pending ?? []) await api.content.accept({ page_id: page.page_id })
    },
    confirmAtBank,
    wanted,
  })
  const { refused } = paying
  const { free } = available
  const feeId = refused?.feeId ?? (feeSeen ? null : owed)

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
  const holds = expressHolds ?? missing
  const hasExpress = available.express && Boolean(available.card?.public_key)
  const [express, setExpress] = useState<'asking' | 'shown' | 'none'>('asking')
  const decideExpress = (next: 'shown' | 'none') => setExpress((now) => (now === 'asking' ? next : now))
  const isWaiting = hasExpress && express === 'asking'
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(setExpress, EXPRESS_TIMEOUT_MS, 'none')
    return () => clearTimeout(timer)
  }, [isWaiting])
  const wallet = chosen === 'paypal' && !free ? (available.wallet?.processor ?? null) : null
  const WalletButton = wallet && WALLET_BUTTONS[wallet]

  return (
    <>
      {refused &&
        refused.feeId === null &&
        banners &&
        createPortal(<Refusal refused={refused} busy={paying.busy} onAgain={(chosen) => paying.pay(chosen, true)} />, banners)}
      {wanted && (
        <p className="small">
          Después de pagar apartas tu lugar: <b>{wanted.name}</b>, {formatWall(wanted.class_date, 'class')}.
          {terms.holdMinutes > 0 && ` Si hay lugar, te lo guardamos ${terms.holdMinutes} min desde que empiezas a pagar.`}
        </p>
      )}
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
            state={express}
            onState={decideExpress}
            pay={paying.pay}
          />
        </Suspense>
      )}
      {isWaiting ? (
        <PaymentOptionsSkeleton />
      ) : (
        <>
          {options.length > 0 && (
            <RadioCards legend="Forma de pago" quietLegend variant="list" options={options} value={chosen} onChange={choose} />
          )}
          {!free && options.length === 0 && !site.checkout_disabled && (
            <Banner tone="warn">Por ahora no se puede pagar este paquete en línea. Comunícate con nosotros.</Banner>
          )}
          {documents.length > 0 && <Acceptance documents={documents} accepted={accepted} onChange={setAccepted} />}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: clicks of the button inside, by keyboard too, bubble up to here */}
          <div ref={column} className="checkout-pay" onClick={() => holds && !paying.busy && showMissing(column.current)}>
            {WalletButton && !holds && !paying.busy ? (
              <Suspense fallback={<Skeleton height="48px" shape="pill" />}>
                <WalletButton
                  site={cardOrigins.sites.paypal}
                  publicKey={available.wallet?.public_key ?? ''}
                  subscription={classPackage.is_subscription}
                  begin={paying.begin}
                  follow={paying.followWallet}
                  refuse={paying.refuse}
                />
              </Suspense>
            ) : (
              (free || chosen !== null) && (
                <Button
                  full
                  loading={paying.busy}
                  reason={holds}
                  icon={<IconLock className="icon" aria-hidden="true" />}
                  onClick={() => {
                    const chosen = how()
                    if (chosen) paying.pay(chosen)
                  }}
                >
                  {free
                    ? byCard
                      ? 'Pagar con la tarjeta de regalo'
                      : 'Obtener Oferta'
                    : payVerb(chosen ?? 'card', trial ? null : formatMoney(price.total - byCard))}
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
      )}
      {challenge}
      <FeeFirst
        feeId={feeId}
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

/** Scrolls to what the pay button waits for: the documents, or the card. */
function showMissing(bar: HTMLElement | null): void {
  const column = bar?.parentElement
  const box = column?.querySelector<HTMLInputElement>('.checkout-accept input:not(:checked)')
  box?.focus({ preventScroll: true })
  const missing = box?.closest('.checkout-accept') ?? column?.querySelector('.radio-card .panel')
  missing?.scrollIntoView({ block: 'center' })
}

/** How long an acceptance counts as made in this visit. */
const SAME_VISIT_MS = 3_600_000

/** Whether all documents were accepted, in their current version, within the last hour. */
function acceptedJustNow(known: Accepted | undefined, required: readonly DocumentToAccept[]): boolean {
  if (!known || known.pending.length > 0) return false
  const since = currentInstant().getTime() - SAME_VISIT_MS
  const recent = known.accepted_pages.filter(({ createdAt }) => Date.parse(createdAt) > since)
  return required.every((page) => recent.some(({ page_id }) => page_id === page.page_id))
}

/** A refusal at the top of the page; scrolled into view, because the button is far below. */
function Refusal({ refused, busy, onAgain }: { refused: Refused; busy: boolean; onAgain: (how: How) => void }) {
  const { message, orderId, again } = refused
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new refusal scrolls again
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
  }, [refused])
  return (
    <div ref={box}>
      {orderId === null ? (
        <Banner tone="danger" live>
          {message}
        </Banner>
      ) : (
        <Banner tone={again ? 'warn' : 'danger'} live title={message}>
          <div className="row wraps gap-16">
            <OrderLink purchase_id={orderId} />
            {again && (
              <Button variant="outline" size="small" loading={busy} onClick={() => onAgain(again)}>
                Comprar otro igual
              </Button>
            )}
          </div>
        </Banner>
      )}
    </div>
  )
}

/** The sign-up fee must be bought first (S1-2.71). */
function FeeFirst({
  feeId,
  busy,
  onPay,
  onClose,
}: {
  feeId: number | null
  busy: boolean
  onPay: (feeId: number) => void
  onClose: () => void
}) {
  return (
    <Dialog
      open={feeId !== null}
      onClose={onClose}
      title="Completar Inscripción"
      actions={
        <Button loading={busy} onClick={() => onPay(feeId ?? 0)}>
          Ir a Pagar
        </Button>
      }
    >
      <p>{accountErrors.SIGNUP_FEE_REQUIRED.message}</p>
    </Dialog>
  )
}

/** The documents to accept; each opens in a dialog, so that typed values stay. */
function Acceptance({
  documents,
  accepted,
  onChange,
}: {
  documents: readonly DocumentToAccept[]
  accepted: boolean
  onChange: (accepted: boolean) => void
}) {
  const [reading, setReading] = useState<DocumentToAccept | null>(null)
  return (
    <div className="checkout-accept">
      <Checkbox checked={accepted} onChange={(event) => onChange(event.currentTarget.checked)}>
        Acepto{' '}
        {documentNames(documents, (page) => (
          <button type="button" className="link" onClick={() => setReading(page)}>
            {page.title}
          </button>
        ))}
      </Checkbox>
      <DocumentDialog page={reading} onClose={() => setReading(null)} />
    </div>
  )
}
