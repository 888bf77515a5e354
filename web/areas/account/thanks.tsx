import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useParams } from 'react-router'
import { success } from '#contract/messages.ts'
import { formatPesos } from '#contract/money.ts'
import type { Purchase } from '#contract/sales.ts'
import { addDays, formatInstant, formatWall } from '#contract/time.ts'
import { subscriptionPeriodText } from '#contract/wording.ts'
import { AccountBar } from '#web/features/account-bar.tsx'
import { Art, artUrl } from '#web/features/art.tsx'
import { PurchaseBadge } from '#web/features/purchase-badge.tsx'
import { RequiredDocuments } from '#web/features/required-documents.tsx'
import { SiteHeader } from '#web/features/site-header.tsx'
import { Toaster } from '#web/features/toaster.tsx'
import { say } from '#web/lib/alerts.ts'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import './thanks.css'

/** A pending purchase is asked for again until the processor has decided. */
const ASK_AGAIN_MS = 2_500

/** /gracias/{id}: by purchase_id or payment_id; updates by itself while a payment is in process (S1-2.72 to S1-2.82). */
export default function Thanks() {
  const site = useSite()
  const id = Number(useParams().purchase_id)
  const order = useQuery({
    ...queries.sales.one.queryOptions({ input: { id: Number.isInteger(id) && id > 0 ? id : 1 }, staleTime: 0, meta: { handled: true } }),
    refetchInterval: (query) =>
      query.state.data?.purchase.status === 'pending' && !query.state.data.purchase.voucher ? ASK_AGAIN_MS : false,
  })
  const documents = useQuery(queries.content.accepted.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const purchase = order.data?.purchase
  const good = purchase?.status === 'completed' || purchase?.status === 'active'
  const told = useRef(false)
  const client = useQueryClient()
  useEffect(() => {
    if (!good || told.current) return
    told.current = true
    say('success', success.bought)
    // What was known before the purchase is old: credits, what was bought, what can be reserved.
    for (const part of [queries.credits, queries.people, queries.schedule]) void client.invalidateQueries({ queryKey: part.key() })
  }, [good, client])

  return (
    <>
      <SiteHeader>
        <AccountBar />
      </SiteHeader>
      <main id="contenido" className="thanks">
        <title>{`${purchase ? `Orden #00${purchase.purchase_id}` : 'Tu compra'} · ${site.business_name}`}</title>
        {order.isError ? (
          <div className="wrap thanks-failed">
            <EmptyState
              art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
              action={
                <Button as={AppLink} to={paths.mystudio.calendar}>
                  Ir a Mis Clases
                </Button>
              }
            >
              {failureOf(order.error).message}
            </EmptyState>
          </div>
        ) : (
          <Loading loading={!purchase} skeleton={<Skeleton height="70vh" />}>
            {purchase && <Order purchase={purchase} good={good} />}
          </Loading>
        )}
      </main>
      <RequiredDocuments pending={documents.data?.pending ?? []} />
      <Toaster />
    </>
  )
}

function Order({ purchase, good }: { purchase: Purchase; good: boolean }) {
  const site = useSite()
  const [title, text] = headline(purchase)
  return (
    <div className="thanks-halves">
      <div className={`thanks-stage ${good ? 'ground-brand' : 'ground-stage'}`}>
        <h1 className="t1">{title}</h1>
        <p className="lead">{text}</p>
        {purchase.class_package.receipt_file ? (
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
        {purchase.failure && purchase.status === 'failed' && <Notice tone="danger">{purchase.failure.message}</Notice>}
        {purchase.voucher && purchase.status === 'pending' && <VoucherBox voucher={purchase.voucher} />}
        <DefinitionList items={facts(purchase)} />
        <div className="row wraps gap-16">
          <Button as={AppLink} to={paths.mystudio.calendar} className="grow">
            Ir a Mis Clases
          </Button>
          {purchase.status === 'failed' && (
            <Button as={AppLink} variant="outline" to={paths.checkout(purchase.class_package.class_package_id)}>
              Intentar de nuevo
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function headline(purchase: Purchase): [string, string] {
  const classes =
    purchase.class_amount < 0
      ? 'clases sin límite'
      : `${purchase.class_amount} ${purchase.class_amount === 1 ? 'clase nueva' : 'clases nuevas'}`
  switch (purchase.status) {
    case 'completed':
    case 'active':
      return [success.bought, `Ya tienes ${classes}. Te esperamos.`]
    case 'pending':
      return purchase.voucher
        ? ['Falta tu pago', 'Apartamos tu compra. En cuanto se pague verás aquí tus clases.']
        : ['Estamos confirmando tu pago', 'Esta página se actualiza sola. No necesitas pagar de nuevo.']
    case 'failed':
      return ['El pago no se completó', 'No se hizo ningún cargo. Puedes intentarlo con otra tarjeta.']
    default:
      return ['Tu compra', '']
  }
}

/** How a voucher is paid, until when, and what happens then. */
function VoucherBox({ voucher }: { voucher: NonNullable<Purchase['voucher']> }) {
  const site = useSite()
  const how = {
    efectivo: 'Paga en recepción con esta referencia',
    oxxo: 'Paga en cualquier OXXO con esta referencia',
    spei: 'Transfiere por SPEI a esta CLABE',
  }
  const after = {
    efectivo: 'Tus clases quedan disponibles en cuanto recepción registre tu pago.',
    oxxo: 'Muestra la referencia en la caja. El pago puede tardar hasta un día en confirmarse.',
    spei: 'Transfiere el total exacto. El pago se confirma en minutos.',
  }
  return (
    <Notice tone="warn" title={how[voucher.kind]}>
      <p className="thanks-reference">{voucher.clabe ?? voucher.reference}</p>
      <p>
        Tienes hasta el <b>{formatInstant(new Date(voucher.expires_at), site.zone, 'class')}</b>. {after[voucher.kind]}
      </p>
      {voucher.url && (
        <a className="link" href={voucher.url} target="_blank" rel="noreferrer">
          Ver instrucciones
        </a>
      )}
    </Notice>
  )
}

function facts(purchase: Purchase): [string, string | null][] {
  const trial = purchase.status === 'active' && purchase.free_trial_length && purchase.next_charge
  return [
    ['Fecha', formatWall(purchase.created_date, 'date')],
    ['Compraste', purchase.title],
    ['Clases', purchase.class_amount < 0 ? 'Ilimitadas' : String(purchase.class_amount)],
    trial ? ['Pagado hoy', '$0.00'] : ['Total', formatPesos(purchase.total_payment)],
    ['Método de pago', purchase.payment_method?.name ?? null],
    ['Cuenta', purchase.customer.email],
    purchase.subscription_period
      ? ['Tus beneficios se renuevan', subscriptionPeriodText(purchase.subscription_period, purchase.subscription_interval).toLowerCase()]
      : ['Tus beneficios vencen', expiry(purchase)],
    [
      'Siguiente cargo',
      purchase.next_charge ? `${formatPesos(purchase.next_charge.amount)} el ${formatWall(purchase.next_charge.date, 'date')}` : null,
    ],
  ]
}

/** "en 60 días, el 18 ene 2027" */
function expiry({ expiration_days, created_date }: Purchase): string | null {
  if (!expiration_days) return null
  const last = `${addDays(created_date.slice(0, 10), expiration_days)}T00:00:00.000Z`
  return `en ${expiration_days} ${expiration_days === 1 ? 'día' : 'días'}, el ${formatWall(last, 'date')}`
}
