import type { UseQueryResult } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import type { Task } from '#contract/today.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { TaskIcon } from './task-icon.tsx'

interface BellListProps {
  query: UseQueryResult<{ tasks: readonly Task[] }>
  /** closes the drawer: the staff member goes to the task */
  onGo: () => void
}

/** What the bell's drawer lists: each open task, with a link to where it is done. */
export default function BellList({ query, onGo }: BellListProps) {
  const tasks = query.data?.tasks ?? []
  return (
    <Loaded
      query={query}
      skeleton={<ListSkeleton rows={4} />}
      failed="No pudimos cargar lo que hay por atender."
      nothing={tasks.length === 0 && <EmptyState>No hay nada por atender.</EmptyState>}
    >
      <ul className="bell-list">
        {tasks.map((task) => (
          <BellRow key={task.task_id} task={task} onGo={onGo} />
        ))}
      </ul>
    </Loaded>
  )
}

function BellRow({ task, onGo }: { task: Task; onGo: () => void }) {
  return (
    <li className="bell-row">
      <TaskIcon kind={task.kind} />
      <span className="grow">
        <AppLink to={task.link} className="row-link strong" onClick={onGo}>
          {task.title}
        </AppLink>
        <span className="small muted">{[task.amount && formatPesos(task.amount), task.detail].filter(Boolean).join(' · ')}</span>
      </span>
    </li>
  )
}
