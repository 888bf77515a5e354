import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { type WebhookDelivery, type WebhookEvent, webhookEvents } from '#contract/webhooks.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'

/** Polling interval while a test or a repeated message is being delivered. */
const REFRESH_MS = 5_000

const STATES = {
  waiting: ['warn', 'Espera'],
  delivered: ['ok', 'Entregado'],
  failed: ['danger', 'No llegó'],
} as const

const eventName = (type: string): string => (Object.hasOwn(webhookEvents, type) ? webhookEvents[type as WebhookEvent] : 'Prueba')

/** What was sent to a webhook in the last 30 days, with every answer. */
export function WebhookDeliveries({ webhook_endpoint_id }: { webhook_endpoint_id: number }) {
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<number | null>(null)
  const query = useQuery(
    queries.webhooks.deliveries.queryOptions({
      input: { webhook_endpoint_id, page, per_page: 10 },
      meta: { handled: true },
      refetchInterval: REFRESH_MS,
    }),
  )
  const rows = query.data?.deliveries ?? []
  return (
    <section aria-labelledby="envios">
      <h3 id="envios" className="strong">
        Envíos
      </h3>
      {query.isError && <p className="muted">No pudimos cargar los envíos.</p>}
      {query.data && rows.length === 0 && <p className="muted">Todavía no se ha enviado nada.</p>}
      <ul className="webhook-deliveries" aria-label="Envíos">
        {rows.map((row) => (
          <DeliveryRow
            key={row.webhook_delivery_id}
            row={row}
            isOpen={open === row.webhook_delivery_id}
            onToggle={() => setOpen(open === row.webhook_delivery_id ? null : row.webhook_delivery_id)}
          />
        ))}
      </ul>
      {(query.data?.pages ?? 1) > 1 && <Pager page={page} pages={query.data?.pages ?? 1} onPage={setPage} />}
    </section>
  )
}

function DeliveryRow({ row, isOpen, onToggle }: { row: WebhookDelivery; isOpen: boolean; onToggle: () => void }) {
  const site = useSite()
  const [tone, text] = STATES[row.state]
  return (
    <li>
      <button type="button" className="webhook-delivery" aria-expanded={isOpen} onClick={onToggle}>
        <span className="grow">
          <span className="strong">{eventName(row.type)}</span>
          <span className="small muted">
            {formatInstant(new Date(row.createdAt), site.zone, 'class')}
            {row.error && ` · ${row.error}`}
          </span>
        </span>
        <Badge tone={tone}>{text}</Badge>
      </button>
      {isOpen && <DeliveryDetails row={row} />}
    </li>
  )
}

function DeliveryDetails({ row }: { row: WebhookDelivery }) {
  const { webhook_delivery_id } = row
  const site = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.webhooks.delivery.queryOptions({ input: { webhook_delivery_id }, meta: { handled: true } }))
  const replay = useMutation({
    meta: { handled: true },
    mutationFn: () => api.webhooks.replay({ webhook_delivery_id }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.webhooks.key() })
      showAlert('success', 'Se envía otra vez.')
    },
    onError: alertFailure,
  })
  return (
    <div className="webhook-details">
      {query.data && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: a region that scrolls must be reachable by keyboard */}
          <pre className="small" role="region" tabIndex={0} aria-label="Mensaje">
            {JSON.stringify(query.data.payload, null, 2)}
          </pre>
          <ol className="small">
            {query.data.attempts.map((attempt) => (
              <li key={attempt.at}>
                {formatInstant(new Date(attempt.at), site.zone, 'class')} · {attempt.status ?? 'Sin respuesta'} · {attempt.milliseconds} ms
                {attempt.error && ` · ${attempt.error}`}
                {attempt.response && <code className="webhook-response">{attempt.response}</code>}
              </li>
            ))}
          </ol>
        </>
      )}
      <Button variant="outline" size="small" loading={replay.isPending} onClick={() => replay.mutate()}>
        Enviar otra vez
      </Button>
    </div>
  )
}
