/** The delivery log of messages in words, for its screen and its file. */
import type { Channel, MessageEvent } from '#contract/channels.ts'
import type { LoggedMessage } from '#contract/notifications.ts'

export const messageStatusLabels: Readonly<Record<LoggedMessage['status'], string>> = {
  waiting: 'Por enviar',
  sending: 'Enviándose',
  sent: 'Enviado',
  delivered: 'Entregado',
  read: 'Leído',
  failed: 'Falló',
  unknown: 'Sin confirmar',
  moot: 'No hizo falta',
}

export const messageChannelLabels: Readonly<Record<Channel, string>> = {
  mail: 'Correo',
  whatsapp: 'WhatsApp',
  push: 'Notificación',
  app: 'En su cuenta',
}

/** The same inside a sentence: "Sale por correo". */
export const messageChannelPhrases: Readonly<Record<Channel, string>> = {
  mail: 'por correo',
  whatsapp: 'por WhatsApp',
  push: 'como notificación',
  app: 'en su cuenta',
}

export const messageEventLabels: Readonly<Record<MessageEvent, string>> = {
  reservation_confirmed: 'Reservación confirmada',
  reservation_reminder: 'Recordatorio de clase',
  reservation_cancelled: 'Reservación cancelada',
  class_cancelled: 'Clase cancelada',
  class_restored: 'Clase recuperada',
  class_changed: 'Cambio de clase',
  waitlist_open: 'Se liberó un lugar',
  waitlist_offer: 'Lugar ofrecido de la lista de espera',
  waitlist_booked: 'Lugar dado de la lista de espera',
  waitlist_skipped: 'Sin lugar en la lista de espera',
  no_show_warning: 'Aviso por no asistir',
  penalty: 'Penalización',
  penalty_forgiven: 'Penalización perdonada',
  payment_refunded: 'Devolución hecha',
  refund_owed: 'Devolución pendiente',
  renewal_notice: 'Próxima renovación',
  payment_failed: 'Cobro rechazado',
  subscription_ended: 'Suscripción terminada',
  subscription_paused: 'Suscripción en pausa',
  card_changed: 'Cambio de tarjeta',
  invoice_issued: 'Factura lista',
  invoice_cancelled: 'Factura cancelada',
  credit_expiring: 'Clases por vencer',
  video_rating: 'Calificar un video',
  account_invite: 'Invitación a crear cuenta',
  weekly_email: 'Tu semana',
  export_ready: 'Exportación lista',
  pay_approved: 'Pago aprobado',
  staff_tasks: 'Pendientes para el equipo',
  broadcast: 'Mensaje a muchos',
}

/** Why a message failed or was not sent; null where nothing went wrong. The recorded reason is technical and in the service's language. */
export function whyNotSent({
  status,
  channel,
  reason,
  next_at,
}: Pick<LoggedMessage, 'status' | 'channel' | 'reason' | 'next_at'>): string | null {
  switch (status) {
    case 'failed':
      if (reason === 'No address is known.') return 'No tiene correo.'
      if (reason === 'No telephone is known.') return 'No tiene teléfono.'
      if (reason?.startsWith('The telephone is not')) return 'El teléfono no es un número mexicano de diez dígitos.'
      if (reason === 'No device is known.') return 'Ya no tiene un dispositivo con notificaciones.'
      if (channel === 'push') return 'El servicio de su navegador no la aceptó.'
      return channel === 'mail' ? 'El servicio de correo no lo aceptó.' : 'WhatsApp no lo entregó.'
    case 'unknown':
      return 'No se sabe si llegó.'
    case 'moot':
      if (reason === 'cancelled') return 'Se canceló antes de salir.'
      if (reason === 'unsubscribed') return 'La persona dejó las promociones.'
      return reason === 'too late' ? 'Ya había pasado su hora.' : 'Cuando iba a salir ya no hacía falta.'
    case 'waiting':
      if (reason !== null) return 'No se pudo enviar; se intentará de nuevo.'
      return next_at ? 'Sale en cuanto sea su hora.' : null
    default:
      return null
  }
}
