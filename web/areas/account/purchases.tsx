import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import { success, validation } from '#contract/copy/messages.ts'
import { subscriptionPeriodText } from '#contract/copy/names.ts'
import { formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import type { Purchase } from '#contract/sales.ts'
import { formatWall } from '#contract/time.ts'
import { OverdueCharges } from '#web/features/checkout/overdue-charges.tsx'
import { owedText } from '#web/features/checkout/owed-text.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { SubscriptionCardDialog } from '#web/features/checkout/subscription-card-dialog.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { PageHead } from './page-head.tsx'
import './purchases.css'

/** Polling intervals: for purchases that wait for money, and for files of purchases, whose signed addresses expire. */
const POLL_MS = 10_000
const RENEW_FILES_MS = 600_000
const refetchInterval = (rows: readonly Purchase[]) =>
  rows.some((row) => row.status === 'pending') ? POLL_MS : rows.some((row) => row.class_package?.file_url) ? RENEW_FILES_MS : false

/** Mis Compras (S1-2.87 to S1-2.89, S1-4.18 to S1-4.31): a table, cards on phones, and the cancellation of subscriptions. */
export default function Purchases() {
  const site = useSite()
  const list = useQuery({
    ...queries.sales.list.queryOptions(),
    refetchInterval: (query) => refetchInterval(query.state.data?.purchases ?? []),
  })
  const [ending, setEnding] = useState<Purchase | null>(null)
  const [changing, setChanging] = useState<Purchase | null>(null)
  const actions: Actions = { end: setEnding, changeCard: setChanging }
  const rows = list.data?.purchases ?? []
  return (
    <div className="wrap">
      <PageHead title="Mis Compras">
        {/* Quiet where the empty list has the same button under its sentence. */}
        <Button as={AppLink} variant={list.data && rows.length === 0 ? 'outline' : 'filled'} to={paths.mystudio.packages(site)}>
          Comprar Clases
        </Button>
      </PageHead>
      <OverdueCharges />
      <Loaded
        query={list}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar tus compras."
        nothing={
          rows.length === 0 && (
            <EmptyState drawing="fuerza" next={{ label: 'Comprar Clases', to: paths.mystudio.packages(site) }}>
              {empty.purchases}
            </EmptyState>
          )
        }
      >
        <Table
          caption="Mis compras"
          columns={columns(actions)}
          rows={rows}
          rowKey={(row) => row.purchase_id}
          quiet={(row) => row.status === 'cancelled' || row.status === 'revoked' || row.status === 'failed'}
          card={(row) => <PurchaseCard row={row} actions={actions} />}
        />
      </Loaded>
      <EndSubscription purchase={ending} onClose={() => setEnding(null)} />
      <SubscriptionCardDialog purchase={changing} onClose={() => setChanging(null)} />
    </div>
  )
}

/** The actions on a purchase. */
interface Actions {
  end: (row: Purchase) => void
  changeCard: (row: Purchase) => void
}

function columns(actions: Actions): Column<Purchase>[] {
  return [
    {
      header: 'Compra',
      cell: (row) => (
        <>
          {row.title}
          {note(row) && <small className={noteClass(row)}>{note(row)}</small>}
        </>
      ),
    },
    { header: 'Orden', cell: (row) => `#00${row.purchase_id}` },
    { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'date')}</span> },
    { header: 'Total', cell: (row) => formatPesos(row.total_payment) },
    { header: 'Método de pago', cell: (row) => row.payment_method?.name ?? '–' },
    { header: 'Siguiente cargo', cell: (row) => nextCharge(row) ?? '–' },
    { header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
    {
      header: 'Acciones',
      cell: (row) => (
        <span className="row gap-8">
          <Button
            as={AppLink}
            variant="outline"
            size="small"
            to={paths.order(row.purchase_id)}
            aria-label={`${orderLinkText(row)} #00${row.purchase_id}`}
          >
            {row.voucher ? 'Cómo pagar' : 'Ver'}
          </Button>
          <Download row={row} />
          {row.can_change_card && (
            <Button
              variant={row.past_due ? 'filled' : 'outline'}
              size="small"
              onClick={() => actions.changeCard(row)}
              aria-label={`Tarjeta de la suscripción ${row.title}`}
            >
              Tarjeta
            </Button>
          )}
          {row.subscription_id && row.status === 'active' && (
            <Button
              variant="danger-quiet"
              size="small"
              onClick={() => actions.end(row)}
              aria-label={`Cancelar la suscripción ${row.title}`}
            >
              Cancelar
            </Button>
          )}
        </span>
      ),
    },
  ]
}

