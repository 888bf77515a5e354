/** Changes a subscription to another package, now or at the end of its period; a dry run shows the cost first. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { success } from '#contract/copy/messages.ts'
import type { CounterOrder } from '#contract/counter-orders.ts'
import { formatPesos } from '#contract/money.ts'
import type { PlanChange, StudioPurchase } from '#contract/studio-sales.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { slipSent } from '#web/features/admin/people/terminal-fields.tsx'
import { brandName } from '#web/features/checkout/payment-choice.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, type RadioOption } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { LinkToSend } from './link-to-send.tsx'

type When = 'now' | 'next_period'
/** A saved card by its id, a payment link, or money received at the counter. */
type How = `card-${number}` | 'link' | 'counter'

interface ChangePlanProps {
  purchase: StudioPurchase
  onDone: () => void
  onClose: () => void
}

const CASH = 'Efectivo'

/** 'Cambiar de plan': the new plan, when it begins and how it is paid, with the consequence before it is sent. */
export function ChangePlan({ purchase, onDone, onClose }: ChangePlanProps) {
  const { purchase_id, customer } = purchase
  const cards = useQuery(
    queries.counterOrders.cards.queryOptions({ input: { customer_id: customer.customer_id }, staleTime: 0, meta: { handled: true } }),
  )
  const methods = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const [chosen, setChosen] = useState('')
  const [when, setWhen] = useState<When>('now')
  const [how, setHow] = useState<How | null>(null)
  const [paid, setPaid] = useState<PaidWith>(BY_DEFAULT)
  const [waiting, setWaiting] = useState<CounterOrder | null>(null)
  const renews = purchase.subscription_id !== null
  const class_package_id = Number(chosen)
  const trial = useQuery({
    queryKey: ['plan-quote', purchase_id, class_package_id, when],
    queryFn: () => api.studioSubscriptions.changePlan({ purchase_id, class_package_id, when, dry_run: true }),
    enabled: class_package_id > 0,
    staleTime: 0,
    retry: false,
    meta: { handled: true },
  })
  const done = (order: CounterOrder | null) => {
    if (order?.state === 'waiting') return setWaiting(order)
    showAlert(
      'success',
      when === 'now' ? (order?.state === 'processing' ? 'El cobro está en proceso con el banco.' : success.paid) : success.planScheduled,
    )
    onDone()
  }
  const change = useIdempotentMutation(api.studioSubscriptions.changePlan, {
    onSuccess: ({ order }) => done(order),
    onError: () => undefined,
  })
  const sell = useIdempotentMutation(api.counterSales.sell, { onSuccess: () => done(null), onError: () => undefined })
  const sent = sell.isPending || change.isPending
  const quote = trial.data?.quote
  const location_id =
    paid.location_id ??
    purchase.location_id ??
    (locations.data?.locations.length === 1 ? locations.data.locations[0]?.location_id : null) ??
    null
  const cashId = methods.data?.payment_methods.find(({ name }) => name === CASH)?.payment_method_id ?? null
  const payment_method_id = paid.payment_method_id ?? cashId
  const paymentOptions = paymentOptionsFor(
    { cards: cards.data, hasEmail: customer.email !== null, now: when === 'now' },
    <PaidWithFields value={paid} onChange={setPaid} />,
  )
  const paymentOption = paymentOptions.some(({ value }) => value === how) ? how : (paymentOptions[0]?.value ?? null)
  const notPaid = usePaidProblem(paid)
  const problem = missingFor({
    class_package_id,
    paymentOption,
    location_id,
    payment_method_id,
    notPaid,
    quote,
    refused: trial.isError ? toFailure(trial.error).message : null,
  })
  function send() {
    if (problem || !quote || !paymentOption) return
    const shown = { total: quote.total }
    if (paymentOption !== 'counter') {
      const payment_source_id = paymentOption === 'link' ? null : Number(paymentOption.slice('card-'.length))
      change.mutate({ purchase_id, class_package_id, when, shown, payment_source_id, ...(location_id === null ? {} : { location_id }) })
    } else if (location_id !== null && payment_method_id !== null)
      sell.mutate({
        customer_id: customer.customer_id,
        location_id,
        shown,
        lines: [{ kind: 'package', class_package_id, replaces: { purchase_id } }],
        payments: [
          {
            payment_method_id,
            amount: quote.total,
            ...slipSent(paid.slip),
            ...(paid.reference.trim() ? { reference: paid.reference.trim() } : {}),
          },
        ],
      })
  }
  if (waiting?.link)
    return (
      <Dialog open onClose={onDone} title="Cambiar de plan" actions={<Button onClick={onDone}>Listo</Button>}>
        <p>El plan cambia cuando {customer.name} lo pague.</p>
        <LinkToSend order={waiting} link={waiting.link} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={sent ? null : onClose}
      title="Cambiar de plan"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Dejar su plan
          </Button>
          <Button loading={sent} reason={problem} onClick={send}>
            {when === 'next_period' ? 'Programar cambio' : quote ? `Cambiar y cobrar ${formatPesos(quote.total)}` : 'Cambiar de plan'}
          </Button>
        </>
      }
    >
      <p>
        {customer.name} {customer.last_name} tiene {purchase.title}.
      </p>
      {(change.isError || sell.isError) && (
        <CounterRefusal error={sell.error ?? change.error} location_id={location_id} onOpened={sell.reset} />
      )}
      <PlanChoice purchase={purchase} value={chosen} onChange={setChosen} />
      {renews && (
        <RadioCards
          legend="Cuándo empieza"
          variant="list"
          options={[
            { value: 'now', title: 'Hoy', detail: 'Se descuenta lo que le queda pagado.' },
            { value: 'next_period', title: 'Al final de lo que pagó', detail: 'Hoy no se cobra nada.' },
          ]}
          value={when}
          onChange={setWhen}
        />
      )}
      {cards.isError ? (
        <PartNotLoaded query={cards}>No pudimos cargar sus tarjetas.</PartNotLoaded>
      ) : (
        paymentOptions.length > 0 && (
          <RadioCards legend="Cómo se paga" variant="list" options={paymentOptions} value={paymentOption} onChange={setHow} />
        )
      )}
      {trial.isError && (
        <Banner tone="danger" live>
          {toFailure(trial.error).message}
        </Banner>
      )}
      {quote && !trial.isError && (
        <Banner tone="warn" live>
          {quote.consequence}
          {paymentOption === 'counter' && ' Después no se renueva solo.'}
        </Banner>
      )}
    </Dialog>
  )
}

