/** The map of a room while it is edited: seats remember the spot that they were, so that their people stay in them. Pure. */
import { MAX_ROWS, MAX_SEATS_IN_ROW, newSeat, numberSeats, type RoomSeat, spotAt } from '#contract/room-map.ts'

export interface DraftSeat extends RoomSeat {
  /** The spot that it was; null = a new seat. */
  spot: string | null
}
export interface DraftRow {
  label: string
  seats: DraftSeat[]
}
export type Draft = readonly DraftRow[]
export type Numbering = 'room' | 'row'

const EMPTY_SIZES = [5, 5]

/** What is edited: the saved map, or two rows to begin with. */
export function toDraft(map: { rows: readonly DraftRow[] } | null): Draft {
  if (map) return map.rows.map(({ label, seats }) => ({ label, seats: seats.map((seat) => ({ ...seat })) }))
  return renumbered(
    EMPTY_SIZES.map((size, at) => ({ label: `Fila ${at + 1}`, seats: Array.from({ length: size }, () => blank()) })),
    'room',
  )
}

/**
 * Copies the map of another room. A position that exists in both keeps its own `spot`, and so its reservations; seats that are closed in
 * the other room are not closed here.
 */
export const copySeats = (other: { rows: readonly DraftRow[] }, own: Draft): Draft =>
  other.rows.map(({ label, seats }, r) => ({
    label,
    seats: seats.map(({ label, kind }, c) => ({ ...newSeat(label), kind, spot: own[r]?.seats[c]?.spot ?? null })),
  }))

const blank = (): DraftSeat => ({ ...newSeat(), spot: null })

export const renumbered = (rows: Draft, by: Numbering): Draft => numberSeats(rows, by)

/** How its labels count: from 1 in each row, or through all of them. */
export function detectNumbering(rows: Draft): Numbering {
  const firsts = rows.map(({ seats }) => seats.find(({ label }) => label !== '')?.label)
  return rows.length > 1 && firsts.every((label) => label === '1') ? 'row' : 'room'
}

/** The draft with some seats changed, by their present spots. */
export const withSeats = (rows: Draft, spots: ReadonlySet<string>, change: Partial<RoomSeat>): Draft =>
  rows.map((row, r) => ({ ...row, seats: row.seats.map((seat, c) => (spots.has(spotAt(r, c)) ? { ...seat, ...change } : seat)) }))

/** A seat is added to the end of a row, or taken from it; a row keeps at least one. */
export function resized(rows: Draft, at: number, by: 1 | -1): Draft {
  return rows.map((row, r) => {
    if (r !== at) return row
    if (by === 1) return row.seats.length < MAX_SEATS_IN_ROW ? { ...row, seats: [...row.seats, blank()] } : row
    return row.seats.length > 1 ? { ...row, seats: row.seats.slice(0, -1) } : row
  })
}

export const withRow = (rows: Draft): Draft =>
  rows.length < MAX_ROWS
    ? [...rows, { label: `Fila ${rows.length + 1}`, seats: Array.from({ length: rows.at(-1)?.seats.length ?? 5 }, () => blank()) }]
    : rows

export const withoutRow = (rows: Draft, at: number): Draft => (rows.length > 1 ? rows.filter((_, r) => r !== at) : rows)

/** A row one place forward or back; its people go with it. */
export function moveRow(rows: Draft, at: number, by: 1 | -1): Draft {
  const [row, other] = [rows[at], rows[at + by]]
  if (!row || !other) return rows
  return rows.map((current, r) => (r === at ? other : r === at + by ? row : current))
}

export const findSeat = (rows: Draft, spot: string): DraftSeat | null => {
  const [row = 0, column = 0] = spot.split('-').map(Number)
  return rows[row - 1]?.seats[column - 1] ?? null
}

/** The spot that an arrow key leads to; null at the edge and for other keys. */
export function neighbour(rows: Draft, spot: string, key: string): string | null {
  const [row = 0, column = 0] = spot.split('-').map(Number)
  const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key]
  if (!by) return null
  const [down = 0, right = 0] = by
  const target = rows[row - 1 + down]
  if (!target) return null
  const to = down === 0 ? column + right : Math.min(column, target.seats.length)
  return to >= 1 && to <= target.seats.length ? spotAt(row - 1 + down, to - 1) : null
}

/** "2 lugares cambian, 1 fila nueva": what differs from the saved map; empty when nothing does. */
export function changesText(before: Draft, after: Draft): string {
  const was = new Map(before.flatMap(({ seats }, r) => seats.map((seat, c) => [spotAt(r, c), seat] as const)))
  const seatsAfter = after.flatMap(({ seats }, r) => seats.map((seat, c) => ({ seat, at: spotAt(r, c) })))
  const added = seatsAfter.filter(({ seat }) => seat.spot === null || !was.has(seat.spot)).length
  const removedSeats = [...was.keys()].filter((spot) => !seatsAfter.some(({ seat }) => seat.spot === spot)).length
  const changed = seatsAfter.filter(({ seat, at }) => {
    const old = seat.spot === null ? undefined : was.get(seat.spot)
    return old && (at !== seat.spot || JSON.stringify(old) !== JSON.stringify(seat))
  }).length
  const part = (count: number, singular: string, many: string) => (count === 0 ? [] : [count === 1 ? singular : `${count} ${many}`])
  return [
    ...part(added, '1 lugar nuevo', 'lugares nuevos'),
    ...part(removedSeats, '1 lugar menos', 'lugares menos'),
    ...part(changed, '1 lugar cambia', 'lugares cambian'),
  ].join(', ')
}