/** A row on phones. Whether the subscription can be cancelled is decided by the server (S1-4.22, settled 34). */
function PurchaseCard({ row, actions }: { row: Purchase; actions: Actions }) {
  return (
    <div className="purchase-card">
      <div className="row spread wraps gap-8">
        <PurchaseBadge purchase={row} />
        <span className="small muted nowrap">#00{row.purchase_id}</span>
      </div>
      <div>
        <p className="t4">{row.title}</p>
        <p className="small muted">{[formatWall(row.created_date, 'date'), row.payment_method?.name].filter(Boolean).join(' · ')}</p>
      </div>
      <p className="purchase-total">{formatPesos(row.total_payment)}</p>
      {nextCharge(row) && <p className="small">Siguiente cargo: {nextCharge(row)}</p>}
      {note(row) && <p className={noteClass(row)}>{note(row)}</p>}
      <Button
        as={AppLink}
        variant="outline"
        size="small"
        full
        to={paths.order(row.purchase_id)}
        aria-label={`${orderLinkText(row)} #00${row.purchase_id}`}
      >
        {orderLinkText(row)}
      </Button>
      <Download row={row} full />
      {row.can_change_card && (
        <Button
          variant={row.past_due ? 'filled' : 'outline'}
          size="small"
          full
          onClick={() => actions.changeCard(row)}
          aria-label={`Cambiar tarjeta de la suscripción ${row.title}`}
        >
          Cambiar tarjeta
        </Button>
      )}
      {row.can_cancel && (
        <Button variant="danger-quiet" size="small" full onClick={() => actions.end(row)} aria-label={`Cancelar suscripción ${row.title}`}>
          Cancelar suscripción
        </Button>
      )}
    </div>
  )
}

/** The file of the package, while the purchase is valid (S2-3.18). */
function Download({ row, full = false }: { row: Purchase; full?: boolean }) {
  const site = useSite()
  const { downloadable = null, file_url = null } = row.class_package ?? {}
  if (!downloadable || !file_url) return null
  return (
    <Button
      as="a"
      variant="outline"
      size="small"
      full={full}
      href={fileUrl(site, file_url)}
      download={downloadable.name}
      type={downloadable.type}
      icon={<IconDownload className="icon" aria-hidden="true" />}
      aria-label={`Descargar ${downloadable.name} de ${row.title}`}
    >
      Descargar
    </Button>
  )
}

const orderLinkText = (row: Purchase): string => (row.voucher ? 'Ver cómo pagar la orden' : 'Ver orden')

/** "$1,450.00 el 18 dic 2026"; only live subscriptions have one (S1-4.29). */
function nextCharge(row: Purchase): string | null {
  return row.next_charge ? `${formatPesos(row.next_charge.amount)} el ${formatWall(row.next_charge.date, 'date')}` : null
}

const noteClass = (row: Purchase): string => `purchase-note ${owedText(row) ? 'purchase-owed' : ''}`

/** A short remark about the state of a purchase, or null. */
function note(row: Purchase): string | null {
  const owed = owedText(row)
  if (owed) return owed
  if (row.confirm_charge) return 'Tu banco quiere que confirmes el último cargo.'
  if (row.past_due) return 'No pudimos hacer el último cargo. Lo intentaremos de nuevo.'
  if (row.paused) return 'En pausa: no hay cargos hasta que se reanude.'
  if (row.unfinished) return 'Falta terminar tu pago.'
  if (row.plan_change) return row.plan_change
  if (row.trial_ends_date) return `Prueba sin costo hasta el ${formatWall(row.trial_ends_date, 'date')}`
  if (row.status === 'cancelled' && row.subscription_id && row.benefits_until_date)
    return `Con beneficios hasta el ${formatWall(row.benefits_until_date, 'date')}`
  if (row.refunded !== '0.00') return `Reembolso de ${formatPesos(row.refunded)}`
  return row.is_gift ? 'Regalo del estudio' : null
}

/** The cancel dialog: what ends when, the reason, and that it cannot be undone (S1-4.23 to S1-4.28, settled 16). */
function EndSubscription({ purchase, onClose }: { purchase: Purchase | null; onClose: () => void }) {
  const site = useSite()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const end = useIdempotentMutation(api.sales.cancel, {
    async onSuccess() {
      showAlert('success', success.subscriptionCancelled)
      setReason('')
      onClose()
      await Promise.all([queries.sales, queries.credits, queries.people].map((part) => client.invalidateQueries({ queryKey: part.key() })))
    },
    onError: (error) => setWrong(toFailure(error).message),
  })
  const submit = () => {
    if (site.subscription_cancel_reason_required && !reason.trim()) return setWrong(validation.cancelReason)
    setWrong(null)
    if (purchase) end.mutate({ id: purchase.purchase_id, reason })
  }
  const until = purchase?.benefits_until_date
  return (
    <Dialog
      open={purchase !== null}
      onClose={end.isPending ? null : onClose}
      title="Cancelar suscripción"
      actions={
        <>
          <Button variant="outline" data-focus-first disabled={end.isPending} onClick={onClose}>
            Conservar mi suscripción
          </Button>
          <Button variant="danger" loading={end.isPending} onClick={submit}>
            Cancelar suscripción
          </Button>
        </>
      }
    >
      {purchase && (
        <p>
          {purchase.title}, {formatPesos(purchase.amount)}{' '}
          {subscriptionPeriodText(purchase.subscription_period, purchase.subscription_interval).toLowerCase()}.
        </p>
      )}
      <Banner tone="warn">
        {purchase?.status === 'pending'
          ? 'Todavía no empieza: se cancela de inmediato.'
          : purchase?.trial_ends_date
            ? 'Estás en tu periodo de prueba: tus beneficios terminan de inmediato.'
            : `Conservas tus beneficios hasta el final de tu ciclo${until ? `, el ${formatWall(until, 'date')}` : ''}.`}{' '}
        No hay reembolso y no se puede deshacer.
      </Banner>
      <TextArea
        label="¿Por qué cancelas?"
        name="reason"
        optional={!site.subscription_cancel_reason_required}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={wrong}
      />
    </Dialog>
  )
}
