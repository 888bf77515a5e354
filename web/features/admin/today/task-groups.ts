/** Tasks of one kind are shown together, and what is done with each. */
import { formatMoney, parsePesos } from '#contract/money.ts'
import type { Task, TaskKind } from '#contract/today.ts'
import { TASKS_PER_KIND } from '#contract/today.ts'

export interface TaskGroup {
  kind: TaskKind
  tasks: readonly Task[]
}

/** Tasks by kind, in the order in which the kinds first come. */
export function groupTasks(tasks: readonly Task[]): TaskGroup[] {
  const kinds = new Map<TaskKind, Task[]>()
  for (const task of tasks) kinds.set(task.kind, [...(kinds.get(task.kind) ?? []), task])
  return [...kinds].map(([kind, tasks]) => ({ kind, tasks }))
}

const GROUPS: Readonly<Record<TaskKind, string>> = {
  cash_due: 'pagos por recibir en el estudio',
  spot_due: 'lugares de hoy por cobrar',
  transfer: 'transferencias por confirmar',
  renewal: 'renovaciones rechazadas',
  voucher: 'fichas de pago que vencen hoy',
  no_capacity: 'clases sin cupo',
  no_coach: 'clases sin coach',
  coach_twice: 'clases con el coach en otra',
  coach_absent: 'clases con el coach ausente',
  substitution: 'clases buscan suplente',
  timetable_ends: 'horarios por terminar',
  roster_open: 'listas sin pasar',
  till_open: 'cajas quedaron abiertas',
  debt: 'adeudos',
  spot_debt: 'clases sin pagar',
  pay_question: 'coaches piden revisar su pago',
  refund_due: 'devoluciones por hacer',
  discrepancy: 'diferencias de dinero',
  credits_ending: 'personas con créditos por vencer',
  first_class: 'clases con alguien nuevo',
  document: 'personas de hoy sin firmar',
  birthday: 'clases con cumpleaños',
  coach_birthday: 'coaches cumplen años',
  message_failed: 'personas sin recibir mensajes',
  webhook_stopped: 'webhooks sin responder',
  certificate_ending: 'certificados por vencer',
  invoice_cancelled: 'facturas canceladas en el SAT',
  invoice_unstamped: 'facturas sin saber si se timbraron',
  job_failed: 'trabajos del sistema fallaron',
}

/** "3 transferencias por confirmar"; "50+" where the list may have more. */
export const groupTitle = ({ kind, tasks }: TaskGroup): string =>
  `${tasks.length}${tasks.length >= TASKS_PER_KIND ? '+' : ''} ${GROUPS[kind]}`

/** "$4,020.00 en total"; null where the group is about no money. */
export function groupAmount({ tasks }: TaskGroup): string | null {
  const amounts = tasks.flatMap(({ amount }) => (amount === null ? [] : (parsePesos(amount) ?? [])))
  return amounts.length ? `${formatMoney(amounts.reduce((sum, amount) => sum + amount, 0))} en total` : null
}

/** The label of the link to the screen of a task. */
export const LINK_LABELS: Readonly<Record<TaskKind, string>> = {
  cash_due: 'Cobrar',
  spot_due: 'Cobrar',
  debt: 'Cobrar',
  spot_debt: 'Cobrar',
  transfer: 'Ver',
  renewal: 'Ver',
  voucher: 'Ver',
  no_capacity: 'Corregir',
  no_coach: 'Asignar',
  coach_twice: 'Corregir',
  coach_absent: 'Asignar',
  substitution: 'Asignar',
  timetable_ends: 'Alargar',
  roster_open: 'Pasar lista',
  till_open: 'Contar',
  pay_question: 'Revisar',
  refund_due: 'Devolver',
  discrepancy: 'Ver',
  credits_ending: 'Ver',
  first_class: 'Ver',
  document: 'Firmar',
  birthday: 'Ver',
  coach_birthday: 'Ver',
  message_failed: 'Reenviar',
  webhook_stopped: 'Revisar',
  certificate_ending: 'Renovar',
  invoice_cancelled: 'Ver',
  invoice_unstamped: 'Ver',
  job_failed: 'Ver',
}
