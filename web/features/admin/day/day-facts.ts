/** Facts about classes for the staff's lists, and the summary of a day. */
import type { SingleClass } from '#contract/schedule.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export type DayClass = Pick<
  SingleClass,
  'single_class_id' | 'starts_at' | 'ends_at' | 'capacity' | 'taken' | 'class_instructors' | 'state' | 'figures'
>

/** Nearly empty classes are marked from this long (ms) before they begin. */
const FEW_SOON_MS = 6 * 3_600_000

export type ClassStatus =
  | { kind: 'cancelled' | 'few' | 'no_capacity' | 'no_coach' | 'full' | 'unmarked' }
  | { kind: 'came' | 'waiting'; count: number }

/** Whether the class was cancelled: from the staff's figures if there are any, else from its state. */
export const isCancelled = (cls: DayClass): boolean => cls.figures?.cancelled ?? cls.state === 'cancelled'
export const isOver = (cls: DayClass, now: number): boolean => Date.parse(cls.ends_at) <= now
const hasBegun = (cls: DayClass, now: number): boolean => Date.parse(cls.starts_at) <= now

/** The most important fact about a class for its list; null if there is nothing to note. */
export function classStatusText(cls: DayClass, now: number): ClassStatus | null {
  const { figures, capacity, taken } = cls
  if (isCancelled(cls)) return { kind: 'cancelled' }
  if (hasBegun(cls, now)) {
    if (figures?.attended) return { kind: 'came', count: figures.attended }
    return taken > 0 && figures && figures.attended + figures.absent === 0 ? { kind: 'unmarked' } : null
  }
  if (capacity === null) return { kind: 'no_capacity' }
  if (cls.class_instructors.length === 0) return { kind: 'no_coach' }
  if (figures?.waiting) return { kind: 'waiting', count: figures.waiting }
  if (taken >= capacity) return { kind: 'full' }
  const soon = Date.parse(cls.starts_at) - now <= FEW_SOON_MS
  return soon && figures?.low_attendance ? { kind: 'few' } : null
}

const STATUS_TEXTS: Record<ClassStatus['kind'], { tone: BadgeTone; text: (count: number) => string }> = {
  cancelled: { tone: 'danger', text: () => 'Cancelada' },
  came: { tone: 'ok', text: (count) => (count === 1 ? '1 asistió' : `${count} asistieron`) },
  unmarked: { tone: 'warn', text: () => 'Sin pasar lista' },
  no_capacity: { tone: 'warn', text: () => 'Sin capacidad' },
  no_coach: { tone: 'warn', text: () => 'Falta coach' },
  waiting: { tone: 'warn', text: (count) => `${count} en espera` },
  full: { tone: 'brand', text: () => 'Llena' },
  few: { tone: 'warn', text: () => 'Poca gente' },
}

/** The text of a fact, with its colour. */
export const statusText = (status: ClassStatus): { tone: BadgeTone; text: string } => {
  const { tone, text } = STATUS_TEXTS[status.kind]
  return { tone, text: text('count' in status ? status.count : 0) }
}

/** "6 clases, 72 personas esperadas, 2 ya terminaron." */
export function daySentence(classes: readonly DayClass[], now: number): string {
  const running = classes.filter((cls) => !isCancelled(cls))
  const people = running.reduce((sum, cls) => sum + cls.taken, 0)
  if (running.length === 0) return 'Sin clases hoy.'
  const over = running.filter((cls) => isOver(cls, now)).length
  const parts = [
    running.length === 1 ? '1 clase hoy' : `${running.length} clases hoy`,
    people === 1 ? '1 persona esperada' : `${people} personas esperadas`,
    ...(over > 0 ? [over === 1 ? '1 ya terminó' : `${over} ya terminaron`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** Number of classes that have begun: the separator with the current time is below them. */
export const begunCount = (classes: readonly DayClass[], now: number): number => classes.filter((cls) => hasBegun(cls, now)).length
