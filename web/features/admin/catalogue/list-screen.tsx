import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'
import { type CatalogueList, nameOf } from './catalogue-lists.ts'
import { RecordPanel } from './record-panel.tsx'
import './catalogue.css'

/** A list of records with the panel of one; `children` stand between head and list. */
export function ListScreen({ list, children }: { list: CatalogueList; children?: ReactNode }) {
  const client = useQueryClient()
  const query = useQuery(list.query() as Parameters<typeof useQuery>[0])
  const panel = useDialogParam(['registro'] as const)
  const rows = query.data ? list.rowsOf(query.data) : []
  const opened = rows.find((row) => row[list.idKey] === panel.open?.id) ?? null
  useShortcuts(list.title, [...ROW_SHORTCUTS, EDIT_SHORTCUT, { keys: 'n', label: list.add, act: () => panel.show('registro', 0) }])
  // Other screens show what is edited here under its public name.
  const changed = () => client.invalidateQueries()
  return (
    <>
      <ScreenHead title={list.title} about={query.data ? count(rows.length) : ' '}>
        <Button icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => panel.show('registro', 0)}>
          {list.add}
        </Button>
      </ScreenHead>
      {children}
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar esta lista."
        nothing={rows.length === 0 && <EmptyState>{list.empty}</EmptyState>}
      >
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

const count = (rows: number): string => (rows === 1 ? '1 en la lista.' : `${rows} en la lista.`)
