import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { useLastPage } from '#web/lib/list-page.ts'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { type TableQuery, useSearchField } from './use-table-query.ts'
import './data-table.css'

interface DataTableProps<T, K extends string> {
  /** what it lists, for a reader */
  caption: string
  /** what is asked for with `table` */
  query: { isPending: boolean; isError: boolean; isPlaceholderData: boolean; data: unknown; refetch: () => Promise<unknown> }
  table: TableQuery<K>
  /** what can be searched for: "Nombre, teléfono o correo" */
  searchLabel: string
  /** chips beside the search */
  filters?: ReactNode
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => number
  card: (row: T) => ReactNode
  /** "1,248 clientes", and sums of what is filtered */
  totals: ReactNode
  pages: number | undefined
  /** "No pudimos cargar los clientes." */
  failed: string
  /** what stands there when there is nothing at all */
  empty: ReactNode
  /** the same where nothing fits what is searched for */
  nothingFound?: string
}

/** A list of the studio: search, filters, pages and every state of it. The server searches, filters and counts. */
export function DataTable<T, K extends string>(props: DataTableProps<T, K>) {
  const { caption, query, table, searchLabel, filters, columns, rows, rowKey, card, totals, pages, failed, empty } = props
  const { nothingFound = 'Nada coincide con tu búsqueda.' } = props
  const [typed, type] = useSearchField(table.q, table.setQ)
  useLastPage(table.page, pages)
  return (
    <>
      <search className="table-tools">
        <span className="control table-search">
          <IconSearch className="icon muted" aria-hidden="true" />
          <input
            type="search"
            aria-label={searchLabel}
            placeholder={searchLabel}
            autoComplete="off"
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
          />
        </span>
        {filters}
        {table.isNarrowed && (
          <button type="button" className="link link-alone" onClick={table.clear}>
            Limpiar filtros
          </button>
        )}
      </search>
      <div className={`data-table ${query.isPlaceholderData ? 'data-table-old' : ''}`} aria-busy={query.isPlaceholderData}>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={6} />}
          failed={failed}
          nothing={
            rows.length === 0 &&
            (table.isNarrowed ? (
              <EmptyState action={<Button onClick={table.clear}>Limpiar filtros</Button>}>{nothingFound}</EmptyState>
            ) : (
              empty
            ))
          }
        >
          <Table caption={caption} columns={columns} rows={rows} rowKey={rowKey} card={card} />
          <div className="table-foot">
            <p className="small muted" aria-live="polite">
              {totals}
            </p>
            <Pager page={table.page} pages={pages ?? 1} onPage={table.turnTo} />
          </div>
        </Loaded>
      </div>
    </>
  )
}
