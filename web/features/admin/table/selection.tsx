/** Rows selected in a table: one by one, a range with Shift, the page, or all that match its filter. */
import '#web/ui/choice.css'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/table.tsx'
import './select-bar.css'

export interface Selection {
  /** the selected rows; with `isAll` those of the page */
  ids: ReadonlySet<number>
  /** whether all that match the filter are selected, on every page */
  isAll: boolean
  count: number
  /** `isRange`: with those between the last one toggled and this one */
  toggle: (id: number, isRange: boolean) => void
  togglePage: () => void
  selectAll: () => void
  clear: () => void
}

interface State {
  key: string
  ids: ReadonlySet<number>
  isAll: boolean
  last: number | null
}

/** `filterKey`: the filter as a text; another filter ends the selection. `page`: ids of the rows that are shown, in their order. */
export function useSelection(filterKey: string, page: readonly number[], total: number): Selection {
  const empty: State = { key: filterKey, ids: new Set(), isAll: false, last: null }
  const [stored, setState] = useState(empty)
  const state = stored.key === filterKey ? stored : empty
  const ids = state.isAll ? new Set(page) : state.ids
  const isPageSelected = page.length > 0 && page.every((id) => ids.has(id))
  return {
    ids,
    isAll: state.isAll,
    count: state.isAll ? total : ids.size,
    toggle(id, isRange) {
      const next = new Set(ids)
      const [from, to] = [state.last === null ? -1 : page.indexOf(state.last), page.indexOf(id)]
      const range = isRange && from >= 0 && to >= 0 ? page.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      const isOn = !ids.has(id)
      for (const value of range) {
        if (isOn) next.add(value)
        else next.delete(value)
      }
      setState({ key: filterKey, ids: next, isAll: false, last: id })
    },
    togglePage() {
      const next = new Set(ids)
      for (const id of page) {
        if (isPageSelected) next.delete(id)
        else next.add(id)
      }
      setState({ key: filterKey, ids: next, isAll: false, last: null })
    },
    selectAll: () => setState({ ...empty, isAll: true }),
    clear: () => setState(empty),
  }
}

/** What a table needs to have selectable rows. */
export interface SelectableRows<T> {
  selection: Selection
  /** the row in words: "Ana Ruiz" */
  nameOf: (row: T) => string
  /** how many match the filter */
  total: number
  /** "312 clientes" */
  countText: (count: number) => string
  /** what can be done with the selected rows */
  verbs: ReactNode
  /** whether they are named in the feminine */
  isFeminine?: boolean
  /** whether more match than were counted */
  hasMore?: boolean
}

interface SelectBoxProps {
  label: string
  checked: boolean
  isMixed?: boolean
  onToggle: (isRange: boolean) => void
}

function SelectBox({ label, checked, isMixed = false, onToggle }: SelectBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed
  })
  return (
    <label className="check select-box">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey === true)}
        data-select
      />
    </label>
  )
}

/** The checkbox of one row. */
export function SelectRow<T>({ row, id, rows }: { row: T; id: number; rows: SelectableRows<T> }) {
  const { selection, nameOf } = rows
  return (
    <SelectBox
      label={`Seleccionar: ${nameOf(row)}`}
      checked={selection.ids.has(id)}
      onToggle={(isRange) => selection.toggle(id, isRange)}
    />
  )
}

/** The columns of a table with a checkbox in the first one. */
export function selectableColumns<T>(
  columns: readonly Column<T>[],
  rows: SelectableRows<T>,
  page: readonly T[],
  idOf: (row: T) => number,
): readonly Column<T>[] {
  const [first, ...others] = columns
  if (!first) return columns
  const { ids } = rows.selection
  const selected = page.filter((row) => ids.has(idOf(row))).length
  return [
    {
      ...first,
      head: (
        <span className="select-cell">
          <SelectBox
            label="Seleccionar la página"
            checked={page.length > 0 && selected === page.length}
            isMixed={selected > 0 && selected < page.length}
            onToggle={rows.selection.togglePage}
          />
          {first.head ?? first.header}
        </span>
      ),
      cell: (row) => (
        <span className="select-cell">
          <SelectRow row={row} id={idOf(row)} rows={rows} />
          {first.cell(row)}
        </span>
      ),
    },
    ...others,
  ]
}

/** "3 clientes seleccionados", the actions for them, and the button that selects all that match the filter. */
export function SelectionBar<T>({ rows }: { rows: SelectableRows<T> }) {
  const { selection, total, countText, verbs, isFeminine = false, hasMore = false } = rows
  const chosen = isFeminine ? 'seleccionada' : 'seleccionado'
  if (selection.count === 0) return null
  return (
    <section className="select-bar" aria-label="Selección">
      <p className="strong" aria-live="polite">
        {selection.isAll && hasMore ? 'Más de ' : ''}
        {countText(selection.count)} {selection.count === 1 ? chosen : `${chosen}s`}
      </p>
      {!selection.isAll && total > selection.count && (
        <Button variant="quiet" size="small" onClick={selection.selectAll}>
          {isFeminine ? 'Seleccionar todas las que coinciden' : `Seleccionar los ${total.toLocaleString('es-MX')}`}
        </Button>
      )}
      <span className="grow" />
      {verbs}
      <IconButton bare label="Quitar la selección" onClick={selection.clear}>
        <IconX className="icon" aria-hidden="true" />
      </IconButton>
    </section>
  )
}

/** Toggles the row that has the focus: for the key `x`. */
export function toggleFocusedRow(): void {
  document.activeElement?.closest('tr, li')?.querySelector<HTMLInputElement>('[data-select]')?.click()
}
