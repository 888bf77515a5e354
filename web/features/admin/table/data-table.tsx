import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { useLastPage } from '#web/lib/list-page.ts'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table, useWide } from '#web/ui/table.tsx'
import { SavedViews } from './saved-views.tsx'
import { type SelectableRows, SelectionBar, SelectRow, selectableColumns, toggleFocusedRow } from './selection.tsx'
import { ORDER, type TableQuery, useSearchField } from './use-table-query.ts'
import './data-table.css'
import '#web/ui/chip.css'
import '#web/ui/field.css'
import '#web/ui/chip-select.css'

const SortCards = lazy(() => import('./sort-cards.tsx'))

interface DataTableProps<T, K extends string> {
  /** what it lists, for screen readers */
  caption: string
  /** its name in the preferences of a person, for saved views; without it there are none */
  list?: string
  /** the query for the state of `table` */
  query: { isPending: boolean; isError: boolean; isPlaceholderData: boolean; data: unknown; refetch: () => Promise<unknown> }
  table: TableQuery<K>
  /** what can be searched: "Nombre, teléfono o correo"; without it there is no search field */
  searchLabel?: string
  /** chips beside the search */
  filters?: ReactNode
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => number
  card: (row: T) => ReactNode
  /** "1,248 clientes", and sums of the filtered rows */
  totals: ReactNode
  pages: number | undefined
  /** "No pudimos cargar los clientes." */
  failed: string
  /** shown if there are no rows at all */
  empty: ReactNode
  /** shown if no row matches the search */
  nothingFound?: string
  /** rows of a live list that wait above it */
  newRows?: { waiting: number; show: () => void; isMasculine?: boolean }
  /** for rows that can be selected */
  selectable?: SelectableRows<T> | undefined
}

/** A table of the administration with search, filters, pages and all states. The server searches, filters and counts. */
export function DataTable<T, K extends string>(props: DataTableProps<T, K>) {
  const { caption, query, table, searchLabel, filters, columns, rows, rowKey, card, totals, pages, failed, empty } = props
  const { list, nothingFound = 'Nada coincide con tu búsqueda.', selectable, newRows } = props
  const [typed, type] = useSearchField(table.q, table.setQ)
  const filtersId = useId()
  const [areFiltersOpen, setAreFiltersOpen] = useState(false)
  const used = Object.entries<string>(table.filters).filter(([key, value]) => key !== ORDER && value !== '').length
  const isWide = useWide()
  useLastPage(table.page, pages)
  useShortcuts(caption, [...ROW_SHORTCUTS, selectable && { keys: 'x', label: 'Seleccionar el renglón', act: toggleFocusedRow }])
  return (
    <>
      <search className="table-tools">
        {searchLabel !== undefined && (
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
        )}
        <button
          type="button"
          className={`chip table-filters-button ${used ? 'chip-on' : ''}`}
          aria-expanded={areFiltersOpen}
          aria-controls={filtersId}
          onClick={() => setAreFiltersOpen(!areFiltersOpen)}
        >
          <IconAdjustmentsHorizontal className="icon" aria-hidden="true" /> {used ? `Filtros (${used})` : 'Filtros'}
        </button>
        <div id={filtersId} className={`table-filters ${areFiltersOpen ? 'table-filters-open' : ''}`}>
          {/* On phones it is loaded when the filters are opened. */}
          {!isWide && (areFiltersOpen || innerWidth > 760) && (
            <Suspense>
              <SortCards columns={columns} />
            </Suspense>
          )}
          {filters}
          {list !== undefined && <SavedViews list={list} table={table} />}
        </div>
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
          {newRows && (
            <p role="status" className="new-rows">
              {newRows.waiting > 0 && (
                <button type="button" className="chip chip-on" onClick={newRows.show}>
                  {`${newRows.waiting} ${newRows.isMasculine ? 'nuevo' : 'nueva'}${newRows.waiting === 1 ? '' : 's'}`}
                </button>
              )}
            </p>
          )}
          <Table
            caption={caption}
            columns={selectable ? selectableColumns(columns, selectable, rows, rowKey) : columns}
            rows={rows}
            rowKey={rowKey}
            card={(row) =>
              selectable ? (
                <div className="select-card">
                  <SelectRow row={row} id={rowKey(row)} rows={selectable} />
                  <div className="grow stack gap-8">{card(row)}</div>
                </div>
              ) : (
                card(row)
              )
            }
          />
          <div className="table-foot">
            <p className="small muted" aria-live="polite">
              {totals}
            </p>
            <Pager page={table.page} pages={pages ?? 1} onPage={table.turnTo} />
          </div>
          {selectable && <SelectionBar rows={selectable} />}
        </Loaded>
      </div>
    </>
  )
}
