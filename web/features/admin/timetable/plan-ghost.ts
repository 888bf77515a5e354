/** Where a dragged class would land: a store of its own, so that a step of the pointer draws the outline again and none of the blocks. */
import { useSyncExternalStore } from 'react'

export interface GridGhost {
  /** The column or cell. */
  column: string
  minute: number
  minutes: number
}

export interface GhostStore {
  get: () => GridGhost | null
  set: (next: GridGhost | null) => void
  subscribe: (listener: () => void) => () => void
}

export function createGhost(): GhostStore {
  let ghost: GridGhost | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => ghost,
    set(next) {
      const isSame =
        ghost === next || (ghost && next && ghost.column === next.column && ghost.minute === next.minute && ghost.minutes === next.minutes)
      if (isSame) return
      ghost = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The ghost while it is in this column or cell. */
export function useGhost(store: GhostStore, column: string): GridGhost | null {
  return useSyncExternalStore(store.subscribe, () => {
    const ghost = store.get()
    return ghost?.column === column ? ghost : null
  })
}
