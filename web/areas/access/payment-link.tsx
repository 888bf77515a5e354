import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { PaymentLinkView } from '#contract/counter-orders.ts'
import { formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'
import { Ending } from './link-parts.tsx'

/** The same cached document for every link; the browser loads the order. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu compra te espera', background: 'bg_login' },
  shell: true,
}

/** Opened by a payment link: pays an order of the counter on the page of the processor, without logging in. */
export default function PaymentLinkPage() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Pagar mi compra</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink />
    </QueryClientProvider>
  )
}

/** How often an order in process is read again, in ms. */
const POLL_MS = 3_000

function ByLink() {
  const { token = '' } = useParams()
  const orderQuery = useQuery(
    queries.paymentLinks.shown.queryOptions({
      input: { token },
      staleTime: 0,
      meta: { handled: true },
      refetchInterval: (query) => (query.state.data?.order.state === 'processing' ? POLL_MS : false),
    }),
  )
  if (orderQuery.isError) {
    const { code, message } = toFailure(orderQuery.error)
    // A truncated link fails validation instead of being looked up: treat both codes as an invalid link.
    const isInvalid = code === 'PAYMENT_LINK_INVALID' || code === 'INVALID_INPUT'
    return (
      <Ending
        title={
          isInvalid
            ? accountErrors.CARD_LINK_INVALID.message
            : code === 'PAYMENT_LINK_GONE'
              ? 'Este enlace ya no sirve'
              : 'No pudimos abrir este enlace'
        }
        text={isInvalid ? 'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o pide otro al estudio.' : message}
      >
        {isInvalid || code === 'PAYMENT_LINK_GONE' ? (
          <Button as={AppLink} to={paths.home}>
            Ir al sitio
          </Button>
        ) : (
          <Button onClick={() => void orderQuery.refetch()}>Intentar de nuevo</Button>
        )}
      </Ending>
    )
  }
  const order = orderQuery.data?.order
  return (
    <Loading
      loading={!order}
      skeleton={
        <>
          <h1 className="sr-only">Pagar mi compra</h1>
          <Skeleton height="320px" />
        </>
      }
    >
      {order && <Order token={token} order={order} onPaid={() => void orderQuery.refetch()} />}
    </Loading>
  )
}

const UNITS = { day: ['día', 'días'], month: ['mes', 'meses'], year: ['año', 'años'] } as const

/** "cada mes", "cada 3 meses" */
const everyText = ({ period, interval }: NonNullable<PaymentLinkView['renews']>) =>
  interval === 1 ? `cada ${UNITS[period][0]}` : `cada ${interval} ${UNITS[period][1]}`

function Order({ token, order, onPaid }: { token: string; order: PaymentLinkView; onPaid: () => void }) {
  const site = useSite()
  const pay = useMutation({
    meta: { handled: true },
    mutationFn: () => api.paymentLinks.pay({ token }),
    onSuccess({ url }) {
      if (url === null) onPaid()
      else location.assign(url)
    },
  })
  const amount = formatPesos(order.amount)
  if (order.state === 'paid')
    return (
      <Ending title="¡Compra exitosa!" text={`Recibimos tu pago de ${amount}: ${order.title}. Te enviamos el comprobante por correo.`}>
        <Button as={AppLink} to={paths.mystudio.calendar}>
          Ir a Mis Clases
        </Button>
      </Ending>
    )
  return (
    <>
      <div className="stack gap-8">
        <p className="muted">
          {order.name}, tu compra en {site.business_name}
        </p>
        <h1 className="t2">{order.title}</h1>
        {order.lines.length > 1 && (
          <ul className="stack gap-4">
            {order.lines.map(({ title, quantity, total }, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of an order never change
              <li key={n} className="row spread gap-12">
                <span>
                  {quantity > 1 && `${quantity} × `}
                  {title}
                </span>
                <span>{formatPesos(total)}</span>
              </li>
            ))}
          </ul>
        )}
        {order.by_gift_card !== '0.00' && (
          <p className="small">Tu tarjeta de regalo paga {formatPesos(order.by_gift_card)}; falta el resto.</p>
        )}
        <p className="hour">{amount}</p>
        {order.renews && (
          <p className="small muted">
            Se renueva {everyText(order.renews)} por {formatPesos(order.renews.amount)} con la misma tarjeta, hasta que la canceles.
          </p>
        )}
      </div>
      {pay.isError && (
        <Banner tone="danger" live>
          {toFailure(pay.error).message}
        </Banner>
      )}
      {order.state === 'processing' ? (
        <Banner tone="warn" live title="Tu banco está procesando el pago">
          No necesitas pagar de nuevo. Esta página se actualiza sola.
        </Banner>
      ) : (
        <>
          {order.failure && !pay.isError && (
            <Banner tone="danger" title="El último intento no pasó">
              {order.failure}
            </Banner>
          )}
          <Button full loading={pay.isPending || pay.isSuccess} onClick={() => pay.mutate()}>
            Pagar {amount}
          </Button>
          <p className="small muted">
            Pagas en la página segura del procesador; el estudio no ve ni guarda tu tarjeta. El enlace sirve hasta el{' '}
            {formatInstant(new Date(order.until), site.zone, 'class')}.
          </p>
        </>
      )}
    </>
  )
}
