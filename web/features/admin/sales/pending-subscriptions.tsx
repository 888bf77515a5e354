/** Subscriptions of another system that wait for a card: the link to send, and taking one off. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import type { PendingSubscription } from '#contract/pending-subscriptions.ts'
import { phoneDigits } from '#contract/phone.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { api, queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Pager } from '#web/ui/pager.tsx'

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
      {dialog?.verb === 'link' && <LinkDialog row={dialog.row} onClose={close} />}
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

function LinkDialog({ row, onClose }: { row: PendingSubscription; onClose: () => void }) {
  const site = useSite()
  const { pending_subscription_id, customer, title } = row
  const link = useMutation({ meta: { handled: true }, mutationFn: () => api.pendingSubscriptions.link({ pending_subscription_id }) })
  const text =
    link.data && `Hola, ${customer.name}. Para seguir con ${title} en ${site.business_name}, pon tu tarjeta aquí: ${link.data.url}`
  return (
    <Dialog
      open
      onClose={link.isPending ? null : onClose}
      title="Enlace para activar"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cerrar
          </Button>
          {!link.data && (
            <Button loading={link.isPending} onClick={() => link.mutate()}>
              Crear enlace
            </Button>
          )}
          {customer.phone && text && (
            <Button
              as="a"
              href={`https://wa.me/52${phoneDigits(customer.phone)}?text=${encodeURIComponent(text)}`}
              target="_blank"
              rel="noreferrer"
            >
              Enviar por WhatsApp
            </Button>
          )}
        </>
      }
    >
      <p>
        Con él {customer.name} pone su tarjeta sin entrar a su cuenta. Hoy no se cobra nada: el{' '}
        {formatWall(`${row.next_charge_on}T00:00:00Z`, 'date')} se cobran {formatPesos(row.amount)} y empieza {title}.
      </p>
      {link.isError && (
        <Banner tone="danger" live>
          {failureOf(link.error).message}
        </Banner>
      )}
      {link.data && (
        <>
          <TextField label="Enlace" readOnly value={link.data.url} onFocus={(event) => event.currentTarget.select()} />
          <div className="row gap-8 wraps">
            <CopyButton text={link.data.url} what="el enlace" />
            <span className="small muted">Sirve hasta el {formatInstant(new Date(link.data.until), site.zone, 'date')}.</span>
          </div>
        </>
      )}
    </Dialog>
  )
}
