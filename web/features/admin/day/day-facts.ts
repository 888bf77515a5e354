/** What a list of classes says of each to the staff, and of the day as a whole. */
import type { SingleClass } from '#contract/schedule.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export type DayClass = Pick<
  SingleClass,
  'single_class_id' | 'starts_at' | 'ends_at' | 'capacity' | 'taken' | 'class_instructors' | 'state' | 'figures'
>

/** Below this share of taken places a class has few people. */
const FEW_PERCENT = 30
/** It is said when there is little time left to do something about it. */
const FEW_SOON_MS = 6 * 3_600_000

export type ClassWord =
  | { kind: 'cancelled' | 'few' | 'no_capacity' | 'no_coach' | 'full' | 'unmarked' }
  | { kind: 'came' | 'waiting'; count: number }

export const isCancelled = (cls: DayClass): boolean => cls.figures?.cancelled ?? cls.state === 'cancelled'
export const isOver = (cls: DayClass, now: number): boolean => Date.parse(cls.ends_at) <= now
const hasBegun = (cls: DayClass, now: number): boolean => Date.parse(cls.starts_at) <= now

/** The one thing about a class that its list should say first; null when all is as it should be. */
export function wordOf(cls: DayClass, now: number): ClassWord | null {
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
  return soon && taken * 100 < capacity * FEW_PERCENT ? { kind: 'few' } : null
}

const WORDS: Record<ClassWord['kind'], { tone: BadgeTone; text: (count: number) => string }> = {
  cancelled: { tone: 'danger', text: () => 'Cancelada' },
  came: { tone: 'ok', text: (count) => (count === 1 ? '1 asistió' : `${count} asistieron`) },
  unmarked: { tone: 'warn', text: () => 'Sin pasar lista' },
  no_capacity: { tone: 'warn', text: () => 'Sin capacidad' },
  no_coach: { tone: 'warn', text: () => 'Falta coach' },
  waiting: { tone: 'warn', text: (count) => `${count} en espera` },
  full: { tone: 'brand', text: () => 'Llena' },
  few: { tone: 'warn', text: () => 'Poca gente' },
}

/** The word as it is written, with its tone. */
export const classWordText = (word: ClassWord): { tone: BadgeTone; text: string } => {
  const { tone, text } = WORDS[word.kind]
  return { tone, text: text('count' in word ? word.count : 0) }
}

/** "6 clases, 72 personas esperadas, 2 ya terminaron." */
export function daySentence(classes: readonly DayClass[], now: number): string {
  const held = classes.filter((cls) => !isCancelled(cls))
  const people = held.reduce((sum, cls) => sum + cls.taken, 0)
  const over = held.filter((cls) => isOver(cls, now)).length
  const parts = [
    held.length === 1 ? '1 clase hoy' : `${held.length} clases hoy`,
    people === 1 ? '1 persona esperada' : `${people} personas esperadas`,
    ...(over > 0 ? [over === 1 ? '1 ya terminó' : `${over} ya terminaron`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** How many classes of the day have begun: the line of now stands below them. */
export const begunCount = (classes: readonly DayClass[], now: number): number => classes.filter((cls) => hasBegun(cls, now)).length
