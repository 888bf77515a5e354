import { useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { SubstitutionList } from '#web/features/admin/timetable/substitution-list.tsx'
import { useSubstitutions } from '#web/features/admin/timetable/use-substitutions.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import '#web/ui/chip.css'

export const handle: AdminHandle = { title: 'Suplencias', detail: true }

const VIEWS = [
  { state: 'open', label: 'Abiertas', value: null },
  { state: 'past', label: 'Anteriores', value: 'anteriores' },
] as const

/** Suplencias: requests of a substitute. Planners see all of them, coaches their own. */
export default function Substitutions() {
  const [query, setQuery] = useSearchParams()
  const state = query.get('ver') === 'anteriores' ? 'past' : 'open'
  const list = useSubstitutions(state)
  const rows = list.data?.substitutions ?? []
  return (
    <>
      <ScreenHead title="Suplencias" about="Clases que buscan quién las dé." />
      <div className="substitution-tabs">
        {VIEWS.map((view) => (
          <button
            key={view.state}
            type="button"
            className={`chip ${view.state === state ? 'chip-on' : ''}`}
            aria-pressed={view.state === state}
            onClick={() => setQuery(view.value ? { ver: view.value } : {}, { replace: true, preventScrollReset: true })}
          >
            {view.label}
          </button>
        ))}
      </div>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar las suplencias."
        nothing={
          rows.length === 0 && (
            <EmptyState next={{ label: 'Ir al horario', to: adminPaths.schedule }}>
              {state === 'open' ? 'No hay suplencias abiertas.' : 'Todavía no hay suplencias anteriores.'}
            </EmptyState>
          )
        }
      >
        <SubstitutionList substitutions={rows} />
      </Loaded>
    </>
  )
}
