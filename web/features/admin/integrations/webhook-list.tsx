import { IconWebhook } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formatInstant } from '#contract/time.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

interface WebhookListProps {
  /** The open webhook; 0: a new one; null: none. */
  open: number | null
  onShow: (webhook_endpoint_id: number) => void
  onClose: () => void
}

/** Webhooks: the addresses to which the studio sends events, and whether deliveries succeed. */
export function WebhookList({ open, onShow, onClose }: WebhookListProps) {
  const site = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.webhooks.list.queryOptions({ meta: { handled: true } }))
  const rows = query.data?.webhooks ?? []
  const opened = rows.find(({ webhook_endpoint_id }) => webhook_endpoint_id === open)
  const changed = () => client.invalidateQueries({ queryKey: queries.webhooks.key() })
  const add = <Button onClick={() => onShow(0)}>Webhook nuevo</Button>
  const lastText = ({ last_delivered_at }: Webhook) =>
    last_delivered_at ? `Última entrega: ${formatInstant(new Date(last_delivered_at), site.zone, 'class')}` : 'Sin entregas'
  return (
    <section className="integration-part" aria-labelledby="webhooks">
      <div className="integration-head">
        <h2 id="webhooks" className="t3">
          Webhooks
        </h2>
        {rows.length > 0 && add}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar los webhooks."
        nothing={
          rows.length === 0 && (
            <EmptyState action={add} drawing="salto">
              Con un webhook, otro programa se entera en el momento de reservaciones, compras, clientes y clases.
            </EmptyState>
          )
        }
      >
        <ul className="panel-card team-list" aria-label="Webhooks">
          {rows.map((row) => (
            <li key={row.webhook_endpoint_id}>
              <button type="button" className="team-row" data-row onClick={() => onShow(row.webhook_endpoint_id)}>
                <IconWebhook className="icon muted" aria-hidden="true" />
                <span className="team-who">
                  <span className="team-name">
                    <span className="strong ellipsis">{row.description || row.url}</span>
                    <WebhookBadge webhook={row} />
                  </span>
                  <span className="small muted ellipsis">
                    {row.description ? `${row.url} · ` : ''}
                    {row.event_types.length === 1 ? '1 evento' : `${row.event_types.length} eventos`}
                  </span>
                </span>
                <span className="small muted">{lastText(row)}</span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
      {open === 0 && <NewWebhookDialog onDone={changed} onClose={onClose} />}
      {opened && <WebhookPanel key={opened.webhook_endpoint_id} webhook={opened} onChanged={changed} onClose={onClose} />}
    </section>
  )
}

function WebhookBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.is_active) return <Badge>Apagado</Badge>
  if (webhook.stopped_at) return <Badge tone="danger">Detenido</Badge>
  return webhook.failing_since ? <Badge tone="warn">Con fallas</Badge> : null
}
