import { useQuery } from '@tanstack/react-query'
import type { TaskKind } from '#contract/today.ts'
import { queries } from '#web/lib/api.ts'
import { TaskList } from './task-list.tsx'
import './today.css'

/** Tasks that change the corte or are easily forgotten after it: unconfirmed transfers, and open rosters. */
const KINDS: readonly TaskKind[] = ['transfer', 'roster_open']

/** Antes de cerrar: the tasks of a location that are done before its till is counted; nothing when there are none. */
export default function BeforeClosing({ location_id }: { location_id: number }) {
  const query = useQuery(queries.today.tasks.queryOptions({ input: { location_id }, staleTime: 15_000, meta: { handled: true } }))
  const tasks = (query.data?.tasks ?? []).filter(({ kind }) => KINDS.includes(kind))
  if (tasks.length === 0) return null
  return (
    <section className="panel-card till-before" aria-labelledby="antes-de-cerrar">
      <div className="panel-head">
        <h2 id="antes-de-cerrar" className="t3">
          Antes de cerrar
        </h2>
        <span className="small muted">{tasks.length}</span>
      </div>
      <TaskList tasks={tasks} />
    </section>
  )
}
