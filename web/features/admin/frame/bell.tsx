import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import type { Task } from '#contract/today.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TaskIcon } from './task-icon.tsx'
import './bell.css'

const REFETCH_MS = 60_000
/** The largest number that fits on the bell. */
const MOST_SHOWN = 99

/** Por atender on every screen: how many tasks are open, and a list of them that leads to each. */
export function Bell() {
  const [open, setOpen] = useState(false)
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
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={4} />}
          failed="No pudimos cargar lo que hay por atender."
          nothing={tasks.length === 0 && <EmptyState>No hay nada por atender.</EmptyState>}
        >
          <ul className="bell-list">
            {tasks.map((task) => (
              <BellRow key={task.task_id} task={task} onGo={close} />
            ))}
          </ul>
        </Loaded>
      </Drawer>
    </>
  )
}

function BellRow({ task, onGo }: { task: Task; onGo: () => void }) {
  return (
    <li className="bell-row">
      <TaskIcon kind={task.kind} />
      <span className="grow">
        <AppLink to={task.link} className="bell-link strong" onClick={onGo}>
          {task.title}
        </AppLink>
        <span className="small muted">{[task.amount && formatPesos(task.amount), task.detail].filter(Boolean).join(' · ')}</span>
      </span>
    </li>
  )
}
