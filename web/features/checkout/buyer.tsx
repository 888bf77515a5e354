/** The parts of the checkout behind the log-in, in a chunk of their own: a visitor's page has neither the API nor the payment. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { paths } from '#contract/paths.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import { AccountBar } from '#web/features/account/account-bar.tsx'
import { lacksCustomer, NoCustomer } from '#web/features/account/no-customer.tsx'
import { SiteHeader } from '#web/features/site/site-header.tsx'
import { SiteNavbar } from '#web/features/site/site-navbar.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { CustomerProvider, useCustomerQuery } from '#web/lib/customer.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CheckoutPayment, type CheckoutPaymentProps, usePaymentOptions } from './checkout-payment.tsx'
import { checkoutSum, type GiftCardUsed } from './checkout-sum.ts'
import { DiscountForm } from './discount-form.tsx'

const GiftCardForm = lazyPart(() => import('./gift-card-form.tsx'))

const WithQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={browserQueries()}>{children}</QueryClientProvider>
)

/** The customer's bar; the visitor's until the customer is loaded. */
export const BuyerBar = () => (
  <WithQueries>
    <CustomerBar />
  </WithQueries>
)

function CustomerBar() {
  const me = useCustomerQuery()
  if (!me.data) return <SiteNavbar />
  return (
    <CustomerProvider customer={me.data.customer}>
      <SiteHeader>
        <AccountBar onLeft={() => location.assign(paths.login)} />
      </SiteHeader>
    </CustomerProvider>
  )
}

interface CodesProps {
  classPackage: ClassPackage
  discount: Discount | null
  giftCard: GiftCardUsed | null
  onDiscount: (discount: Discount | null) => void
  onGiftCard: (card: GiftCardUsed | null) => void
}

/** The forms of discount codes and gift cards (S1-2.64). */
export const BuyerCodes = (props: CodesProps) => (
  <WithQueries>
    <Codes {...props} />
  </WithQueries>
)

function Codes({ classPackage, discount, giftCard, onDiscount, onGiftCard }: CodesProps) {
  const site = useSite()
  const [hasGiftCard, setHasGiftCard] = useState(false)
  // Nothing can be discounted from a free package, and no gift card pays it.
  if (site.checkout_disabled || quoteOnWire(classPackage, null).amount <= 0) return null
  return (
    <>
      {site.discounts_enabled && <DiscountForm classPackage={classPackage} discount={discount} onChange={onDiscount} />}
      {!classPackage.is_subscription &&
        (hasGiftCard ? (
          <Suspense fallback={<Skeleton height="76px" />}>
            <GiftCardForm
              class_package_id={classPackage.class_package_id}
              card={giftCard}
              part={checkoutSum(classPackage, discount, giftCard).byCard}
              onChange={onGiftCard}
            />
          </Suspense>
        ) : (
          <Button variant="quiet" size="small" className="checkout-gift" onClick={() => setHasGiftCard(true)}>
            Tengo una tarjeta de regalo
          </Button>
        ))}
    </>
  )
}

interface BuyerPaymentProps extends Omit<CheckoutPaymentProps, 'onPriceChanged' | 'onDiscountRefused' | 'onGiftCardRefused'> {
  onDiscount: (discount: Discount | null) => void
  onGiftCard: (card: GiftCardUsed | null) => void
  /** the payment options say whether this customer may have the free trial */
  onTrialOffered: (offered: boolean) => void
}

/** The payment for customers. A signed-in user without a customer (staff, an interrupted sign-up) has to create one first. */
export const BuyerPayment = (props: BuyerPaymentProps) => (
  <WithQueries>
    <Buyer {...props} />
  </WithQueries>
)

function Buyer({ onDiscount, onGiftCard, onTrialOffered, ...props }: BuyerPaymentProps) {
  const { classPackage, discount, giftCard } = props
  const { class_package_id } = classPackage
  const me = useCustomerQuery()
  const trialOffered = usePaymentOptions(classPackage, discount, giftCard).data?.free_trial
  useEffect(() => {
    if (trialOffered !== undefined) onTrialOffered(trialOffered)
  }, [trialOffered, onTrialOffered])
  const page = useRevalidator()
  async function reload() {
    const code = discount?.code
    await Promise.all([
      page.revalidate(),
      // A code that is no longer valid is removed, so that the page never shows a price that is not charged.
      code &&
        api.discounts.byCode({ code, class_package_id }).then(
          ({ discount: found }) => onDiscount(found),
          () => onDiscount(null),
        ),
    ])
    await browserQueries().invalidateQueries({ queryKey: queries.checkout.key() })
  }
  if (me.isError && lacksCustomer(me.error))
    return (
      <div className="card padded stack gap-16">
        <NoCustomer error={me.error} back={paths.checkout(class_package_id)} />
      </div>
    )
  return (
    <CheckoutPayment
      {...props}
      onPriceChanged={() => void reload()}
      onDiscountRefused={() => onDiscount(null)}
      onGiftCardRefused={() => onGiftCard(null)}
    />
  )
}
