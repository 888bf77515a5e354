/** Right, text and action of each kind of task (docs/domain.md, "Today"). In the order in which they are shown. */
import { adminPaths } from '#contract/admin-paths.ts'
import type { Right } from '#contract/rights.ts'
import { formatInstant } from '#contract/time.ts'
import type { Task, TaskKind } from '#contract/today.ts'
import type { TaskRow } from './task-rows-store.ts'

export interface TaskKindInfo {
  /** The right that is needed to see it and to decide about it. */
  right: Right
  /** Hidden from staff of some locations only. */
  isWholeStudio?: true
  title: (row: TaskRow, studioZone: string) => string
  detail: (row: TaskRow, studioZone: string) => string
  link: (row: TaskRow) => string
  /** The endpoint that resolves it without further input; if there is none, it is handled on its screen. */
  verb?: (row: TaskRow) => NonNullable<Task['verb']>
}

const when = (row: TaskRow, studioZone: string): string =>
  row.at === null ? '' : formatInstant(new Date(row.at), row.zone ?? studioZone, 'class')
const sentence = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ')
const hour = (row: TaskRow, studioZone: string): string =>
  row.at === null ? '' : formatInstant(new Date(row.at), row.zone ?? studioZone, 'hour')

const saleLink = ({ link_id }: TaskRow) => (link_id === null ? adminPaths.sales : adminPaths.sale(link_id))
const classLink = ({ link_id }: TaskRow) => adminPaths.roster(link_id ?? 0)
const customerLink = ({ link_id }: TaskRow) => adminPaths.customer(link_id ?? 0)
const creditsText = (n: number) => (n === 0 ? 'Sin límite de clases' : n === 1 ? 'Le queda 1 clase' : `Le quedan ${n} clases`)

const dayText = (row: TaskRow, studioZone: string) => formatInstant(new Date(row.at ?? 0), row.zone ?? studioZone, 'date')
/** A day by its number since 1970. */
const dayOfNumber = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

const DISCREPANCIES: Readonly<Record<string, string>> = {
  paid_no_grant: 'Llegó un pago y no se entregó nada',
  grant_no_money: 'Se entregó algo que nadie pagó',
  amount_differs: 'Los montos no coinciden',
  unknown_object: 'Hay un pago que no es de ninguna compra',
  unclaimed_money: 'Hay dinero de un cliente sin compra',
  refund_failed: 'La devolución no llegó',
  refund_due: 'Se canceló un lugar pagado en recepción',
}

