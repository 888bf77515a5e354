import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { usePreload } from '#web/lib/use-preload.ts'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import './bell.css'

/** Loaded at the first pointer, touch or key event: it has an icon for each kind of task. */
const BellList = onDemandPart(
  () => import('./bell-list.tsx'),
  <p role="alert">No pudimos cargar lo que hay por atender.</p>,
  <ListSkeleton rows={4} />,
)

const REFETCH_MS = 60_000
/** The largest number that fits on the bell. */
const MOST_SHOWN = 99

/** Por atender on every screen: how many tasks are open, and a list of them that leads to each. */
export function Bell() {
  const [open, setOpen] = useState(false)
  usePreload(BellList)
  const query = useQuery({
    ...queries.today.tasks.queryOptions({ input: {}, staleTime: 15_000, meta: { handled: true } }),
    refetchInterval: REFETCH_MS,
  })
  const tasks = query.data?.tasks ?? []
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        className="icon-btn bell"
        aria-haspopup="dialog"
        aria-label={tasks.length === 0 ? 'Por atender' : `Por atender: ${tasks.length}`}
        onClick={() => setOpen(true)}
      >
        <IconBell className="icon" aria-hidden="true" />
        {tasks.length > 0 && (
          <span className="bell-count" aria-hidden="true">
            {tasks.length > MOST_SHOWN ? `${MOST_SHOWN}+` : tasks.length}
          </span>
        )}
      </button>
      <Drawer
        open={open}
        onClose={close}
        label="Por atender"
        side="right"
        closeLabel="Cerrar"
        head={<h2 className="t3">Por atender</h2>}
        foot={
          <Button as={AppLink} to={adminPaths.today} variant="outline" full onClick={close}>
            Ver todo en Hoy
          </Button>
        }
      >
        <BellList query={query} onGo={close} />
      </Drawer>
    </>
  )
}
