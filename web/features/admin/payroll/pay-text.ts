/** Words of the payroll, shared by its screens. */
import type { CoachPay, Payroll } from '#contract/payroll.ts'
import { formatWall } from '#contract/time.ts'

type Period = NonNullable<Payroll['period']>

export const PERIOD_STATES: Readonly<Record<Period['state'], string>> = { running: 'En curso', open: 'Por aprobar', approved: 'Aprobada' }
export const ITEM_KINDS = { class: 'Clase', adjustment: 'Ajuste', correction: 'Corrección' } as const

const day = (date: string): string => formatWall(`${date}T00:00:00Z`, 'date')

/** "16 nov 2026 a 30 nov 2026". */
export const stretchText = ({ from, to }: { from: string; to: string }): string => `${day(from)} a ${day(to)}`

export const classesText = (classes: number): string => (classes === 1 ? '1 clase' : `${classes} clases`)
export const peopleText = (people: number): string => (people === 1 ? '1 persona' : `${people} personas`)

/** What a coach answered, for a list. */
export const answerText = (answer: CoachPay['answer']): string =>
  answer === null ? 'Sin respuesta' : answer.agrees ? 'De acuerdo' : 'Pide revisarlo'
