import { useQuery } from '@tanstack/react-query'
import type { LoggedMessage } from '#contract/notifications.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

const STATUS: Readonly<Record<LoggedMessage['status'], { text: string; tone: BadgeTone }>> = {
  waiting: { text: 'Por enviar', tone: 'warn' },
  sending: { text: 'Enviándose', tone: 'warn' },
  sent: { text: 'Enviado', tone: 'ok' },
  delivered: { text: 'Entregado', tone: 'ok' },
  read: { text: 'Leído', tone: 'ok' },
  failed: { text: 'Falló', tone: 'danger' },
  unknown: { text: 'Sin confirmar', tone: 'outline' },
  moot: { text: 'No hizo falta', tone: 'outline' },
}

const CHANNEL: Readonly<Record<string, string>> = { mail: 'Correo', whatsapp: 'WhatsApp', app: 'En su cuenta' }

/** What the studio told somebody, by which way, and what became of it. */
export function MessageLog({ customer_id }: { customer_id: number }) {
  const site = useSite()
  const log = useQuery(queries.messages.log.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const rows = log.data?.messages ?? []
  return (
    <section className="panel-card" aria-label="Mensajes">
      <Loaded
        query={log}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar sus mensajes."
        nothing={rows.length === 0 && <EmptyState>Todavía no se le ha enviado nada.</EmptyState>}
      >
        <ul>
          {rows.map((row) => (
            <li key={row.message_id} className="booked-row">
              <details className="grow">
                <summary>
                  <span className="strong">{row.title}</span>{' '}
                  <span className="small muted">
                    {CHANNEL[row.channel] ?? row.channel} · {formatInstant(new Date(row.createdAt), site.zone, 'class')}
                  </span>
                </summary>
                <p className="message-text">{row.text}</p>
                {row.reason && <p className="small muted">{row.reason}</p>}
              </details>
              <Badge tone={STATUS[row.status].tone}>{STATUS[row.status].text}</Badge>
            </li>
          ))}
        </ul>
      </Loaded>
    </section>
  )
}
