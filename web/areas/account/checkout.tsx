import { IconArrowLeft } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { paths } from '#contract/paths.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import { AccountBar } from '#web/features/account/account-bar.tsx'
import type { DocumentToAccept } from '#web/features/account/document-names.tsx'
import { LoginForm } from '#web/features/account/login-form.tsx'
import { lacksCustomer, NoCustomer } from '#web/features/account/no-customer.tsx'
import { SignupForm } from '#web/features/account/signup-form.tsx'
import { CheckoutPackage } from '#web/features/checkout/checkout-package.tsx'
import { CheckoutPayment, usePaymentOptions } from '#web/features/checkout/checkout-payment.tsx'
import { checkoutSum, type GiftCardUsed } from '#web/features/checkout/checkout-sum.ts'
import { DiscountForm } from '#web/features/checkout/discount-form.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { SiteHeader } from '#web/features/site/site-header.tsx'
import { SiteNavbar } from '#web/features/site/site-navbar.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { useResumedSession } from '#web/lib/bearer.ts'
import { CustomerProvider, useCustomerQuery } from '#web/lib/customer.tsx'
import { documentsToAccept } from '#web/lib/documents-to-accept.ts'
import { toFailure } from '#web/lib/errors.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { freshWithPackages } from '#web/lib/packages-expiry.server.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import { wasSignedInHere } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/checkout.ts'
import './checkout.css'

const GiftCardForm = lazyPart(() => import('#web/features/checkout/gift-card-form.tsx'))

/** Codes of a package that cannot be bought: unknown, or an event that is over or cancelled. */
const NOT_SOLD = ['PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED'] as const

export async function loader({ context, params }: Route.LoaderArgs) {
  const all = context.get(rendering)
  const { client, dependsOn, cardFrames, providerSites, settings } = all
  dependsOn('catalogue', 'content', 'settings')
  const id = Number(params.class_package_id)
  const [{ classPackage, why }, { pages }] = await Promise.all([
    client.catalogue.package({ class_package_id: Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 2 ** 31 - 1 }).then(
      (found) => ({ classPackage: found.class_package, why: null }),
      (error: unknown) => {
        const { code, message } = toFailure(error)
        if (!NOT_SOLD.some((one) => one === code)) throw error
        return { classPackage: null, why: { code, message } }
      },
    ),
    client.content.pages(),
  ])
  if (classPackage) freshWithPackages(all, [classPackage])
  return {
    classPackage,
    why,
    isPreview: all.isPreview,
    cardOrigins: { frame: cardFrames[0] ?? null, sites: providerSites },
    terms: { cashHours: settings.cash_hold_hours, renewalTermDays: settings.renewal_notice_days, holdMinutes: settings.hold_while_paying },
    required: documentsToAccept(pages, 'required'),
    signup: documentsToAccept(pages, 'required_signup'),
  }
}

type Data = Awaited<ReturnType<typeof loader>>
type Offered = Omit<Data, 'classPackage' | 'why'> & { classPackage: ClassPackage; banners: HTMLElement | null }

/** /checkout/{id}: the package on the left, the payment on the right (S1-2.55 to S1-2.70). */
export default function Checkout({ loaderData }: Route.ComponentProps) {
  const site = useSite()
  const { classPackage, why } = loaderData
  const [banners, setBanners] = useState<HTMLElement | null>(null)
  return (
    <QueryClientProvider client={browserQueries()}>
      <Bar />
      <main id="contenido" className="wrap checkout" tabIndex={-1}>
        <PageTitle>Checkout</PageTitle>
        <meta name="robots" content="noindex" />
        <div className="row gap-16">
          <AppLink className="icon-btn" to={paths.packages(site)} aria-label={`Volver a ${site.class_packages_name}`}>
            <IconArrowLeft className="icon" aria-hidden="true" />
          </AppLink>
          <h1 className="t1">Checkout</h1>
        </div>
        <div ref={setBanners} className="checkout-banners" />
        {classPackage ? (
          <Halves {...loaderData} classPackage={classPackage} banners={banners} />
        ) : (
          <Banner tone={why?.code === 'PACKAGE_NOT_FOUND' ? 'danger' : 'warn'} title={why?.message}>
            <AppLink className="link" to={paths.packages(site)}>
              Ver {site.class_packages_name.toLowerCase()}
            </AppLink>
          </Banner>
        )}
      </main>
      <Toaster />
    </QueryClientProvider>
  )
}

/** The visitor's bar; the customer's bar once the session is known to be signed in. */
function Bar() {
  const site = useSite()
  const session = useResumedSession(site.firebaseConfig)
  return session.state === 'signed-in' ? <CustomerBar /> : <SiteNavbar />
}

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

