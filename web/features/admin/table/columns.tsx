/** The columns of a table that a person chose, stored on the server for every device of theirs (docs/domain.md E12). */
import { IconColumns } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { queries } from '#web/lib/api.ts'
import { type Column, useWide } from '#web/ui/table.tsx'
import '#web/ui/chip.css'

const ChooseColumns = lazy(async () => ({ default: (await import('./choose-columns.tsx')).ChooseColumns }))

/** A column that can be left out. */
export interface KeyedColumn<T> extends Column<T> {
  /** its name in the stored choice */
  key: string
  /** hidden unless the person chose it */
  isExtra?: boolean
}

/** A column as the dialog offers it. */
export interface ColumnOption {
  key: string
  label: string
  isShown: boolean
}

/**
 * The chosen ones of `columns`, and the button to choose them. The first column is always shown. `list`: the name of the list in the
 * person's preferences.
 */
export function useChosenColumns<T>(
  list: string,
  columns: readonly KeyedColumn<T>[],
): { columns: readonly Column<T>[]; chooser: ReactNode } {
  const preference = `${list}.columnas`
  const me = useQuery(queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  const stored = me.data?.preferences[preference]
  const [first, ...others] = columns
  const options = others.map(({ key, header, isExtra = false }) => ({ key, label: header, isShown: !isExtra }))
  const chosen = Array.isArray(stored) ? stored : options.filter(({ isShown }) => isShown).map(({ key }) => key)
  const shown = others.filter(({ key }) => chosen.includes(key))
  // Cards show the same whatever was chosen, and are sorted by any column.
  const current = useWide() ? shown : others
  return {
    columns: first ? [first, ...current] : current,
    chooser: <ColumnsChooser preference={preference} options={options} chosen={shown.map(({ key }) => key)} />,
  }
}

function ColumnsChooser(props: { preference: string; options: readonly ColumnOption[]; chosen: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="chip columns-chip" onClick={() => setIsOpen(true)}>
        <IconColumns className="icon" aria-hidden="true" /> Columnas
      </button>
      {isOpen && (
        <Suspense>
          <ChooseColumns {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
