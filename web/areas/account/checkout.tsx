import { IconArrowLeft } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { paths } from '#contract/paths.ts'
import type { DocumentToAccept } from '#web/features/account/document-names.tsx'
import { LoginForm } from '#web/features/account/login-form.tsx'
import { SignupForm } from '#web/features/account/signup-form.tsx'
import { CheckoutPackage } from '#web/features/checkout/checkout-package.tsx'
import type { GiftCardUsed } from '#web/features/checkout/checkout-sum.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { SiteNavbar } from '#web/features/site/site-navbar.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { documentsToAccept } from '#web/lib/documents-to-accept.ts'
import { toFailure } from '#web/lib/errors.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { freshWithPackages } from '#web/lib/packages-expiry.server.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useResumedSession } from '#web/lib/resumed-session.ts'
import { useSessionOfForm } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { validStoredToken } from '#web/lib/stored-token.ts'
import { wasSignedInHere } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/checkout.ts'
import './checkout.css'

/** What only a signed-in user sees. */
const loadBuyer = () => import('#web/features/checkout/buyer.tsx')
const BuyerPayment = lazyPart(async () => ({ default: (await loadBuyer()).BuyerPayment }))
// Without these two the page is whole.
const BuyerBar = lazyPart(
  async () => ({ default: (await loadBuyer()).BuyerBar }),
  () => <SiteNavbar />,
)
const BuyerCodes = lazyPart(
  async () => ({ default: (await loadBuyer()).BuyerCodes }),
  () => null,
)
/** Begins to load it; a failure is shown where it is needed. */
const preloadBuyer = () => void loadBuyer().catch(() => {})
// Before hydration, if the page is going to be a customer's.
if (!import.meta.env.SSR && validStoredToken()) preloadBuyer()

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
        if (!NOT_SOLD.some((refusal) => refusal === code)) throw error
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
const useCheckoutSession = () => useResumedSession(useSite().firebaseConfig, { forVisitors: true })

type Offered = Omit<Data, 'classPackage' | 'why'> & { classPackage: ClassPackage; banners: HTMLElement | null }

/** /checkout/{id}: the package on the left, the payment on the right (S1-2.55 to S1-2.70). */
export default function Checkout({ loaderData }: Route.ComponentProps) {
  const site = useSite()
  const { classPackage, why } = loaderData
  const [banners, setBanners] = useState<HTMLElement | null>(null)
  return (
    <>
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
    </>
  )
}

/** The visitor's bar; the customer's bar once the session is known to be signed in. */
function Bar() {
  const { state } = useCheckoutSession()
  if (state !== 'signed-in') return <SiteNavbar />
  return (
    <Suspense fallback={<SiteNavbar />}>
      <BuyerBar />
    </Suspense>
  )
}

function Halves(offered: Offered) {
  const session = useCheckoutSession()
  // The log-in and sign-up forms are signed in before they are finished: the payment column waits until they report the end.
  const [entering, setEntering] = useState(false)
  const [discount, setDiscount] = useState<Discount | null>(null)
  const [giftCard, setGiftCard] = useState<GiftCardUsed | null>(null)
  const [trialOffered, setTrialOffered] = useState(true)
  // The server finds out only at the payment that this card already had its trial with another account.
  const [trialUsed, setTrialUsed] = useState(false)
  const { cardOrigins, required, signup, terms, banners, isPreview } = offered
  const isIn = session.state === 'signed-in' && !entering
  const hasTrial = Boolean(offered.classPackage.is_subscription && offered.classPackage.free_trial_length)
  const noTrial = hasTrial && (trialUsed || (isIn && !trialOffered))
  // Show the price that is charged (docs/domain.md V41).
  const classPackage = noTrial ? { ...offered.classPackage, free_trial_length: null, free_trial_period: null } : offered.classPackage
  const chosen = { classPackage, discount, giftCard }
  const codes = { onDiscount: setDiscount, onGiftCard: setGiftCard }
  return (
    <div className="checkout-halves">
      <CheckoutPackage {...chosen}>
        {isIn && (
          <Suspense>
            <BuyerCodes {...chosen} {...codes} />
          </Suspense>
        )}
      </CheckoutPackage>
      {isIn ? (
        <Suspense fallback={<Skeleton height="420px" />}>
          <BuyerPayment
            {...chosen}
            {...codes}
            onTrialUsed={() => setTrialUsed(true)}
            onTrialOffered={setTrialOffered}
            noTrial={noTrial}
            cardOrigins={cardOrigins}
            banners={banners}
            required={required}
            terms={terms}
          />
        </Suspense>
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
  // Who begins to type needs the identity service, and then the payment.
  useSessionOfForm(useSite().firebaseConfig)
  return (
    <section aria-labelledby="cuenta" className="stack gap-16" onFocus={preloadBuyer}>
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
            <SignupForm documents={signup} onDone={() => onEntering(false)} inside />
          </div>
        )}
      </div>
    </section>
  )
}
