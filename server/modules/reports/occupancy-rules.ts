/** Which hours of the week need another class or another hour. Pure: docs/domain.md, "Reports". */
import { toPercent } from '#server/modules/today/today.ts'

/** An hour of the week with the places of its classes. */
export interface SlotCapacity {
  weekday: number
  time: string
  classes: number
  taken: number
  capacity: number
  waiting: number
}

/** Classes of an hour from which on anything is concluded from it. */
export const MIN_CLASSES = 3
/** From this percentage on an hour is full, below that one it is empty. */
const FULL_PERCENT = 94
const EMPTY_PERCENT = 35

/** Who got no place (RE21), as each report that counts them says it. */
export const OUTSIDE_DEFINITION =
  'Personas que se formaron en la lista de espera de una clase, o quisieron reservarla cuando ya estaba llena, y no entraron a esa clase; quien se quedó fuera de dos clases cuenta dos veces.'

export type Demand = 'open_another' | 'move' | null

/** What an hour needs: another class where customers found full ones, another hour where few come. */
export function demandLevel(slot: SlotCapacity): Demand {
  const percent = toPercent(slot.taken, slot.capacity)
  if (percent === null || slot.classes < MIN_CLASSES) return null
  if (percent >= FULL_PERCENT && slot.waiting > 0) return 'open_another'
  return percent < EMPTY_PERCENT ? 'move' : null
}

/** The hours that need a change: first those with the most customers left out, then the emptiest. */
export function demandingSlots<S extends SlotCapacity>(slots: readonly S[]): (S & { demand: NonNullable<Demand> })[] {
  const demanding = slots.flatMap((slot) => {
    const demand = demandLevel(slot)
    return demand ? [{ ...slot, demand }] : []
  })
  const fill = ({ taken, capacity }: SlotCapacity) => taken / capacity
  return demanding.sort((a, b) => b.waiting - a.waiting || fill(a) - fill(b) || a.weekday - b.weekday || a.time.localeCompare(b.time))
}
