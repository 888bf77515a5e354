import { IconBell, IconChecks } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Notification as Told } from '#contract/notifications.ts'
import { MESSAGES_PER_PAGE, pageCount } from '#contract/paging.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import { MessagePreferencesCard } from '#web/features/account/message-preferences.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { PageHead } from './page-head.tsx'
import './messages.css'

/** Mis Mensajes: the notifications of the studio, and the channels it may use. The page of the list is in the address. */
export default function Messages() {
  const client = useQueryClient()
  const [page, turnTo] = useListPage()
  const list = useQuery({ ...queries.messages.list.queryOptions({ input: { page } }), placeholderData: keepPreviousData })
  const read = useMutation({
    mutationFn: (ids?: number[]) => api.messages.read(ids ? { message_ids: ids } : {}),
    onSettled: () => client.invalidateQueries({ queryKey: queries.messages.list.key() }),
  })
  const waiting = useSkeleton(list.isPending)
  const rows = list.data?.messages ?? []
  const newMessages = list.data?.unread ?? 0
  const pages = pageCount(list.data?.total ?? 0, MESSAGES_PER_PAGE)
  useLastPage(page, list.data && !list.isPlaceholderData ? pages : undefined)
  return (
    <div className="wrap">
      <PageHead title="Mis Mensajes" about={list.data ? newMessagesText(newMessages) : null} live>
        {newMessages > 0 && (
          <Button
            variant="outline"
            loading={read.isPending && read.variables === undefined}
            icon={<IconChecks className="icon" aria-hidden="true" />}
            onClick={() => read.mutate(undefined)}
          >
            Marcar todos como leídos
          </Button>
        )}
      </PageHead>
      <div className="messages-page">
        <div className="messages-list">
          <Loaded
            query={list}
            skeleton={<Skeleton height="320px" />}
            failed="No pudimos cargar tus mensajes."
            nothing={
              rows.length === 0 && (
                <EmptyState drawing="battement" next={{ label: 'Ver el calendario', to: paths.mystudio.calendar }}>
                  Aún no tienes mensajes.
                </EmptyState>
              )
            }
          >
            <ul className="messages" aria-label="Mensajes">
              {rows.map((row) => (
                <Message key={row.message_id} row={row} onRead={() => read.mutate([row.message_id])} />
              ))}
            </ul>
          </Loaded>
          <Pager page={page} pages={pages} onPage={turnTo} />
        </div>
        {/* Hidden until the list above has its final height, so that it does not jump. */}
        <div hidden={list.isPending || waiting}>
          <MessagePreferencesCard />
        </div>
      </div>
    </div>
  )
}

function newMessagesText(newMessages: number): string {
  if (newMessages === 0) return 'Estás al día.'
  return newMessages === 1 ? '1 mensaje sin leer.' : `${newMessages} mensajes sin leer.`
}

function Message({ row, onRead }: { row: Told; onRead: () => void }) {
  const site = useSite()
  const fresh = row.readAt === null
  return (
    <li className={`message ${fresh ? 'message-fresh' : ''}`}>
      <IconBell className="icon" aria-hidden="true" />
      <div className="grow">
        <p className="message-title">
          <span className="strong">{row.title}</span>
          {fresh && <span className="sr-only"> (sin leer)</span>}
          <span className="small muted nowrap">{formatInstant(new Date(row.createdAt), site.zone, 'class')}</span>
        </p>
        {row.lines.map((line) => (
          <p key={line} className="small">
            {line}
          </p>
        ))}
        <p className="row wraps gap-16 message-verbs">
          {row.action && (
            <AppLink to={row.action.path} className="link link-alone" onClick={() => fresh && onRead()}>
              {row.action.label}
            </AppLink>
          )}
          {fresh && (
            <button type="button" className="link link-alone" onClick={onRead} aria-label={`Marcar como leído: ${row.title}`}>
              Marcar como leído
            </button>
          )}
        </p>
      </div>
    </li>
  )
}