interface PlanChoiceProps {
  purchase: StudioPurchase
  value: string
  onChange: (class_package_id: string) => void
}

/** The other subscriptions on sale. */
function PlanChoice({ purchase, value, onChange }: PlanChoiceProps) {
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, staleTime: 60_000, meta: { handled: true } }))
  const plans = (packages.data?.class_packages ?? []).filter(
    (classPackage) => classPackage.available && classPackage.is_subscription && classPackage.title !== purchase.title,
  )
  return (
    <>
      {packages.isError && <PartNotLoaded query={packages}>No pudimos cargar los planes.</PartNotLoaded>}
      <Select label="Plan nuevo" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Elige un plan</option>
        {plans.map((plan) => (
          <option key={plan.class_package_id} value={plan.class_package_id}>
            {plan.title} · {formatPesos(plan.sale_price ?? plan.price)}
          </option>
        ))}
      </Select>
      {packages.isSuccess && plans.length === 0 && <p className="small muted">No hay otra suscripción a la venta.</p>}
    </>
  )
}

interface PayableWith {
  cards: Awaited<ReturnType<typeof api.counterOrders.cards>> | undefined
  hasEmail: boolean
  /** The change begins today. */
  now: boolean
}

/** The customer's cards, a link, and money at the counter; `received`: its fields. */
function paymentOptionsFor({ cards, hasEmail, now }: PayableWith, received: ReactNode): RadioOption<How>[] {
  return [
    ...(cards?.payment_sources ?? []).map(({ payment_source_id, card_type, last_digits }) => ({
      value: `card-${payment_source_id}` as const,
      title: `${brandName(card_type)} ${last_digits}`,
      detail: 'Se cobra a su tarjeta guardada y se renueva con ella.',
    })),
    ...(cards?.takes_links && hasEmail
      ? [{ value: 'link' as const, title: 'Enlace de pago', detail: 'Paga en su teléfono; el plan de ahora sigue hasta que pague.' }]
      : []),
    ...(now ? [{ value: 'counter' as const, title: 'Lo recibo aquí', detail: 'Un periodo, sin renovarse.', panel: received }] : []),
  ]
}

interface Chosen {
  class_package_id: number
  paymentOption: How | null
  location_id: number | null
  payment_method_id: number | null
  /** What is missing of the money received at the counter. */
  notPaid: string | null
  quote: object | null | undefined
  /** Why the server refuses the change. */
  refused: string | null
}

/** What is missing before the change can be sent; null: nothing. */
function missingFor({ class_package_id, paymentOption, location_id, payment_method_id, notPaid, quote, refused }: Chosen): string | null {
  if (!class_package_id) return 'Elige el plan nuevo.'
  if (refused) return refused
  if (!quote) return 'Un momento: se calcula cuánto cuesta.'
  if (!paymentOption) return 'No hay cómo cobrarlo: pide su tarjeta o su correo.'
  if (paymentOption !== 'counter') return null
  if (location_id === null) return 'Elige el estudio.'
  return payment_method_id === null ? 'Elige cómo se pagó.' : notPaid
}

interface PlanChangeNoteProps {
  purchase: StudioPurchase
  change: PlanChange
  onDone: () => void
}

/** The state of a plan change, on the screen of the purchase, and the button that cancels a waiting one. */
export function PlanChangeNote({ purchase, change, onDone }: PlanChangeNoteProps) {
  const site = useSite()
  const staff = useStaff()
  const [isOpen, setIsOpen] = useState(false)
  const { purchase_id } = purchase
  const to = change.replaced_by === null ? change.title : <AppLink to={adminPaths.sale(change.replaced_by)}>{change.title}</AppLink>
  const day = change.starts_at && formatInstant(new Date(change.starts_at), site.zone, 'date')
  return (
    <Banner tone={change.state === 'failed' ? 'danger' : 'neutral'}>
      {change.state === 'done' && <>Cambió a {to}.</>}
      {change.state === 'waiting' && (
        <>
          Cambia a {to} cuando pague {formatPesos(change.total)}.
        </>
      )}
      {change.state === 'failed' && <>El cambio a {to} no se cobró.</>}
      {change.state === 'scheduled' && (
        <>
          Cambia a {to} el {day}, por {formatPesos(change.total)}.{' '}
          {may(staff, 'subscriptions.edit') && (
            <Button variant="outline" size="small" onClick={() => setIsOpen(true)}>
              Quitar el cambio
            </Button>
          )}
        </>
      )}
      {isOpen && (
        <ReasonDialog
          title="Quitar el cambio de plan"
          yes="Sí, quitarlo"
          no="Dejarlo"
          consequence={`${change.title} ya no empieza. ${purchase.title} termina de todos modos y no se vuelve a cobrar.`}
          send={(reason) => api.studioSubscriptions.cancelChange({ purchase_id, reason })}
          onDone={() => {
            setIsOpen(false)
            onDone()
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Banner>
  )
}
