import { IconArrowLeft } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClassPackage } from '#contract/catalogue.ts'
import { errors } from '#contract/errors.ts'
import { CheckoutPackage } from '#web/features/checkout-package.tsx'
import { CheckoutPayment } from '#web/features/checkout-payment.tsx'
import { LoginForm } from '#web/features/login-form.tsx'
import { type SignupDocument, SignupForm } from '#web/features/signup-form.tsx'
import { SiteNavbar } from '#web/features/site-navbar.tsx'
import { Toaster } from '#web/features/toaster.tsx'
import { browserQueries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/checkout.ts'
import './checkout.css'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { client, dependsOn, cardFrames } = context.get(rendering)
  dependsOn('catalogue', 'content')
  const id = Number(params.class_package_id)
  const [pack, { pages }] = await Promise.all([
    client.catalogue.package({ class_package_id: Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 2 ** 31 - 1 }).then(
      (found) => found.class_package,
      (error: unknown) => {
        if (failureOf(error).code === 'PACKAGE_NOT_FOUND') return null
        throw error
      },
    ),
    client.content.pages(),
  ])
  const brief = ({ page_id, slug: address, title }: (typeof pages)[number]) => ({ page_id, slug: address, title })
  return {
    pack,
    frame: cardFrames[0] ?? null,
    required: pages.filter((page) => page.required).map(brief),
    signup: pages.filter((page) => page.required_signup).map(brief),
  }
}

/** /checkout/{id}: what is bought on the left, how it is paid on the right (S1-2.55 to S1-2.70). */
export default function Checkout({ loaderData: { pack, frame, required, signup } }: Route.ComponentProps) {
  const site = useSite()
  return (
    <>
      <SiteNavbar />
      <main id="contenido" className="wrap checkout" tabIndex={-1}>
        <title>{`Checkout · ${site.business_name}`}</title>
        <meta name="robots" content="noindex" />
        <div className="row gap-16">
          <AppLink className="icon-btn" to={paths.packages(site)} aria-label={`Volver a ${site.class_packages_name}`}>
            <IconArrowLeft className="icon" aria-hidden="true" />
          </AppLink>
          <h1 className="t1">Checkout</h1>
        </div>
        {pack ? (
          <QueryClientProvider client={browserQueries()}>
            <div className="checkout-halves">
              <CheckoutPackage pack={pack} />
              <Paying pack={pack} frame={frame} required={required} signup={signup} />
            </div>
          </QueryClientProvider>
        ) : (
          <Notice tone="danger" title={errors.PACKAGE_NOT_FOUND.message}>
            <AppLink className="link" to={paths.packages(site)}>
              Ver {site.class_packages_name.toLowerCase()}
            </AppLink>
          </Notice>
        )}
      </main>
      <Toaster />
    </>
  )
}

interface PayingProps {
  pack: ClassPackage
  /** origin of the processor's frames; null: no card can be charged here */
  frame: string | null
  required: readonly SignupDocument[]
  signup: readonly SignupDocument[]
}

function Paying({ pack, frame, required, signup }: PayingProps) {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  const [asking, setAsking] = useState<'login' | 'signup'>('login')
  // The forms end signed in but not finished: the pay column waits for their word.
  const [entering, setEntering] = useState(false)
  if (session.state === 'signed-in' && !entering) return <CheckoutPayment pack={pack} frame={frame} required={required} />
  if (session.state === 'starting')
    return (
      <Loading loading skeleton={<Skeleton height="420px" />}>
        {null}
      </Loading>
    )
  return (
    <section aria-labelledby="cuenta" className="stack gap-16">
      <h2 id="cuenta" className="t3 checkout-title">
        {asking === 'login' ? 'Entra para comprar' : 'Crea tu cuenta para comprar'}
      </h2>
      <Segmented
        label="Cuenta"
        options={[
          { value: 'login', label: 'Ya tengo cuenta' },
          { value: 'signup', label: 'Crear cuenta' },
        ]}
        value={asking}
        onChange={setAsking}
      />
      <div className="card padded">
        {asking === 'login' ? (
          <LoginForm onDone={() => setEntering(false)} onSignup={() => setAsking('signup')} />
        ) : (
          <div onSubmitCapture={() => setEntering(true)}>
            <SignupForm documents={signup} onDone={() => setEntering(false)} onLogin={() => setAsking('login')} />
          </div>
        )}
      </div>
    </section>
  )
}
