/** Filters of a list that a person saved under a name, for themselves or the team, stored on the server (docs/domain.md E12, LA8). */
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queries } from '#web/lib/api.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { TableQuery } from './use-table-query.ts'

const SaveView = lazy(async () => ({ default: (await import('./save-view.tsx')).SaveView }))

export interface SavedView {
  nombre: string
  /** search text and filters as in the address */
  filtro: string
  /** whether colleagues see it too */
  equipo: boolean
}

/** What is stored, without what is no view. */
export function viewsIn(stored: unknown): SavedView[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((value: unknown) => {
    const { nombre, filtro, equipo } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
      Record<keyof SavedView, unknown>
    >
    return typeof nombre === 'string' && nombre !== '' && typeof filtro === 'string' ? [{ nombre, filtro, equipo: equipo === true }] : []
  })
}

/** A menu of the saved views, with buttons to save and remove one. `list`: the name of the list in the person's preferences. */
export function SavedViews({ list, table }: { list: string; table: Pick<TableQuery<string>, 'view' | 'showView' | 'isNarrowed'> }) {
  const preference = `${list}.vistas`
  const [isOpen, setIsOpen] = useState(false)
  const me = useQuery(queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  const views = viewsIn(me.data?.preferences[preference])
  const shared = (me.data?.shared_views ?? []).filter((view) => view.list === list)
  const current = views.find(({ filtro }) => filtro === table.view)?.nombre ?? shared.find(({ filter }) => filter === table.view)?.name
  return (
    <>
      <Menu
        label="Vistas"
        buttonClass={`chip ${current ? 'chip-on' : ''}`}
        button={
          <>
            <IconBookmark className="icon" aria-hidden="true" /> {current ?? 'Vistas'}
          </>
        }
      >
        {views.map(({ nombre, filtro }) => (
          <MenuItem key={nombre} onClick={() => table.showView(filtro)}>
            {nombre}
          </MenuItem>
        ))}
        {shared.length > 0 && views.length > 0 && <hr />}
        {shared.map(({ name, filter, by }) => (
          <MenuItem key={`${by} ${name}`} onClick={() => table.showView(filter)}>
            {name} <span className="small muted">de {by}</span>
          </MenuItem>
        ))}
        {views.length + shared.length > 0 && <hr />}
        <MenuItem onClick={() => setIsOpen(true)}>{views.length > 0 ? 'Guardar o quitar vistas' : 'Guardar esta vista'}</MenuItem>
      </Menu>
      {isOpen && (
        <Suspense>
          <SaveView preference={preference} views={views} view={table.isNarrowed ? table.view : null} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
