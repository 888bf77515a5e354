import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { useRowOrder } from '#web/features/admin/table/row-order.ts'
import SortCards from '#web/features/admin/table/sort-cards.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type CatalogueList, type CatalogueRecord, recordName, text } from './catalogue-lists.ts'
import { RecordPanel } from './record-panel.tsx'
import './catalogue.css'

/** A list of records with the panel of one; `children` are between head and list. */
export function ListScreen({ list, children }: { list: CatalogueList; children?: ReactNode }) {
  const client = useQueryClient()
  const query = useQuery(list.query() as Parameters<typeof useQuery>[0])
  const panel = useDialogParam(['registro', 'copia'] as const)
  const [typed, setTyped] = useState('')
  // The order that was chosen, until the server has answered.
  const [chosen, setChosen] = useState<readonly CatalogueRecord[] | null>(null)
  const wanted = plain(typed)
  const stored = query.data ? list.rowsOf(query.data) : []
  const all = chosen ?? stored
  const archived = list.arranged ? all.filter(isArchived) : []
  const current = list.arranged ? all.filter((row) => !isArchived(row)) : all
  const rows = wanted ? all.filter((row) => plain(recordName(list, row)).includes(wanted)) : current
  const opened = all.find((row) => row[list.idKey] === panel.open?.id) ?? null
  useShortcuts(list.title, [...ROW_SHORTCUTS, EDIT_SHORTCUT, { keys: 'n', label: list.add, act: () => panel.show('registro', 0) }])
  // Other screens show what is edited here under its public name.
  const changed = () => client.invalidateQueries()
  const groups = groupsOf(current, list.arranged?.groupBy)
  const groupName = ([first = {}]: readonly CatalogueRecord[]) => (list.arranged?.groupName ?? list.about)(first)
  const sorts = list.sorts ?? []
  const order = useRowOrder<CatalogueRecord>(Object.fromEntries(sorts.map(({ by, value }) => [by, value])))
  const arranging = useMutation({
    meta: { handled: true },
    mutationFn: (next: readonly CatalogueRecord[]) => list.arranged?.order(next.map((row) => Number(row[list.idKey]))) ?? Promise.resolve(),
    onMutate: setChosen,
    onError: (error) => showAlert('alert', toFailure(error).message),
    async onSettled() {
      await changed()
      setChosen(null)
    },
  })
  const row = (record: CatalogueRecord) => (
    <button type="button" className="catalogue-row" data-row onClick={() => panel.show('registro', Number(record[list.idKey]))}>
      <span className="strong">{recordName(list, record)}</span>
      {list.about(record) !== '' && (groups.length < 2 || list.arranged?.groupName) && (
        <span className="small muted">{list.about(record)}</span>
      )}
    </button>
  )
  const add = (
    <Button icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => panel.show('registro', 0)}>
      {list.add}
    </Button>
  )
  return (
    <>
      <ScreenHead title={list.title} about={query.data ? count(current.length) : ' '}>
        {!(query.data && all.length === 0) && add}
      </ScreenHead>
      {children}
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar esta lista."
        nothing={all.length === 0 && <EmptyState action={add}>{list.empty}</EmptyState>}
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
        {rows.length > 1 && sorts.length > 0 && (
          <div className="catalogue-search">
            <SortCards columns={sorts.map(({ header, by, first }) => order.head(header, by, first))} />
          </div>
        )}
        {rows.length === 0 && (
          <p role="status" className="muted">
            {list.search?.nothing}
          </p>
        )}
        {list.arranged && !wanted ? (
          groups.map(([key, members]) => (
            <section key={key} className="catalogue-group" aria-label={groupName(members) || list.title}>
              {groups.length > 1 && <h2 className="t3">{groupName(members)}</h2>}
              <OrderedList
                label={list.title}
                items={members}
                idOf={(row) => Number(row[list.idKey])}
                nameOf={(row) => recordName(list, row)}
                onOrder={(next) => arranging.mutate([...groups.flatMap(([group, rows]) => (group === key ? next : rows)), ...archived])}
              >
                {row}
              </OrderedList>
            </section>
          ))
        ) : (
          <ul className="panel-card catalogue-list">
            {order.sorted(rows).map((record) => (
              <li key={Number(record[list.idKey])}>{row(record)}</li>
            ))}
          </ul>
        )}
        {list.arranged && archived.length > 0 && !wanted && (
          <details className="catalogue-archived">
            <summary>{archived.length === 1 ? '1 archivado' : `${archived.length} archivados`}</summary>
            <ul className="panel-card catalogue-list">
              {archived.map((record) => (
                <li key={Number(record[list.idKey])}>{row(record)}</li>
              ))}
            </ul>
          </details>
        )}
      </Loaded>
      {panel.open && (opened || panel.open.name === 'copia' || panel.open.id === 0) && (
        <RecordPanel
          key={`${panel.open.name}-${panel.open.id}`}
          list={list}
          row={panel.open.name === 'copia' ? null : opened}
          copyOf={panel.open.name === 'copia' ? opened : null}
          names={all.map((row) => text(row.name))}
          onChanged={changed}
          onCopy={(id) => panel.show('copia', id)}
          onClose={panel.close}
        />
      )}
    </>
  )
}

const isArchived = (row: CatalogueRecord) => row.archived === true

/** The rows by the value of a field, in the order in which the values first appear; one group without a field. */
function groupsOf(rows: readonly CatalogueRecord[], field: string | undefined): [string, CatalogueRecord[]][] {
  const groups = new Map<string, CatalogueRecord[]>()
  for (const row of rows) {
    const key = field === undefined ? '' : text(row[field])
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups]
}

/** Without accents and capitals, for the search. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('es-MX').trim()

const count = (rows: number): string => (rows === 0 ? ' ' : rows === 1 ? '1 en la lista.' : `${rows} en la lista.`)
