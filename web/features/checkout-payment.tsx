import { IconCalendarRepeat, IconLock } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { nextBillingDate } from '#contract/billing.ts'
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { errors } from '#contract/errors.ts'
import { formatMoney } from '#contract/money.ts'
import { quoteOnWire, shownPrice } from '#contract/pricing.ts'
import { formatInstant } from '#contract/time.ts'
import type { WaysToPay, WayToPay } from '#contract/ways-to-pay.ts'
import { subscriptionPeriodText } from '#contract/wording.ts'
import { api, queries } from '#web/lib/api.ts'
import { presentInstant } from '#web/lib/clock.ts'
import { failureOf } from '#web/lib/errors.ts'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioCards, type RadioOption } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { CardEntry, type CardPlaces, useBankQuestion } from './card-entry.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import { DocumentDialog } from './document-dialog.tsx'
import { CardBrand, cardTitle, type Way, WayIcon } from './payment-choice.tsx'
import { useOwedFee } from './signup-fee.ts'
import type { SignupDocument } from './signup-form.tsx'
import { type How, usePaying } from './use-paying.ts'

const WalletButton = lazy(() => import('./wallet-button.tsx'))

interface CheckoutPaymentProps {
  pack: ClassPackage
  discount: Discount | null
  /** the price is another than the one shown: package and discount are read again */
  onPriceChanged: () => void
  places: CardPlaces
  /** documents to accept before paying */
  required: readonly SignupDocument[]
  /** how long a purchase in cash is held, and how long before a renewal it is told */
  terms: { cashHours: number; noticeDays: number }
}

