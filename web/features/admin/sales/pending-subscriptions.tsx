/** Subscriptions of another system that wait for a card: the link to send, and taking one off. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import type { PendingSubscription } from '#contract/pending-subscriptions.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { LinkDialog } from './link-dialog.tsx'

const STATES: Record<PendingSubscription['state'], string> = { ready: 'Con tarjeta', waiting: 'Sin tarjeta', paused: 'En pausa' }

/** Of one customer, or all of the studio; nothing where none waits. */
export default function PendingSubscriptions({ customer_id }: { customer_id?: number }) {
  const client = useQueryClient()
  const staff = useStaff()
  const [page, setPage] = useState(1)
  const [dialog, setDialog] = useState<{ verb: 'link' | 'cancel'; row: PendingSubscription } | null>(null)
  const input = { page, ...(customer_id === undefined ? {} : { customer_id }) }
  const list = useQuery({
    ...queries.pendingSubscriptions.list.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { pending_subscriptions = [], total = 0, pages = 1 } = list.data ?? {}
  if (!list.isError && total === 0) return null
  const close = () => setDialog(null)
  const done = () => {
    close()
    void client.invalidateQueries({ queryKey: queries.pendingSubscriptions.key() })
  }
  return (
    <section className="panel-card" aria-labelledby="por-activar">
      <div className="panel-head">
        <h2 id="por-activar" className="t3">
          Por activar
        </h2>
        <span className="small muted">Del sistema anterior: esperan su tarjeta</span>
      </div>
      {list.isError && !list.data ? (
        <div className="panel-body">
          <PartNotLoaded query={list}>No pudimos cargar las suscripciones por activar.</PartNotLoaded>
        </div>
      ) : (
        <>
          <ul>
            {pending_subscriptions.map((row) => (
              <li key={row.pending_subscription_id} className="booked-row">
                <div className="grow">
                  <p className="row gap-8 wraps">
                    {customer_id === undefined && (
                      <AppLink to={adminPaths.customer(row.customer.customer_id)} className="row-link strong">
                        {`${row.customer.name} ${row.customer.last_name}`.trim()}
                      </AppLink>
                    )}
                    <span>{row.title}</span>
                    <Badge tone={row.state === 'ready' ? 'ok' : 'warn'}>{STATES[row.state]}</Badge>
                  </p>
                  <p className="small muted">
                    {formatPesos(row.amount)} desde el {formatWall(`${row.next_charge_on}T00:00:00Z`, 'date')}
                  </p>
                </div>
                {may(staff, 'subscriptions.edit') && (
                  <div className="row gap-8 wraps">
                    <Button variant="outline" size="small" onClick={() => setDialog({ verb: 'link', row })}>
                      Enlace para activar
                    </Button>
                    <Button variant="danger-quiet" size="small" onClick={() => setDialog({ verb: 'cancel', row })}>
                      Quitar
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
          {pages > 1 && (
            <div className="panel-body">
              <Pager page={page} pages={pages} onPage={setPage} label="Páginas de suscripciones por activar" />
            </div>
          )}
        </>
      )}
      {dialog?.verb === 'link' && <ActivationLink row={dialog.row} onClose={close} />}
      {dialog?.verb === 'cancel' && (
        <ReasonDialog
          title="Quitar la suscripción por activar"
          yes="Sí, quitar"
          no="No, conservarla"
          danger
          consequence="Su enlace deja de servir y no se le cobra nada. Las clases que ya tiene se quedan."
          send={(reason) => api.pendingSubscriptions.cancel({ pending_subscription_id: dialog.row.pending_subscription_id, reason })}
          onDone={done}
          onClose={close}
        />
      )}
    </section>
  )
}

function ActivationLink({ row, onClose }: { row: PendingSubscription; onClose: () => void }) {
  const site = useSite()
  const { pending_subscription_id, customer, title } = row
  return (
    <LinkDialog
      title="Enlace para activar"
      create={() => api.pendingSubscriptions.link({ pending_subscription_id })}
      phone={customer.phone}
      messageOf={(url) => `Hola, ${customer.name}. Para seguir con ${title} en ${site.business_name}, pon tu tarjeta aquí: ${url}`}
      validity="Sirve hasta el"
      onClose={onClose}
    >
      <p>
        Con él {customer.name} pone su tarjeta sin entrar a su cuenta. Hoy no se cobra nada: el{' '}
        {formatWall(`${row.next_charge_on}T00:00:00Z`, 'date')} se cobran {formatPesos(row.amount)} y empieza {title}.
      </p>
    </LinkDialog>
  )
}
