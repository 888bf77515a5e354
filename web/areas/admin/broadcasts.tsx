import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { BROADCAST_STATE_NAMES, broadcastFigures, isUnderway } from '#web/features/admin/messages/broadcast-text.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'

const BroadcastPanel = lazy(async () => ({
  default: (await import('#web/features/admin/messages/broadcast-panel.tsx')).BroadcastPanel,
}))

export const handle: AdminHandle = { title: 'Difusiones' }

const WATCH_MS = 5_000

/** Difusiones: messages to many customers, newest first, with the state of their delivery. */
export default function Broadcasts() {
  const { zone } = useSite()
  const navigate = useNavigate()
  const [page, turnTo] = useListPage()
  const panel = useDialogParam(['abierta'] as const)
  const query = useQuery({
    ...queries.broadcasts.list.queryOptions({ input: { page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.broadcasts.some(isUnderway) ? WATCH_MS : false),
  })
  const { broadcasts = [], pages = 1 } = query.data ?? {}
  useLastPage(page, query.data && !query.isPlaceholderData ? pages : undefined)
  useShortcuts('Difusiones', [...ROW_SHORTCUTS, { keys: 'n', label: 'Nuevo mensaje', act: () => void navigate(adminPaths.newBroadcast) }])
  const add = (
    <Button as={AppLink} to={adminPaths.newBroadcast} icon={<IconPlus className="icon" aria-hidden="true" />}>
      Nuevo mensaje
    </Button>
  )
  return (
    <>
      <ScreenHead title="Difusiones" about="Lo que escribiste a muchos clientes a la vez.">
        {broadcasts.length > 0 && add}
      </ScreenHead>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar las difusiones."
        nothing={
          broadcasts.length === 0 && (
            <EmptyState action={add}>
              Avisa de una clase nueva a un segmento, o de un cambio a quienes vienen hoy. Las promociones solo llegan a quien las aceptó.
            </EmptyState>
          )
        }
      >
        <ul className="panel-card catalogue-list" aria-label="Difusiones">
          {broadcasts.map((row) => (
            <li key={row.broadcast_id}>
              <button type="button" className="catalogue-row" data-row onClick={() => panel.show('abierta', row.broadcast_id)}>
                <span className="strong">{row.subject}</span>
                <span className="small muted page-facts">
                  <Badge tone={BROADCAST_STATE_NAMES[row.state].tone}>{BROADCAST_STATE_NAMES[row.state].label}</Badge>
                  <span>{formatInstant(new Date(row.at), zone, 'class')}</span>
                  <span>{row.audience}</span>
                  <span>{broadcastFigures(row)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <Pager page={page} pages={pages} onPage={turnTo} />
      </Loaded>
      {panel.open && (
        <Suspense>
          <BroadcastPanel key={panel.open.id} broadcast_id={panel.open.id} onClose={panel.close} />
        </Suspense>
      )}
    </>
  )
}
