import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { success } from '#contract/copy/messages.ts'
import { subscriptionPeriodText } from '#contract/copy/names.ts'
import { formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { LOOKED_UP, PAYING } from '#contract/return-path.ts'
import type { Purchase, WantedClass } from '#contract/sales.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { AccountBar } from '#web/features/account/account-bar.tsx'
import { AccountTabs } from '#web/features/account/account-tabs.tsx'
import { RequiredDocuments } from '#web/features/booking/required-documents.tsx'
import WalletButton from '#web/features/booking/wallet-button.tsx'
import { type NextClass, useNextClass } from '#web/features/calendar/next-class.ts'
import { owedText } from '#web/features/checkout/owed-text.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { ReceiptButton } from '#web/features/checkout/receipt-button.tsx'
import { VoucherBox } from '#web/features/checkout/voucher-box.tsx'
import { Art } from '#web/features/site/art.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { SiteHeader } from '#web/features/site/site-header.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { isPassing, toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { wantedPath } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import './thanks.css'

/** Polling intervals for a pending purchase: until the processor has decided, and, less often, for one that is paid elsewhere (voucher). */
const POLL_MS = 2_500
const VOUCHER_POLL_MS = 10_000

/** The order id of an address; an invalid one is replaced by an id that does not exist, so that the API answers as for an unknown order. */
const orderId = (id: number): number => (Number.isInteger(id) && id > 0 && id < 2 ** 31 ? id : 2 ** 31 - 1)

/** /gracias/{id}: by purchase_id or payment_id; updates itself while a payment is being processed (S1-2.72 to S1-2.82). */
export default function Thanks() {
  const site = useSite()
  const id = Number(useParams().purchase_id)
  const order = useQuery({
    ...queries.sales.one.queryOptions({ input: { id: orderId(id) }, staleTime: 0, meta: { handled: true } }),
    refetchInterval: ({ state }) => {
      if (state.data?.purchase.status !== 'pending') return false
      return state.data.purchase.voucher ? VOUCHER_POLL_MS : POLL_MS
    },
  })
  const documents = useQuery(queries.content.accepted.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const purchase = order.data?.purchase
  const isPaid = purchase?.status === 'completed' || purchase?.status === 'active'
  // A buyer who comes directly from the checkout is redirected to the studio's own page once the purchase is paid (S1-3.17).
  const [search] = useSearchParams()
  const fromPayment = search.has(PAYING)
  const redirectUrl = fromPayment ? site.checkout_redirect_url : ''
  const lookedUp = search.has(LOOKED_UP)
  const today = todayIn(site.zone)
  const wanted = purchase?.wanted_class && purchase.wanted_class.day >= today ? purchase.wanted_class : null
  const wasPending = useRef(false)
  // Paid in a shop or by a transfer while this page was open.
  const hadVoucher = useRef(false)
  if (purchase?.status === 'pending') {
    wasPending.current = true
    hadVoucher.current = purchase.voucher !== null
  }
  const announced = useRef(false)
  const client = useQueryClient()
  useEffect(() => {
    if (!isPaid || announced.current) return
    announced.current = true
    if (redirectUrl) return location.replace(redirectUrl)
    // Straight from the payment to the class that it was for (docs/domain.md V52).
    if (fromPayment && wanted) return location.replace(wantedPath(wanted, purchase.purchase_id))
    if (lookedUp && !wasPending.current) return
    // The heading alone announces the payment. A purchase changes credits, profile, and what can be reserved or watched: reload them.
    for (const part of [queries.credits, queries.people, queries.schedule, queries.videos])
      void client.invalidateQueries({ queryKey: part.key() })
  }, [isPaid, client, redirectUrl, lookedUp, fromPayment, wanted, purchase])

  return (
    <>
      <SiteHeader>
        <AccountBar />
      </SiteHeader>
      <main id="contenido" className="thanks">
        <PageTitle>{purchase ? `Orden #00${purchase.purchase_id}` : 'Tu compra'}</PageTitle>
        {order.isError && !purchase ? (
          <div className="wrap thanks-failed">
            <h1 className="sr-only">Tu compra</h1>
            <EmptyState
              action={
                isPassing(order.error) ? (
                  <Button onClick={() => void order.refetch()}>Intentar de nuevo</Button>
                ) : (
                  <Button as={AppLink} to={paths.mystudio.purchases}>
                    Ver Mis Compras
                  </Button>
                )
              }
            >
              {toFailure(order.error).message}
            </EmptyState>
          </div>
        ) : (
          <Loading loading={!purchase} skeleton={<OrderSkeleton />}>
            {purchase && (
              <Order
                purchase={purchase}
                good={isPaid}
                wanted={wanted}
                isOld={lookedUp && isPaid && !wasPending.current}
                bought={hadVoucher.current ? success.paid : success.bought}
              />
            )}
          </Loading>
        )}
      </main>
      <RequiredDocuments pending={documents.data?.pending ?? []} />
      <AccountTabs />
      <Toaster />
    </>
  )
}

function OrderSkeleton() {
  return (
    <div className="thanks-halves">
      <div className="thanks-stage ground-stage">
        <div className="thanks-text">
          <Skeleton width="min(100%, 340px)" height="42px" />
          <Skeleton width="min(100%, 340px)" height="52px" />
        </div>
        <NextSkeleton />
        <div className="thanks-art" />
      </div>
      <div className="thanks-order">
        <Skeleton width="min(100%, 340px)" height="42px" />
        <div className="stack gap-16">
          {['74%', '58%', '66%', '50%', '80%'].map((width) => (
            <Skeleton key={width} width={width} height="20px" />
          ))}
        </div>
        <Skeleton height="48px" shape="pill" />
      </div>
    </div>
  )
}

/** The room of the offer of the next class. */
const NextSkeleton = () => <Skeleton width="130px" height="48px" shape="pill" />

interface OrderProps {
  purchase: Purchase
  /** it is paid */
  good: boolean
  /** the class that it was bought for, unless its day is over */
  wanted: WantedClass | null
  /** opened from a list, long after the purchase */
  isOld: boolean
  /** the heading of a paid purchase (S1-8.40, S1-8.41) */
  bought: string
}

function Order({ purchase, good, wanted, isOld, bought }: OrderProps) {
  const site = useSite()
  const online = purchase.class_package?.is_online && site.videos_enabled
  const next = useNextClass(good && !wanted && purchase.class_amount !== 0 && !online)
  const [title, text] = isOld
    ? ['Tu compra', `${purchase.title}, del ${formatWall(purchase.created_date, 'date')}.`]
    : online && good
      ? [bought, 'Ya puedes ver los videos del estudio, a la hora que quieras.']
      : headline(purchase, next, wanted, bought)
  return (
    <div className="thanks-halves">
      <div className={`thanks-stage ${good ? 'ground-brand' : 'ground-stage'}`}>
        <div role="status" className="thanks-text">
          <h1 className="t1">{title}</h1>
          <p className="lead">
            {text}
            {next === undefined && !isOld && <Skeleton width="80%" height="1lh" />}
          </p>
        </div>
        {online && good && (
          <p>
            <Button as={AppLink} variant="outline" to={paths.mystudio.online}>
              Ver videos
            </Button>
          </p>
        )}
        {good && wanted && (
          <p>
            <Button as={AppLink} to={wantedPath(wanted, purchase.purchase_id)}>
              Apartar mi lugar
            </Button>
          </p>
        )}
        {next === undefined && !isOld && <NextSkeleton />}
        {next && (
          <p>
            <Button
              as={AppLink}
              to={paths.mystudio.classOn(next.cls.single_class_id, next.cls.class_date.slice(0, 10))}
              aria-label={`Reservar ${next.text}`}
            >
              Reservar
            </Button>
          </p>
        )}
        {purchase.class_package?.receipt_file ? (
          <img
            className="thanks-receipt"
            src={fileUrl(site, purchase.class_package.receipt_file.src)}
            alt={`Recibo de ${purchase.title}`}
          />
        ) : (
          <Art
            kind="movimiento"
            seed={good ? 'battement' : 'estira'}
            ground={good ? 'brand' : 'stage'}
            width={520}
            height={340}
            className="thanks-art"
          />
        )}
      </div>
      <div className="thanks-order">
        <div className="row spread wraps gap-16">
          <h2 className="t2">Orden #00{purchase.purchase_id}</h2>
          <PurchaseBadge purchase={purchase} />
        </div>
        {purchase.failure && (purchase.status === 'failed' || purchase.unfinished) && (
          <Banner tone="danger">{purchase.failure.message}</Banner>
        )}
        {owedText(purchase) && <Banner tone="warn">{owedText(purchase)}</Banner>}
        {purchase.voucher && purchase.status === 'pending' && <VoucherBox voucher={purchase.voucher} total={purchase.amount_due} />}
        <DefinitionList items={facts(purchase, isOld)} />
        <div className="row wraps gap-16 thanks-actions">
          {purchase.unfinished && <PayAgain purchase={purchase} />}
          <Button
            as={AppLink}
            variant={purchase.unfinished || next || (good && wanted) ? 'outline' : 'filled'}
            to={paths.mystudio.calendar}
          >
            Ir a Mis Clases
          </Button>
          {purchase.has_receipt && <ReceiptButton purchase={purchase.purchase_id} />}
          {purchase.has_receipt && purchase.total_payment !== '0.00' && (
            <Button as={AppLink} variant="outline" to={paths.mystudio.toInvoice}>
              Factura
            </Button>
          )}
          {purchase.status === 'failed' && purchase.class_package && (
            <Button as={AppLink} variant="outline" to={paths.checkout(purchase.class_package.class_package_id)}>
              Intentar de nuevo
            </Button>
          )}
        </div>
        {/* Last: it arrives after the rest, and moves nothing. */}
        {good && <WalletButton />}
      </div>
    </div>
  )
}

/** Gives up a started payment and returns to the checkout; if it was paid meanwhile, shows it as it is. */
function PayAgain({ purchase }: { purchase: Purchase }) {
  const client = useQueryClient()
  const leave = useMutation({
    meta: { handled: true },
    mutationFn: () => api.sales.giveUp({ purchase_id: purchase.purchase_id }),
    onSuccess: () =>
      location.assign(purchase.class_package ? paths.checkout(purchase.class_package.class_package_id) : paths.mystudio.calendar),
    async onError(error) {
      if (toFailure(error).code !== 'PURCHASE_CLOSED') showAlert('alert', toFailure(error).message)
      await client.invalidateQueries({ queryKey: queries.sales.key() })
    },
  })
  return (
    <Button loading={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
      Volver a pagar
    </Button>
  )
}

function headline(
  purchase: Purchase,
  next: NextClass | null | undefined,
  wanted: WantedClass | null,
  bought: string,
): [title: string, text: string] {
  const classes =
    purchase.class_amount < 0
      ? 'clases sin límite'
      : `${purchase.class_amount} ${purchase.class_amount === 1 ? 'clase nueva' : 'clases nuevas'}`
  const invitation = wanted
    ? `Falta un paso: aparta tu lugar del ${formatWall(`${wanted.day}T00:00:00.000Z`, 'long')}.`
    : next
      ? `Hay ${next.text}.`
      : next === null
        ? 'Te esperamos.'
        : ''
  switch (purchase.status) {
    case 'completed':
    case 'active':
      return purchase.trial_ends_date
        ? [bought, `Tu prueba ya empezó: tienes ${classes} hasta el ${formatWall(purchase.trial_ends_date, 'day')}. ${invitation}`]
        : [bought, purchase.class_amount === 0 ? 'Gracias por tu compra.' : `Ya tienes ${classes}. ${invitation}`]
    case 'pending':
      if (purchase.unfinished)
        return ['Falta terminar tu pago', 'No se ha hecho ningún cargo. Puedes retomarlo o elegir otra forma de pago.']
      return purchase.voucher
        ? ['Falta tu pago', 'Apartamos tu compra. En cuanto se pague verás aquí tus clases.']
        : ['Estamos confirmando tu pago', 'Esta página se actualiza sola. No necesitas pagar de nuevo.']
    case 'failed':
      // The money arrived after the purchase was closed.
      if (owedText(purchase) || purchase.refunded !== '0.00')
        return ['Tu pago llegó tarde', 'La orden ya estaba cerrada y no te dio clases. El dinero es tuyo y se te devuelve.']
      return ['El pago no se completó', 'No se hizo ningún cargo. Puedes intentarlo con otra tarjeta.']
    case 'cancelled':
      return purchase.subscription_id
        ? ['Suscripción cancelada', benefitsUntil(purchase)]
        : ['Compra cancelada', 'No se hizo ningún cargo.']
    case 'revoked':
      return ['Compra revocada', 'Sus clases ya no están disponibles. Si tienes dudas, comunícate con nosotros.']
    default:
      return ['Tu compra', '']
  }
}

/** Names of the places where a voucher is paid. */
const ELSEWHERE = { efectivo: 'Efectivo', oxxo: 'OXXO', spei: 'Transferencia SPEI' }

const benefitsUntil = ({ benefits_until_date }: Purchase): string =>
  benefits_until_date ? `Conservas tus beneficios hasta el ${formatWall(benefits_until_date, 'date')}.` : 'No habrá más cargos.'

/** Statuses in which the purchase gives nothing. */
const OVER: readonly string[] = ['failed', 'cancelled', 'revoked']

function facts(purchase: Purchase, isOld: boolean): [string, string | null][] {
  const next = purchase.next_charge && `${formatPesos(purchase.next_charge.amount)} el ${formatWall(purchase.next_charge.date, 'date')}`
  const discounted = purchase.discount !== '0.00'
  return [
    ['Fecha', formatWall(purchase.created_date, 'date')],
    ['Compraste', purchase.title],
    ['Clases', !purchase.class_package ? null : purchase.class_amount < 0 ? 'Ilimitadas' : String(purchase.class_amount)],
    ['Precio', discounted ? formatPesos(purchase.amount) : null],
    ['Descuento', discounted ? `-${formatPesos(purchase.discount)}` : null],
    // Instead of the total: nothing now, and the first charge (S1-2.80).
    purchase.trial_ends_date ? ['Pagado hoy', '$0.00'] : ['Total', formatPesos(purchase.total_payment)],
    ['Tarjeta de regalo', purchase.by_gift_card === '0.00' ? null : `-${formatPesos(purchase.by_gift_card)}`],
    ['Por pagar', purchase.by_gift_card !== '0.00' && purchase.status === 'pending' ? formatPesos(purchase.amount_due) : null],
    ['Reembolsado', purchase.refunded === '0.00' ? null : formatPesos(purchase.refunded)],
    [purchase.trial_ends_date ? 'Primer cargo' : 'Siguiente cargo', next],
    ['Método de pago', purchase.voucher ? ELSEWHERE[purchase.voucher.kind] : (purchase.payment_method?.name ?? null)],
    ['Cuenta', purchase.customer.email],
    OVER.includes(purchase.status)
      ? ['Tus beneficios vencen', null]
      : purchase.subscription_period
        ? ['Tus beneficios se renuevan', subscriptionPeriodText(purchase.subscription_period, purchase.subscription_interval).toLowerCase()]
        : ['Tus beneficios vencen', expiry(purchase, isOld)],
  ]
}

/** "en 60 días, el 18 ene 2027"; the days are counted from the purchase, so an old one says the day only */
function expiry({ expiration_days, created_date }: Purchase, isOld: boolean): string | null {
  if (!expiration_days) return null
  const last = `${addDays(created_date.slice(0, 10), expiration_days)}T00:00:00.000Z`
  if (isOld) return `el ${formatWall(last, 'date')}`
  return `en ${expiration_days} ${expiration_days === 1 ? 'día' : 'días'}, el ${formatWall(last, 'date')}`
}