function Halves(offered: Offered) {
  const site = useSite()
  const session = useResumedSession(site.firebaseConfig)
  // The log-in and sign-up forms are signed in before they are finished: the payment column waits until they report the end.
  const [entering, setEntering] = useState(false)
  const [discount, setDiscount] = useState<Discount | null>(null)
  const [giftCard, setGiftCard] = useState<GiftCardUsed | null>(null)
  const [hasGiftCard, setHasGiftCard] = useState(false)
  // The server finds out only at the payment that this card already had its trial with another account.
  const [trialUsed, setTrialUsed] = useState(false)
  const { cardOrigins, required, signup, terms, banners, isPreview } = offered
  const isIn = session.state === 'signed-in' && !entering
  const paymentOptions = usePaymentOptions(offered.classPackage, discount, giftCard, isIn)
  const hasTrial = Boolean(offered.classPackage.is_subscription && offered.classPackage.free_trial_length)
  const noTrial = hasTrial && (trialUsed || (isIn && paymentOptions.data?.free_trial === false))
  // Show the price that is charged (docs/domain.md V41).
  const classPackage = noTrial ? { ...offered.classPackage, free_trial_length: null, free_trial_period: null } : offered.classPackage
  const page = useRevalidator()
  async function reload() {
    const code = discount?.code
    await Promise.all([
      page.revalidate(),
      // A code that is no longer valid is removed, so that the page never shows a price that is not charged.
      code &&
        api.discounts.byCode({ code, class_package_id: classPackage.class_package_id }).then(
          ({ discount: found }) => setDiscount(found),
          () => setDiscount(null),
        ),
    ])
    await browserQueries().invalidateQueries({ queryKey: queries.checkout.key() })
  }
  // Nothing can be discounted from a free package, and no gift card pays it.
  const codes = isIn && !site.checkout_disabled && quoteOnWire(classPackage, null).amount > 0
  return (
    <div className="checkout-halves">
      <CheckoutPackage classPackage={classPackage} discount={discount} giftCard={giftCard}>
        {codes && site.discounts_enabled && <DiscountForm classPackage={classPackage} discount={discount} onChange={setDiscount} />}
        {codes &&
          !classPackage.is_subscription &&
          (hasGiftCard ? (
            <Suspense fallback={<Skeleton height="76px" />}>
              <GiftCardForm
                class_package_id={classPackage.class_package_id}
                card={giftCard}
                part={checkoutSum(classPackage, discount, giftCard).byCard}
                onChange={setGiftCard}
              />
            </Suspense>
          ) : (
            <Button variant="quiet" size="small" className="checkout-gift" onClick={() => setHasGiftCard(true)}>
              Tengo una tarjeta de regalo
            </Button>
          ))}
      </CheckoutPackage>
      {isIn ? (
        <Buyer back={paths.checkout(classPackage.class_package_id)}>
          <CheckoutPayment
            classPackage={classPackage}
            discount={discount}
            giftCard={giftCard}
            onPriceChanged={() => void reload()}
            onDiscountRefused={() => setDiscount(null)}
            onGiftCardRefused={() => setGiftCard(null)}
            onTrialUsed={() => setTrialUsed(true)}
            noTrial={noTrial}
            cardOrigins={cardOrigins}
            banners={banners}
            required={required}
            terms={terms}
          />
        </Buyer>
      ) : session.state === 'starting' && !isPreview ? (
        <>
          <noscript>
            <Banner>Para comprar, activa JavaScript en tu navegador.</Banner>
          </noscript>
          <Loading loading skeleton={<Skeleton height="420px" />}>
            {null}
          </Loading>
        </>
      ) : (
        <Enter signup={signup} isPreview={isPreview} onEntering={setEntering} />
      )}
    </div>
  )
}

/** Shows the payment to customers. A signed-in user without a customer (staff, an interrupted sign-up) has to create one first. */
function Buyer({ back, children }: { back: string; children: ReactNode }) {
  const me = useCustomerQuery()
  if (!me.isError || !lacksCustomer(me.error)) return children
  return (
    <div className="card padded stack gap-16">
      <NoCustomer error={me.error} back={back} />
    </div>
  )
}

interface EnterProps {
  signup: readonly DocumentToAccept[]
  isPreview: boolean
  onEntering: (entering: boolean) => void
}

/** Log-in or sign-up inside the checkout (S1-2.65). On a device without an earlier sign-in the sign-up comes first. */
function Enter({ signup, isPreview, onEntering }: EnterProps) {
  // A preview is rendered on the server, without the data of a device.
  const { pathname, search } = useLocation()
  const [form, setForm] = useState<'login' | 'signup'>(() => (isPreview || wasSignedInHere() ? 'login' : 'signup'))
  return (
    <section aria-labelledby="cuenta" className="stack gap-16">
      <h2 id="cuenta" className="t3 checkout-title">
        {form === 'login' ? 'Entra para comprar' : 'Crea tu cuenta para comprar'}
      </h2>
      <Segmented
        label="Cuenta"
        options={[
          { value: 'login', label: 'Ya tengo cuenta' },
          { value: 'signup', label: 'Crear cuenta' },
        ]}
        value={form}
        onChange={setForm}
      />
      <div className="card padded">
        {form === 'login' ? (
          <LoginForm onDone={() => onEntering(false)} onSignup={() => setForm('signup')} returnTo={`${pathname}${search}`} />
        ) : (
          <div onSubmitCapture={() => onEntering(true)}>
            <SignupForm documents={signup} onDone={() => onEntering(false)} onLogin={() => setForm('login')} />
          </div>
        )}
      </div>
    </section>
  )
}
