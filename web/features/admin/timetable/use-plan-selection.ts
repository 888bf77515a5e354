import { useRef, useState } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { classKey } from './class-key.ts'

const NONE: ReadonlySet<string> = new Set()

/** The classes that are selected, of the week that is shown and, by a filter, of others. */
export function usePlanSelection(shown: readonly PlannedClass[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(NONE)
  const [selecting, setSelecting] = useState(false)
  // Classes of other weeks that were selected by a filter; those of this week are read with it.
  const [others, setOthers] = useState<readonly PlannedClass[]>([])
  const last = useRef<string | null>(null)
  const lassoBase = useRef<ReadonlySet<string> | null>(null)
  const here = new Set(shown.map(classKey))
  const all = [...shown, ...others.filter((cls) => !here.has(classKey(cls)))]
  const find = (keys: Iterable<string>): PlannedClass[] => {
    const wanted = new Set(keys)
    return all.filter((cls) => wanted.has(classKey(cls)))
  }

  function toggle(key: string): void {
    last.current = key
    setSelected((current) => {
      const next = new Set(current)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }
  function selectTo(key: string): void {
    const order = shown.map(classKey)
    const [from, to] = [order.indexOf(last.current ?? key), order.indexOf(key)]
    if (from < 0 || to < 0) toggle(key)
    else setSelected((current) => new Set([...current, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]))
  }
  function onLasso(keys: readonly string[] | null): void {
    lassoBase.current = keys && (lassoBase.current ?? selected)
    if (keys && lassoBase.current) setSelected(new Set([...lassoBase.current, ...keys]))
  }
  /** Selects classes, also of other weeks, instead of those that are selected. */
  function select(classes: readonly PlannedClass[]): void {
    setOthers(classes)
    setSelected(new Set(classes.map(classKey)))
  }
  const clear = () => {
    setSelected(NONE)
    setOthers([])
    setSelecting(false)
  }
  /** The class alone, or the selection when it belongs to it. */
  const withSelection = (key: string): ReadonlySet<string> | [string] => (selected.has(key) ? selected : [key])

  return {
    selected,
    selecting,
    setSelecting,
    find,
    toggle,
    selectTo,
    onLasso,
    select,
    clear,
    withSelection,
    selectAll: () => setSelected(new Set(shown.map(classKey))),
    hasOthers: others.length > 0,
    beyond: [...selected].filter((key) => !here.has(key)).length,
  }
}