export const TASK_KINDS: Readonly<Record<TaskKind, TaskKindInfo>> = {
  cash_due: {
    right: 'sales.sell',
    title: (row) => `${row.name} va a pagar en el estudio`,
    detail: (row, zone) => sentence(row.about, `Se aparta hasta ${when(row, zone)}`),
    link: saleLink,
  },
  spot_due: {
    right: 'sales.sell',
    title: (row) => `${row.name} debe su lugar de hoy`,
    detail: (row, zone) => sentence(row.about, hour(row, zone)),
    link: classLink,
  },
  transfer: {
    right: 'sales.sell',
    title: (row) => `Transferencia de ${row.name} por confirmar`,
    detail: (row, zone) => sentence(row.about ? `Referencia ${row.about}` : null, `Anotada ${when(row, zone)}`),
    link: saleLink,
    verb: ({ verb_id }) => ({ label: 'Confirmar', endpoint: `/admin/invoices/${verb_id}/confirm`, method: 'POST', body: {} }),
  },
  renewal: {
    right: 'subscriptions.edit',
    title: (row) => `No pasó la renovación de ${row.name}`,
    detail: (row, zone) => sentence(row.about, `Desde ${when(row, zone)}`),
    link: saleLink,
    verb: ({ verb_id }) => ({ label: 'Enviar enlace', endpoint: `/admin/purchases/${verb_id}/card_link/send`, method: 'POST', body: {} }),
  },
  voucher: {
    right: 'sales.sell',
    title: (row) => `La ficha de pago de ${row.name} vence hoy`,
    detail: (row, zone) => sentence(row.about, `A las ${hour(row, zone)}`),
    link: saleLink,
  },
  no_capacity: {
    right: 'schedule.edit',
    title: (row) => `${row.name} no tiene cupo`,
    detail: (row, zone) => sentence(when(row, zone), 'Sin cupo nadie puede reservar'),
    link: classLink,
  },
  no_coach: {
    right: 'schedule.edit',
    title: (row) => `${row.name} no tiene coach`,
    detail: (row, zone) => when(row, zone),
    link: classLink,
  },
  coach_twice: {
    right: 'schedule.edit',
    title: (row) => `${row.about} tiene dos clases a la vez`,
    detail: (row, zone) => sentence(row.name, when(row, zone)),
    link: classLink,
  },
  coach_absent: {
    right: 'schedule.edit',
    title: (row) => `${row.about} no está y da ${row.name}`,
    detail: (row, zone) => when(row, zone),
    link: classLink,
  },
  substitution: {
    right: 'schedule.edit',
    title: (row) => (row.about ? `${row.about} acepta dar ${row.name}` : `${row.name} necesita suplente`),
    detail: (row, zone) =>
      sentence(
        when(row, zone),
        row.about ? 'Falta aprobarlo' : row.count === 0 ? 'Nadie queda por responder' : `Sin responder: ${row.count}`,
      ),
    link: () => adminPaths.substitutions,
  },
  timetable_ends: {
    right: 'schedule.edit',
    title: (row, zone) =>
      `${row.about ? `El horario de ${row.name}` : 'Tu horario'} ${row.count > 0 ? 'termina' : 'terminó'} el ${dayText(row, zone)}`,
    detail: (row) => (row.count > 0 ? 'Después ya no hay clases: alarga tus series o déjalas sin fin' : 'Ya no hay clases por venir'),
    link: (row) => `${adminPaths.schedule}?estudio=${row.link_id}`,
  },
  roster_open: {
    right: 'roster.all',
    title: (row) => `Falta pasar lista: ${row.name}`,
    detail: (row, zone) => sentence(when(row, zone), row.count === 1 ? '1 persona' : `${row.count} personas`),
    link: classLink,
  },
  till_open: {
    right: 'cash.session',
    title: (row) => `La caja de ${row.name} quedó abierta`,
    detail: (row, zone) => sentence(row.about, `Desde ${when(row, zone)}`),
    link: (row) => adminPaths.tillCount(row.link_id ?? 0),
  },
  debt: {
    right: 'sales.sell',
    title: (row) => `${row.name} tiene un adeudo`,
    detail: (row, zone) =>
      sentence(row.at === null ? null : `Quedó de pagar antes del ${formatInstant(new Date(row.at), zone, 'date')}`, row.about),
    link: saleLink,
  },
  spot_debt: {
    right: 'sales.sell',
    title: (row) => `${row.name} quedó a deber una clase`,
    detail: (row, zone) => sentence(row.about, when(row, zone)),
    link: classLink,
  },
  pay_question: {
    right: 'payroll',
    isWholeStudio: true,
    title: (row) => `${row.name} pide revisar su pago`,
    detail: (row, zone) => sentence(row.about, `Respondió ${when(row, zone)}`),
    link: (row) => `${adminPaths.payroll}?periodo=${dayOfNumber(row.verb_id ?? 0)}`,
  },
  refund_due: {
    right: 'sales.refund',
    title: (row) => (row.name ? `Se le debe una devolución a ${row.name}` : 'Se debe una devolución'),
    detail: (row) => DISCREPANCIES[row.about ?? ''] ?? '',
    link: saleLink,
  },
  discrepancy: {
    right: 'reports.money',
    title: (row) => DISCREPANCIES[row.about ?? ''] ?? 'Los libros no coinciden con el procesador',
    detail: (row, zone) => sentence(row.name || null, `Desde ${when(row, zone)}`),
    link: saleLink,
  },
  credits_ending: {
    right: 'customers.read',
    title: (row) => `Créditos de ${row.name} por vencer`,
    detail: (row, zone) => sentence(row.about, creditsText(row.count), when(row, zone)),
    link: customerLink,
    verb: ({ verb_id }) => ({ label: 'Avisar', endpoint: `/admin/customers/${verb_id}/credits_notice`, method: 'POST', body: {} }),
  },
  first_class: {
    right: 'roster.all',
    title: (row) => (row.count === 1 ? `Primera clase de ${row.name}` : `${row.count} personas vienen por primera vez`),
    detail: (row, zone) => sentence(row.about, hour(row, zone), row.count === 1 ? null : row.name),
    link: classLink,
  },
  document: {
    right: 'customers.edit',
    title: (row) => `A ${row.name} le falta firmar`,
    detail: (row, zone) => sentence(row.about, `Viene hoy a las ${hour(row, zone)}`),
    link: ({ link_id }) => `${adminPaths.customer(link_id ?? 0)}?ver=perfil`,
  },
  birthday: {
    right: 'roster.all',
    title: (row) => (row.count === 1 ? `Hoy cumple años ${row.name}` : `${row.count} personas cumplen años hoy`),
    detail: (row, zone) => sentence(row.about, hour(row, zone), row.count === 1 ? null : row.name),
    link: classLink,
  },
  coach_birthday: {
    right: 'roster.all',
    title: (row) => `Hoy cumple años ${row.name}`,
    detail: (row, zone) => `Da clase a las ${hour(row, zone)}`,
    link: classLink,
  },
  message_failed: {
    right: 'customers.read',
    title: (row) => (row.count === 1 ? `No le llegó un mensaje a ${row.name}` : `No le llegaron ${row.count} mensajes a ${row.name}`),
    detail: () => 'Revisa su correo y su teléfono',
    link: ({ link_id }) => `${adminPaths.customer(link_id ?? 0)}?ver=mensajes`,
  },
  webhook_stopped: {
    right: 'settings.code',
    title: (row) => `Un webhook lleva tres días sin responder: ${row.name}`,
    detail: (row) => (row.count === 1 ? 'Espera 1 evento' : `Esperan ${row.count} eventos`),
    link: (row) => `${adminPaths.integrations}?webhook=${row.link_id}`,
  },
  certificate_ending: {
    right: 'settings.code',
    title: (row) => (row.about === 'expired' ? 'Venció el certificado de tus facturas' : 'Tu certificado de facturas está por vencer'),
    detail: (row, zone) =>
      sentence(
        row.at === null ? null : `${row.about === 'expired' ? 'Desde' : 'Vence'} el ${formatInstant(new Date(row.at), zone, 'date')}`,
        row.about === 'expired' ? 'Lo pendiente se timbra cuando subas el nuevo' : 'Genera otro en el SAT y súbelo',
      ),
    link: () => adminPaths.setting('pagos', 'invoice_series'),
  },
  invoice_cancelled: {
    right: 'settings.edit',
    title: (row) => `Alguien canceló la factura ${row.about} en el SAT`,
    detail: (row, zone) => sentence(row.name, when(row, zone), 'No se pidió aquí'),
    link: (row) => `${adminPaths.sales}?ver=facturas&q=${encodeURIComponent(row.about ?? '')}`,
  },
  invoice_unstamped: {
    right: 'settings.code',
    title: (row) => `No se sabe si se timbró la factura ${row.about}`,
    detail: (row, zone) => sentence(row.name, `Desde ${when(row, zone)}`, 'Su cargo no se factura de nuevo hasta saberlo'),
    link: (row) => `${adminPaths.sales}?ver=facturas&q=${encodeURIComponent(row.about ?? '')}`,
  },
  job_failed: {
    right: 'settings.edit',
    title: () => 'Falló un trabajo del sistema',
    detail: (row, zone) => `Desde ${when(row, zone)}. Si vuelve a fallar, avisa a quien da soporte`,
    link: () => adminPaths.today,
    verb: ({ verb_id }) => ({ label: 'Intentar de nuevo', endpoint: `/admin/failed_jobs/${verb_id}/retry`, method: 'POST', body: {} }),
  },
}

export const taskKinds = Object.keys(TASK_KINDS) as TaskKind[]
