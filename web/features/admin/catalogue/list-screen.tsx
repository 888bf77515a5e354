import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type CatalogueList, nameOf } from './catalogue-lists.ts'
import { RecordPanel } from './record-panel.tsx'
import './catalogue.css'

/** A list of records with the panel of one; `children` stand between head and list. */
export function ListScreen({ list, children }: { list: CatalogueList; children?: ReactNode }) {
  const client = useQueryClient()
  const query = useQuery(list.query() as Parameters<typeof useQuery>[0])
  const panel = useDialogParam(['registro'] as const)
  const [typed, setTyped] = useState('')
  const all = query.data ? list.rowsOf(query.data) : []
  const wanted = plain(typed)
  const rows = wanted ? all.filter((row) => plain(nameOf(list, row)).includes(wanted)) : all
  const opened = all.find((row) => row[list.idKey] === panel.open?.id) ?? null
  useShortcuts(list.title, [...ROW_SHORTCUTS, EDIT_SHORTCUT, { keys: 'n', label: list.add, act: () => panel.show('registro', 0) }])
  // Other screens show what is edited here under its public name.
  const changed = () => client.invalidateQueries()
  return (
    <>
      <ScreenHead title={list.title} about={query.data ? count(all.length) : ' '}>
        <Button icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => panel.show('registro', 0)}>
          {list.add}
        </Button>
      </ScreenHead>
      {children}
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar esta lista."
        nothing={all.length === 0 && <EmptyState>{list.empty}</EmptyState>}
      >
        {list.search && all.length > 0 && (
          <div className="catalogue-search">
            <TextField
              label={list.search.label}
              type="search"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              before={<IconSearch className="icon muted" aria-hidden="true" />}
            />
          </div>
        )}
        {rows.length === 0 && (
          <p role="status" className="muted">
            {list.search?.nothing}
          </p>
        )}
        <ul className="panel-card catalogue-list">
          {rows.map((row) => (
            <li key={Number(row[list.idKey])}>
              <button type="button" className="catalogue-row" data-row onClick={() => panel.show('registro', Number(row[list.idKey]))}>
                <span className="strong">{nameOf(list, row)}</span>
                <span className="small muted">{list.about(row)}</span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
      {panel.open && (opened || panel.open.id === 0) && (
        <RecordPanel key={panel.open.id} list={list} row={opened} onChanged={changed} onClose={panel.close} />
      )}
    </>
  )
}

/** Without accents and capitals, for the search. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('es-MX').trim()

const count = (rows: number): string => (rows === 1 ? '1 en la lista.' : `${rows} en la lista.`)
