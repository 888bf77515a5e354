import { useState } from 'react'
import type { RoomSeat } from '#contract/room-map.ts'
import { isSameJson } from '#web/lib/same-json.ts'
import {
  copySeats,
  type Draft,
  type DraftSeat,
  detectNumbering,
  findSeat,
  type Numbering,
  renumbered,
  toDraft,
  withSeats,
} from './room-draft.ts'

export const SEAT_TOOLS = [
  { value: 'choose', label: 'Elegir' },
  { value: 'normal', label: 'Lugar' },
  { value: 'hueco', label: 'Hueco' },
  { value: 'close', label: 'Cerrar' },
] as const
export type SeatTool = (typeof SEAT_TOOLS)[number]['value']

type SavedMap = Parameters<typeof toDraft>[0]

/** The map of a room while it is edited: its draft with what can be undone, what is selected, and what touching a seat does. */
export interface RoomEdits {
  rows: Draft
  isDirty: boolean
  selected: ReadonlySet<string>
  selectedSeats: readonly DraftSeat[]
  select: (spots: readonly string[], extend: boolean) => void
  tool: SeatTool
  setTool: (tool: SeatTool) => void
  /** Applies the tool to a seat. */
  applyTool: (spot: string, extend: boolean) => void
  /** Sets the rows and numbers them again; nothing is selected then. */
  changeRows: (rows: Draft) => void
  changeSeats: (spots: ReadonlySet<string>, seat: Partial<RoomSeat>) => void
  /** Makes gaps of seats, and selects them. */
  makeGaps: (spots: readonly string[]) => void
  numbering: Numbering
  setNumbering: (numbering: Numbering) => void
  copyFrom: (map: NonNullable<SavedMap>) => void
  canUndo: boolean
  undo: () => void
  canRedo: boolean
  redo: () => void
  /** Back to the saved map. */
  discard: () => void
}

export function useRoomEdits(savedMap: SavedMap): RoomEdits {
  const saved = toDraft(savedMap)
  const [{ past, rows, next }, setHistory] = useState<{ past: Draft[]; rows: Draft; next: Draft[] }>({ past: [], rows: saved, next: [] })
  const [numbering, setNumbering] = useState<Numbering>(() => detectNumbering(saved))
  const [tool, setTool] = useState<SeatTool>('choose')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const change = (after: Draft) =>
    setHistory(({ past, rows }) => (isSameJson(rows, after) ? { past, rows, next: [] } : { past: [...past, rows], rows: after, next: [] }))
  const changeSeats = (spots: ReadonlySet<string>, seat: Partial<RoomSeat>) => {
    const after = withSeats(rows, spots, seat)
    change(seat.kind === undefined ? after : renumbered(after, numbering))
  }
  const select = (spots: readonly string[], extend: boolean) =>
    setSelected((current) => {
      if (!extend) return current.size === 1 && spots.length === 1 && current.has(spots[0] ?? '') ? new Set() : new Set(spots)
      const after = new Set(current)
      for (const spot of spots) after.add(spot)
      return after
    })
  return {
    rows,
    selected,
    select,
    tool,
    setTool,
    changeSeats,
    numbering,
    selectedSeats: [...selected].flatMap((spot) => findSeat(rows, spot) ?? []),
    isDirty: savedMap === null ? past.length > 0 : !isSameJson(saved, rows),
    canUndo: past.length > 0,
    canRedo: next.length > 0,
    applyTool(spot, extend) {
      if (tool === 'choose') return select([spot], extend)
      const seat = findSeat(rows, spot)
      if (!seat) return
      setSelected(new Set([spot]))
      changeSeats(new Set([spot]), tool === 'close' ? { closed: !seat.closed } : { kind: tool })
    },
    changeRows(after) {
      change(renumbered(after, numbering))
      setSelected(new Set())
    },
    makeGaps(spots) {
      setSelected(new Set(spots))
      changeSeats(new Set(spots), { kind: 'hueco' })
    },
    setNumbering(by) {
      setNumbering(by)
      change(renumbered(rows, by))
    },
    copyFrom(map) {
      const after = copySeats(map, saved)
      setNumbering(detectNumbering(after))
      change(after)
      setSelected(new Set())
    },
    undo: () => setHistory({ past: past.slice(0, -1), rows: past.at(-1) ?? rows, next: [rows, ...next] }),
    redo: () => setHistory({ past: [...past, rows], rows: next[0] ?? rows, next: next.slice(1) }),
    discard() {
      setHistory({ past: [], rows: saved, next: [] })
      setSelected(new Set())
    },
  }
}
