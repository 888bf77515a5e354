import { IconArrowLeft, IconCalendarRepeat, IconLock, IconRefresh } from '@tabler/icons-react'
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errors, sentence } from '#contract/errors.ts'
import { basePrice, formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import type { PaymentAnswer } from '#contract/sales.ts'
import { Art, slug } from '#web/features/art.tsx'
import { CardChallenge, CardFields, type CardFieldsHandle } from '#web/features/card-fields.tsx'
import { DocumentDialog } from '#web/features/document-dialog.tsx'
import { LoginForm } from '#web/features/login-form.tsx'
import { packageWords } from '#web/features/package-words.ts'
import { CardBrand, cardIcon, cardTitle, cashIcon, type Way } from '#web/features/payment-choice.tsx'
import { RichText } from '#web/features/rich-text.tsx'
import { type SignupDocument, SignupForm } from '#web/features/signup-form.tsx'
import { SiteNavbar } from '#web/features/site-navbar.tsx'
import { Toaster } from '#web/features/toaster.tsx'
import { api, browserQueries, newIntention, queries } from '#web/lib/api.ts'
import { type Flow, failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSession } from '#web/lib/session.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, RadioCards, type RadioOption, Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
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

type Pack = NonNullable<Route.ComponentProps['loaderData']['pack']>

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
              <Bought pack={pack} />
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

function Bought({ pack }: { pack: Pack }) {
  const site = useSite()
  const words = packageWords(pack)
  const listed = parsePesos(pack.price) ?? 0
  const total = basePrice(listed, pack.sale_price ? parsePesos(pack.sale_price) : null)
  return (
    <section aria-labelledby="comprando">
      <h2 id="comprando" className="t3 checkout-title">
        Estás Comprando
      </h2>
      <div className="card checkout-package">
        {pack.image ? (
          <img className="checkout-image" src={fileUrl(site, pack.image.src)} alt="" width="480" height="225" />
        ) : (
          <Art
            kind="clase"
            seed={`${slug(pack.title)}-${pack.class_package_id}`}
            ground="stage"
            bodies={Math.max(1, Math.min(8, pack.class_amount))}
            width={480}
            height={225}
            className="checkout-image ground-stage"
            eager
          />
        )}
        <div className="padded stack gap-16">
          <div className="row spread">
            <h3 className="t3">{pack.title}</h3>
            {words.badge && (
              <Badge tone="brand" icon={pack.is_subscription && <IconRefresh className="icon" aria-hidden="true" />}>
                {words.badge}
              </Badge>
            )}
          </div>
          {pack.short_description && <p className="muted">{pack.short_description}</p>}
          {pack.description && <RichText html={pack.description} className="small" />}
          <PackageMarks classes={pack.class_amount} />
          <dl className="checkout-sum">
            <div>
              <dt>Precio</dt>
              <dd>{formatMoney(total)}</dd>
            </div>
            <div className="checkout-total">
              <dt>Total hoy</dt>
              <dd>
                {words.before && (
                  <>
                    <span className="sr-only">Precio anterior: </span>
                    <s className="small muted">{formatPesos(pack.price)}</s>
                  </>
                )}
                <b className="figure">{words.later ? '$0.00' : formatMoney(total)}</b>
              </dd>
            </div>
          </dl>
          <p className="small muted">{words.terms}</p>
        </div>
      </div>
    </section>
  )
}

interface PayingProps {
  pack: Pack
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
  if (session.state === 'signed-in' && !entering) return <PayColumn pack={pack} frame={frame} required={required} />
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

function PayColumn({ pack, frame, required }: Omit<PayingProps, 'signup'>) {
  const site = useSite()
  const methods = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000 }))
  const cards = useQuery({ ...queries.sales.cards.queryOptions({ meta: { handled: true } }), enabled: site.payment_sources_enabled })
  const pending = useQuery(queries.content.accepted.queryOptions({ meta: { handled: true } }))
  const fields = useRef<CardFieldsHandle>(null)
  const [key] = useState(newIntention)
  const [chosen, setChosen] = useState<Way | null>(null)
  const [cardReady, setCardReady] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const [saves, setSaves] = useState(false)
  const [reading, setReading] = useState<SignupDocument | null>(null)
  const [refused, setRefused] = useState<{ message: string; feeId: number | null } | null>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const [leaving, setLeaving] = useState(false)
  const [challenge, setChallenge] = useState<{ secret: string; answer(failed: string | null): void } | null>(null)

  const cash = methods.data?.payment_methods.find((method) => method.name === 'Efectivo')
  const words = packageWords(pack)
  const free = words.verb === 'Obtener Oferta' && !pack.is_subscription
  const cashOpen = site.cash_checkout_enabled && !pack.is_subscription && cash !== undefined
  // Cash is the default when it is on, otherwise card (S1-4.06).
  const way: Way = chosen ?? (cashOpen ? 'cash' : 'card')
  const total = basePrice(parsePesos(pack.price) ?? 0, pack.sale_price ? parsePesos(pack.sale_price) : null)
  const flow: Flow = free || way === 'cash' ? 'first' : way === 'card' ? 'embedded' : 'card'

  const pay = useMutation({
    meta: { handled: true },
    mutationFn: async (): Promise<PaymentAnswer> => {
      setRefused(null)
      for (const page of pending.data?.pending ?? []) await api.content.accept({ page_id: page.page_id })
      const context = { intention: key }
      if (free || way === 'cash')
        return api.sales.checkout(
          { class_package_id: pack.class_package_id, payment_method_id: free ? null : (cash?.payment_method_id ?? null) },
          { context },
        )
      const source = way === 'card' ? null : Number(way.slice('source-'.length))
      const token = source === null ? await fields.current?.tokenize() : null
      return api.sales.attempt(
        {
          class_package_id: pack.class_package_id,
          payment_source_id: source,
          payment_method: token ?? null,
          save_card: source === null && saves,
        },
        { context },
      )
    },
    async onSuccess(answer) {
      if (answer.session) return go(answer.session.url)
      if (answer.clientSecret) {
        const secret = answer.clientSecret
        const failed = await new Promise<string | null>((resolve) => setChallenge({ secret, answer: resolve }))
        setChallenge(null)
        if (failed) return setRefused({ message: sentence('CARD_CONFIRMATION', { message: failed }), feeId: null })
      }
      go(site.checkout_redirect_url || paths.thanks(answer.payment_id ?? answer.purchase_id))
    },
    onError(error) {
      const { code, message, data } = failureOf(error, flow)
      setRefused({ message, feeId: code === 'SIGNUP_FEE_REQUIRED' ? Number(data.class_package_id) : null })
    },
  })
  // What was refused stands above the ways to pay; on a phone that is far from the button.
  useEffect(() => {
    if (refused && refused.feeId === null) refusal.current?.scrollIntoView({ block: 'center' })
  }, [refused])
  function go(to: string) {
    setLeaving(true)
    location.assign(to)
  }

  const options: RadioOption<Way>[] = [
    ...(cards.data?.payment_sources ?? []).map((card) => ({
      value: `source-${card.payment_source_id}` as const,
      icon: <CardBrand type={card.card_type} />,
      title: cardTitle(card),
      detail: card.exp && `Vence ${card.exp}`,
    })),
    {
      value: 'card',
      icon: cardIcon,
      title: cards.data?.payment_sources.length ? 'Otra tarjeta' : 'Tarjeta de crédito o débito',
      panel: (
        <div className="stack gap-16">
          {frame ? (
            <CardFields ref={fields} origin={frame} onReady={setCardReady} />
          ) : (
            <Notice tone="warn">Por ahora no se puede pagar con tarjeta.</Notice>
          )}
          {site.payment_sources_enabled && (
            <Checkbox checked={saves} onChange={(event) => setSaves(event.currentTarget.checked)}>
              Guardar esta tarjeta para otra compra
            </Checkbox>
          )}
        </div>
      ),
    },
    ...(cashOpen
      ? [
          {
            value: 'cash' as const,
            icon: cashIcon,
            title: 'Efectivo',
            detail: cash?.description || 'Pagas en recepción; apartamos tu compra.',
          },
        ]
      : []),
  ]
  const holds =
    required.length > 0 && !accepted
      ? 'Acepta los documentos para continuar.'
      : !free && way === 'card' && !cardReady
        ? 'Completa los datos de tu tarjeta.'
        : null

  return (
    <section aria-labelledby="forma" className="stack gap-16">
      <h2 id="forma" className="t3 checkout-title">
        Forma de Pago
      </h2>
      <div ref={refusal}>
        {refused && refused.feeId === null && (
          <Notice tone="danger" live>
            {refused.message}
          </Notice>
        )}
      </div>
      {site.checkout_disabled && <Notice tone="warn">{errors.CHECKOUT_DISABLED.message}</Notice>}
      {pack.is_subscription && (
        <Notice tone="brand" icon={<IconCalendarRepeat className="icon" aria-hidden="true" />} title="Esto es una suscripción">
          {words.terms}. Te avisamos cinco días antes de cada cargo y puedes cancelar cuando quieras desde Mis Compras.
        </Notice>
      )}
      {!free && <RadioCards legend="Forma de pago" quietLegend look="list" options={options} value={way} onChange={setChosen} />}
      {required.length > 0 && (
        <Checkbox checked={accepted} onChange={(event) => setAccepted(event.currentTarget.checked)}>
          Acepto{' '}
          {required.map((page, at) => (
            <span key={page.page_id}>
              {at > 0 && (at === required.length - 1 ? ' y ' : ', ')}
              <button type="button" className="link" onClick={() => setReading(page)}>
                {page.title}
              </button>
            </span>
          ))}
        </Checkbox>
      )}
      <div className="checkout-pay">
        <Button
          full
          loading={pay.isPending || leaving}
          reason={site.checkout_disabled ? errors.CHECKOUT_DISABLED.message : holds}
          icon={<IconLock className="icon" aria-hidden="true" />}
          onClick={() => pay.mutate()}
        >
          {free
            ? 'Obtener Oferta'
            : way === 'cash'
              ? `Apartar por ${formatMoney(total)}`
              : `Pagar ${words.later ? '$0.00' : formatMoney(total)}`}
        </Button>
      </div>
      {!free && (
        <p className="small muted checkout-safe">
          El pago lo procesa un proveedor certificado. El estudio no ve ni guarda el número de tu tarjeta.
        </p>
      )}
      {frame && <CardChallenge origin={frame} secret={challenge?.secret ?? null} onAnswer={(failed) => challenge?.answer(failed)} />}
      <DocumentDialog page={reading} onClose={() => setReading(null)} />
      <Dialog
        open={refused !== null && refused.feeId !== null}
        onClose={() => setRefused(null)}
        title="Completar Inscripción"
        actions={<Button onClick={() => go(paths.checkout(refused?.feeId ?? 0))}>Ir a Pagar</Button>}
      >
        <p>{errors.SIGNUP_FEE_REQUIRED.message}</p>
      </Dialog>
    </section>
  )
}
