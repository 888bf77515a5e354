import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { empty } from '#contract/copy/empty-lists.ts'
import { formatInstant } from '#contract/time.ts'
import { announcementState } from '#web/features/admin/content/announcement-draft.ts'
import { AnnouncementPanel } from '#web/features/admin/content/announcement-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Avisos' }

/** Avisos: the studio's announcements to its visitors, newest first, each with an editor. */
export default function Announcements() {
  const { zone } = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.content.admin.announcements.all.queryOptions({ meta: { handled: true } }))
  const panel = useDialogParam(['aviso'] as const)
  const rows = query.data?.announcements ?? []
  const now = new Date(useNow())
  const locations = useQuery(queries.catalogue.locations.queryOptions({ meta: { handled: true } })).data?.locations ?? []
  const namesOf = (ids: readonly number[]) =>
    locations
      .filter(({ location_id }) => ids.includes(location_id))
      .map(({ name }) => name)
      .join(', ')
  const opened = rows.find(({ announcement_id }) => announcement_id === panel.open?.id) ?? null
  const add = () => panel.show('aviso', 0)
  useShortcuts('Avisos', [...ROW_SHORTCUTS, { keys: 'n', label: 'Nuevo aviso', act: add }])
  return (
    <>
      <ScreenHead title="Avisos" about="Los fijados van primero en tu sitio, y luego los más nuevos.">
        <Button icon={<IconPlus className="icon" aria-hidden="true" />} onClick={add}>
          Nuevo aviso
        </Button>
      </ScreenHead>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los avisos."
        nothing={rows.length === 0 && <EmptyState>{empty.announcements}</EmptyState>}
      >
        <ul className="panel-card catalogue-list">
          {rows.map(({ announcement_id, title, createdAt, from, until, pinned, location_ids }) => {
            const state = announcementState({ from, until }, now, zone)
            return (
              <li key={announcement_id}>
                <button type="button" className="catalogue-row" data-row onClick={() => panel.show('aviso', announcement_id)}>
                  <span className="strong">{title}</span>
                  <span className="small muted page-facts">
                    <span>{formatInstant(new Date(createdAt), zone, 'date')}</span>
                    <Badge tone={state.tone}>{state.text}</Badge>
                    {pinned && <Badge tone="brand">Fijado</Badge>}
                    {location_ids && <span>{namesOf(location_ids)}</span>}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      </Loaded>
      {panel.open && (opened || panel.open.id === 0) && (
        <AnnouncementPanel
          key={panel.open.id}
          announcement={opened}
          onChanged={() => client.invalidateQueries({ queryKey: queries.content.key() })}
          onClose={panel.close}
        />
      )}
    </>
  )
}
