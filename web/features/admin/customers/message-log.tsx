import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { messageChannelLabels, messageStatusLabels, whyNotSent } from '#contract/copy/message-log.ts'
import { MESSAGES_PER_PAGE, pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { MESSAGE_TONES } from '#web/features/admin/messages/message-tones.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { CustomerPart } from './customer-part.tsx'
import { useTabPage } from './use-tab-page.ts'

const MessagePanel = lazy(async () => ({ default: (await import('#web/features/admin/messages/message-panel.tsx')).MessagePanel }))

/** The messages to a customer, with channel and delivery state; one is written to them, or sent again, from here. */
export function MessageLog({ customer_id }: { customer_id: number }) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const [opened, setOpened] = useState<number | null>(null)
  const [page, turnTo] = useTabPage()
  const log = useQuery({
    ...queries.messages.log.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = log.data?.messages ?? []
  const pages = log.data && pageCount(log.data.total, MESSAGES_PER_PAGE)
  useLastPage(page, pages)
  return (
    <CustomerPart
      id="mensajes"
      title="Mensajes"
      verb={
        may(staff, 'messages.send') && (
          <Button as={AppLink} to={adminPaths.newBroadcastTo({ clientes: customer_id })} size="small" variant="outline">
            Escribir
          </Button>
        )
      }
    >
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
                    {messageChannelLabels[row.channel]} · {formatInstant(new Date(row.createdAt), site.zone, 'class')}
                  </span>
                </summary>
                <p className="message-text">{row.text}</p>
                {whyNotSent(row) && <p className="small muted">{whyNotSent(row)}</p>}
              </details>
              <Badge tone={MESSAGE_TONES[row.status]}>{messageStatusLabels[row.status]}</Badge>
              {row.resendable && may(staff, 'customers.edit') && (
                <Button size="small" variant="outline" aria-label={`Reenviar “${row.title}”`} onClick={() => setOpened(row.message_id)}>
                  Reenviar
                </Button>
              )}
            </li>
          ))}
        </ul>
        <div className="table-foot">
          <Pager page={page} pages={pages ?? 1} onPage={turnTo} />
        </div>
      </Loaded>
      {opened !== null && (
        <Suspense>
          <MessagePanel
            message_id={opened}
            shown={rows.find(({ message_id }) => message_id === opened)}
            onChanged={() => client.invalidateQueries({ queryKey: queries.messages.key() })}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </CustomerPart>
  )
}
