/** The automatic messages as the staff see them: in groups, with when each is sent. */
import type { AutomaticEvent } from '#contract/channels.ts'
import type { Settings } from '#contract/settings.ts'

export const AUTOMATIC_GROUPS = ['classes', 'purchases', 'account'] as const
export type AutomaticGroup = (typeof AUTOMATIC_GROUPS)[number]

export const automaticGroupLabels: Readonly<Record<AutomaticGroup, string>> = {
  classes: 'Clases',
  purchases: 'Compras',
  account: 'Cuenta',
}

/** The settings that say when a message is sent. */
export type SendingTimes = Pick<Settings, 'reminder_hours' | 'credit_notice_days' | 'renewal_notice_days'>

interface AutomaticMessage {
  group: AutomaticGroup
  /** When it is sent: "3 horas antes de la clase". */
  when: string | ((times: SendingTimes) => string)
}

const hours = (n: number) => (n === 1 ? '1 hora' : `${n} horas`)
const days = (n: number) => (n === 1 ? '1 día' : `${n} días`)

const messages: Readonly<Record<AutomaticEvent, AutomaticMessage>> = {
  reservation_confirmed: { group: 'classes', when: 'Al reservar' },
  reservation_reminder: { group: 'classes', when: ({ reminder_hours }) => `${hours(reminder_hours)} antes de la clase` },
  reservation_cancelled: { group: 'classes', when: 'Al cancelarse un lugar' },
  class_cancelled: { group: 'classes', when: 'Cuando el estudio cancela una clase' },
  class_restored: { group: 'classes', when: 'Cuando esa cancelación se deshace' },
  class_changed: { group: 'classes', when: 'Al cambiar la hora, el estudio o el coach' },
  waitlist_open: { group: 'classes', when: 'Al abrirse un lugar, a todos los que esperan' },
  waitlist_offer: { group: 'classes', when: 'Al abrirse un lugar, a quien sigue' },
  waitlist_booked: { group: 'classes', when: 'Cuando la lista de espera le da un lugar' },
  waitlist_skipped: { group: 'classes', when: 'Si hubo lugar y algo le impidió tomarlo' },
  no_show_warning: { group: 'classes', when: 'Después de una falta' },
  penalty: { group: 'classes', when: 'Cuando empieza una penalización' },
  penalty_forgiven: { group: 'classes', when: 'Al perdonar una penalización' },
  payment_refunded: { group: 'purchases', when: 'Al devolver un pago' },
  refund_owed: { group: 'purchases', when: 'Cuando el estudio le debe una devolución' },
  renewal_notice: { group: 'purchases', when: ({ renewal_notice_days }) => `${days(renewal_notice_days)} antes de renovar` },
  payment_failed: { group: 'purchases', when: 'Al fallar el cobro de una renovación' },
  subscription_ended: { group: 'purchases', when: 'Al terminar una suscripción' },
  subscription_paused: { group: 'purchases', when: 'Al pausar una suscripción' },
  card_changed: { group: 'purchases', when: 'Al cambiar la tarjeta de una suscripción' },
  invoice_issued: { group: 'purchases', when: 'Al quedar lista una factura' },
  invoice_cancelled: { group: 'purchases', when: 'Al cancelarse una factura' },
  credit_expiring: { group: 'purchases', when: ({ credit_notice_days }) => `${days(credit_notice_days)} antes de que venzan` },
  video_rating: { group: 'account', when: 'Cuando alguien pide calificar un video' },
  account_invite: { group: 'account', when: 'Cuando alguien del equipo le invita' },
}

export const groupOfMessage = (event: AutomaticEvent): AutomaticGroup => messages[event].group

/** When a message is sent, by the settings of now. */
export function sendingTime(event: AutomaticEvent, times: SendingTimes): string {
  const { when } = messages[event]
  return typeof when === 'string' ? when : when(times)
}