/** 'Forma de Pago': the ways to pay, the documents and the button (S1-2.66 to S1-2.70, S1-4.06 to S1-4.15, S1-5.17, S1-5.18). */
export function CheckoutPayment(props: CheckoutPaymentProps) {
  const { pack, discount } = props
  const ways = useQuery({
    ...queries.checkout.ways.queryOptions({
      input: { class_package_id: pack.class_package_id, discountCode: discount?.code ?? null },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="forma" className="stack gap-16 checkout-payment">
      <h2 id="forma" className="t3">
        Forma de Pago
      </h2>
      <Loading loading={ways.isPending} skeleton={<WaysSkeleton />}>
        {ways.data ? (
          <Pay {...props} ways={ways.data} />
        ) : (
          ways.isError && (
            <Notice tone="danger" live title={failureOf(ways.error).message}>
              <Button variant="outline" size="small" onClick={() => void ways.refetch()}>
                Intentar de nuevo
              </Button>
            </Notice>
          )
        )}
      </Loading>
    </section>
  )
}

function WaysSkeleton() {
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

function Pay({ pack, discount, onPriceChanged, places, required, terms, ways }: CheckoutPaymentProps & { ways: WaysToPay }) {
  const site = useSite()
  const pending = useQuery(queries.content.accepted.queryOptions({ meta: { handled: true } }))
  const fields = useRef<CardFieldsHandle>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Way | null>(null)
  const [cardReady, setCardReady] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const [saves, setSaves] = useState(false)
  const owed = useOwedFee(pack)
  const [feeSeen, setFeeSeen] = useState(false)

  const price = quoteOnWire(pack, discount)
  const trial = Boolean(pack.is_subscription && pack.free_trial_length)
  const { ask, question } = useBankQuestion(ways.card, places)
  const paying = usePaying({
    class_package_id: pack.class_package_id,
    discountCode: discount?.code ?? null,
    price: shownPrice(price, trial),
    onPriceChanged,
    async before() {
      for (const page of pending.data?.pending ?? []) await api.content.accept({ page_id: page.page_id })
    },
    ask,
  })
  const { refused } = paying
  // What was refused stands above the ways to pay; on a phone that is far from the button.
  useEffect(() => {
    if (refused && refused.feeId === null) refusal.current?.scrollIntoView({ block: 'center' })
  }, [refused])

  const { free } = ways
  const options = free ? [] : optionsOf()
  const way = options.find(({ value }) => value === chosen)?.value ?? ways.default ?? options[0]?.value ?? null
  const feeId = refused?.feeId ?? (feeSeen ? null : owed)

  function optionsOf(): RadioOption<Way>[] {
    const shown = ORDER.filter((one) => ways.ways.some(({ way: open }) => open === one))
    const offered: RadioOption<Way>[] = shown.map((one) => ({
      value: one,
      icon: <WayIcon way={one} />,
      ...wordsOf(one, ways.payment_sources.length > 0, terms.cashHours),
      ...(one === 'card' && ways.card && { panel: cardPanel(ways.card) }),
    }))
    return [
      ...ways.payment_sources.map(
        (card): RadioOption<Way> => ({
          value: `source-${card.payment_source_id}`,
          icon: <CardBrand type={card.card_type} decorative />,
          title: cardTitle(card),
          detail: card.exp && `Vence ${card.exp}`,
        }),
      ),
      ...offered,
    ]
  }

  function cardPanel(card: NonNullable<WaysToPay['card']>) {
    return (
      <div className="stack gap-16">
        <CardEntry ref={fields} card={card} {...places} onReady={setCardReady} />
        {ways.can_save_card && (
          <Checkbox checked={saves} onChange={(event) => setSaves(event.currentTarget.checked)}>
            Guardar esta tarjeta para otra compra
          </Checkbox>
        )}
      </div>
    )
  }

  function how(): How | null {
    if (free) return { by: 'free' }
    if (way === null) return null
    if (way === 'cash') return { by: 'cash', payment_method_id: ways.ways.find((one) => one.way === 'cash')?.payment_method_id ?? null }
    if (way === 'card') return { by: 'card', save: saves, tokenize: async () => (await fields.current?.tokenize()) ?? '' }
    if (way === 'paypal') return { by: 'wallet' }
    if (way === 'page' || way === 'oxxo' || way === 'spei') return { by: way }
    return { by: 'source', payment_source_id: Number(way.slice('source-'.length)) }
  }

  const holds = site.checkout_disabled
    ? errors.CHECKOUT_DISABLED.message
    : required.length > 0 && !accepted
      ? 'Acepta los documentos para continuar.'
      : !free && way === 'card' && !cardReady
        ? 'Completa los datos de tu tarjeta.'
        : null
  const ownButton = way === 'paypal' && ways.wallet?.processor === 'paypal' && !free

  return (
    <>
      {refused && refused.feeId === null && (
        <div ref={refusal}>
          <Notice tone="danger" live>
            {refused.message}
          </Notice>
        </div>
      )}
      {site.checkout_disabled && <Notice tone="warn">{errors.CHECKOUT_DISABLED.message}</Notice>}
      {pack.is_subscription && (
        <Notice tone="brand" icon={<IconCalendarRepeat className="icon" aria-hidden="true" />} title="Esto es una suscripción">
          {reminder(pack, price.nextTotal ?? price.total, trial ? price.total : null, site.zone, terms.noticeDays)}
        </Notice>
      )}
      {options.length > 0 && (
        <RadioCards legend="Forma de pago" quietLegend look="list" options={options} value={way} onChange={setChosen} />
      )}
      {!free && options.length === 0 && !site.checkout_disabled && (
        <Notice tone="warn">Por ahora no se puede pagar este paquete en línea. Comunícate con nosotros.</Notice>
      )}
      {required.length > 0 && <Acceptance documents={required} accepted={accepted} onChange={setAccepted} />}
      <div className="checkout-pay">
        {ownButton && !holds && !paying.busy ? (
          <Suspense fallback={<Skeleton height="48px" shape="pill" />}>
            <WalletButton
              site={places.sites.paypal}
              publicKey={ways.wallet?.public_key ?? ''}
              subscription={pack.is_subscription}
              begin={paying.begin}
              follow={paying.follow}
              refuse={paying.refuse}
            />
          </Suspense>
        ) : (
          (free || way !== null) && (
            <Button
              full
              loading={paying.busy}
              reason={holds}
              icon={<IconLock className="icon" aria-hidden="true" />}
              onClick={() => {
                const chosenWay = how()
                if (chosenWay) paying.pay(chosenWay)
              }}
            >
              {free ? 'Obtener Oferta' : verbOf(way ?? 'card', trial ? null : formatMoney(price.total))}
            </Button>
          )
        )}
      </div>
      {!free && (
        <p className="small muted checkout-safe">
          El pago lo procesa un proveedor certificado. El estudio no ve ni guarda el número de tu tarjeta.
        </p>
      )}
      {question}
      <Dialog
        open={feeId !== null}
        onClose={() => {
          setFeeSeen(true)
          paying.forget()
        }}
        title="Completar Inscripción"
        actions={
          <Button loading={paying.busy} onClick={() => paying.go(paths.checkout(feeId ?? 0))}>
            Ir a Pagar
          </Button>
        }
      >
        <p>{errors.SIGNUP_FEE_REQUIRED.message}</p>
      </Dialog>
    </>
  )
}

/** The documents to accept; each opens over the page, so that what was typed stays. */
function Acceptance({
  documents,
  accepted,
  onChange,
}: {
  documents: readonly SignupDocument[]
  accepted: boolean
  onChange: (accepted: boolean) => void
}) {
  const [reading, setReading] = useState<SignupDocument | null>(null)
  return (
    <>
      <Checkbox checked={accepted} onChange={(event) => onChange(event.currentTarget.checked)}>
        Acepto{' '}
        {documents.map((page, at) => (
          <span key={page.page_id}>
            {at > 0 && (at === documents.length - 1 ? ' y ' : ', ')}
            <button type="button" className="link" onClick={() => setReading(page)}>
              {page.title}
            </button>
          </span>
        ))}
      </Checkbox>
      <DocumentDialog page={reading} onClose={() => setReading(null)} />
    </>
  )
}

/** Cards first, then what is paid elsewhere; what stands chosen is the server's to say. */
const ORDER: readonly WayToPay[] = ['card', 'page', 'paypal', 'oxxo', 'spei', 'cash']

function wordsOf(way: WayToPay, others: boolean, cashHours: number): { title: string; detail?: string } {
  const card = others ? 'Otra tarjeta' : 'Tarjeta de crédito o débito'
  switch (way) {
    case 'card':
      return { title: card }
    case 'page':
      return { title: card, detail: 'Pagas en la página segura del procesador y regresas aquí.' }
    case 'paypal':
      return { title: 'PayPal' }
    case 'oxxo':
      return { title: 'OXXO', detail: 'Te damos una referencia y pagas en efectivo en la tienda.' }
    case 'spei':
      return { title: 'Transferencia SPEI', detail: 'Te damos una CLABE y pagas desde la app de tu banco.' }
    case 'cash':
      return { title: 'Efectivo', detail: `Pagas en recepción; apartamos tu compra ${cashHours} ${cashHours === 1 ? 'hora' : 'horas'}.` }
  }
}

/** What the button does, in its own words; `total` null: a trial, nothing is paid today. */
function verbOf(way: Way, total: string | null): string {
  switch (way) {
    case 'cash':
      return `Apartar por ${total ?? '$0.00'}`
    case 'oxxo':
      return `Generar referencia por ${total ?? '$0.00'}`
    case 'spei':
      return `Generar CLABE por ${total ?? '$0.00'}`
    case 'page':
      return 'Continuar al pago'
    case 'paypal':
      return 'Continuar a PayPal'
    default:
      return total === null ? 'Empezar mi prueba' : `Pagar ${total}`
  }
}

/** "Se cobra cada mes. Tu siguiente cargo es de $1,450.00 el 18 dic 2026. Te avisamos cinco días antes …" (S1-2.67, decision 16) */
function reminder(pack: ClassPackage, later: number, first: number | null, zone: string, noticeDays: number): string {
  const now = presentInstant()
  const next = nextBillingDate({ ...pack, createdAt: now }, now, zone)
  const every = subscriptionPeriodText(pack.subscription_period, pack.subscription_interval).toLowerCase()
  const days = noticeDays === 5 ? 'cinco días' : noticeDays === 1 ? 'un día' : `${noticeDays} días`
  const when = next ? ` el ${formatInstant(next, zone, 'date')}` : ''
  const what = first === null ? `Tu siguiente cargo es de ${formatMoney(later)}` : `Tu primer cargo es de ${formatMoney(first)}`
  return `Se cobra ${every}. ${what}${when}. Te avisamos ${days} antes y puedes cancelar cuando quieras desde Mis Compras.`
}
