/**
 * The texts of WhatsApp messages. Outside a conversation only templates that Meta approved may be sent, so these are fixed: the owner
 * registers each under its name, in es_MX, as "utility" (docs/operations.md). A body neither begins nor ends with a blank: Meta
 * refuses that.
 */
import type { MessageEvent } from '#contract/channels.ts'

export interface Template {
  name: string
  body: string
  /** Label of the button that leads to the site; its address is the site's and one blank. */
  button: string
}

export const templates: Readonly<Record<MessageEvent, Template>> = {
  reservation_confirmed: {
    name: 'lugar_reservado',
    body: 'Hola, {{1}}. Tu lugar en {{2}} está reservado: {{3}}, en {{4}}. Te esperamos.',
    button: 'Ver mi reservación',
  },
  reservation_reminder: {
    name: 'recordatorio_de_clase',
    body: 'Hola, {{1}}. Te recordamos tu clase de {{2}}: {{3}}, en {{4}}. Si no puedes venir, avísanos a tiempo.',
    button: 'Ver mi reservación',
  },
  reservation_cancelled: {
    name: 'lugar_cancelado',
    body: 'Hola, {{1}}. Tu lugar en {{2}} ({{3}}) quedó cancelado. {{4}} Cualquier duda, escríbenos.',
    button: 'Ver el horario',
  },
  class_cancelled: {
    name: 'clase_cancelada',
    body: 'Hola, {{1}}. Tuvimos que cancelar la clase de {{2}} ({{3}}). {{4}} Lamentamos el cambio.',
    button: 'Ver otras clases',
  },
  class_restored: {
    name: 'clase_de_vuelta',
    body: 'Hola, {{1}}. La clase de {{2}} ({{3}}) sí se da. {{4}} Disculpa la confusión.',
    button: 'Ver mi reservación',
  },
  class_changed: {
    name: 'clase_cambiada',
    body: 'Hola, {{1}}. Cambió tu clase de {{2}} ({{3}}). {{4}} Revisa los detalles en tu cuenta.',
    button: 'Ver mi reservación',
  },
  waitlist_open: {
    name: 'lugar_disponible',
    body: 'Hola, {{1}}. Se liberó un lugar en {{2}}: {{3}}, en {{4}}. Quien reserve primero se lo queda.',
    button: 'Reservar',
  },
  waitlist_offer: {
    name: 'lugar_apartado',
    body: 'Hola, {{1}}. Hay un lugar para ti en {{2}}: {{3}}. Lo apartamos hasta {{4}} y después pasa a la siguiente persona.',
    button: 'Responder',
  },
  waitlist_booked: {
    name: 'lugar_de_la_lista',
    body: 'Hola, {{1}}. Entraste a {{2}}: {{3}}, en {{4}}. Tu lugar ya está reservado.',
    button: 'Ver mi reservación',
  },
  waitlist_skipped: {
    name: 'lugar_que_no_pudimos_dar',
    body: 'Hola, {{1}}. Hubo un lugar en {{2}} ({{3}}), pero no pudimos dártelo. {{4}} Sigues en la lista.',
    button: 'Ver mi cuenta',
  },
  no_show_warning: {
    name: 'aviso_de_falta',
    body: 'Hola, {{1}}. No te vimos en {{2}} ({{3}}). Es tu falta {{4}} seguidas; al llegar a todas, tus reservas se pausan unos días.',
    button: 'Ver mis reservaciones',
  },
  penalty: {
    name: 'reservas_en_pausa',
    body: 'Hola, {{1}}. Tus reservas están en pausa por {{2}}. Podrás reservar de nuevo el {{3}}. Cualquier duda, escríbenos.',
    button: 'Ver mi cuenta',
  },
  penalty_forgiven: {
    name: 'reservas_de_vuelta',
    body: 'Hola, {{1}}. Ya puedes reservar de nuevo: quitamos la pausa. Motivo: {{2}}. Te esperamos.',
    button: 'Ver el horario',
  },
  payment_refunded: {
    name: 'dinero_devuelto',
    body: 'Hola, {{1}}. Te devolvimos {{2}} de {{3}}. Cualquier duda, escríbenos.',
    button: 'Ver mis compras',
  },
  refund_owed: {
    name: 'dinero_por_devolver',
    body: 'Hola, {{1}}. Te debemos {{2}} de {{3}}: no llegó por donde pagaste y te lo damos por otro medio.',
    button: 'Ver mis compras',
  },
  renewal_notice: {
    name: 'renovacion_proxima',
    body: 'Hola, {{1}}. El {{2}} se cobran {{3}} de {{4}}. Si ya no la quieres, cancélala antes de esa fecha.',
    button: 'Ver mis compras',
  },
  payment_failed: {
    name: 'cobro_que_no_paso',
    body: 'Hola, {{1}}. No pudimos cobrar {{2}} de {{3}}. Cambia tu tarjeta para conservarla.',
    button: 'Cambiar mi tarjeta',
  },
  subscription_ended: {
    name: 'suscripcion_terminada',
    body: 'Hola, {{1}}. Tu suscripción {{2}} terminó. {{3}} Gracias por venir.',
    button: 'Ver mis compras',
  },
  subscription_paused: {
    name: 'suscripcion_en_pausa',
    body: 'Hola, {{1}}. Novedades de tu suscripción {{2}}: {{3}} Cualquier duda, escríbenos.',
    button: 'Ver mis compras',
  },
  card_changed: {
    name: 'tarjeta_cambiada',
    body: 'Hola, {{1}}. Desde hoy {{2}} se cobra a {{3}}. Si no fuiste tú, escríbenos.',
    button: 'Ver mis compras',
  },
  invoice_issued: {
    name: 'factura_lista',
    body: 'Hola, {{1}}. Tu {{2}} por {{3}} ya está timbrada. Te la enviamos por correo.',
    button: 'Ver mis cargos',
  },
  invoice_cancelled: {
    name: 'factura_cancelada',
    body: 'Hola, {{1}}. Tu {{2}} por {{3}} quedó cancelada: ya no tiene validez fiscal.',
    button: 'Ver mis cargos',
  },
  credit_expiring: {
    name: 'creditos_por_expirar',
    body: 'Hola, {{1}}. En {{2}} tienes {{3}} por usar: expira el {{4}}. Reserva antes de esa fecha.',
    button: 'Reservar',
  },
  video_rating: {
    name: 'calificar_video',
    body: 'Hola, {{1}}. ¿Qué te pareció el video {{2}}? Califícalo en un momento.',
    button: 'Calificar video',
  },
  account_invite: {
    name: 'crear_cuenta',
    body: 'Hola, {{1}}. Crea tu cuenta con tu correo y ahí estará todo lo que ya tienes.',
    button: 'Crear mi cuenta',
  },
  weekly_email: {
    name: 'tu_semana',
    body: 'Hola, {{1}}. Ya está {{2}}. Esto pasó: {{3}} Lo demás está en tus reportes.',
    button: 'Abrir los reportes',
  },
  export_ready: {
    name: 'exportacion_lista',
    body: 'Hola, {{1}}. Ya está la exportación de {{2}}. Se puede descargar hasta el {{3}}, con tu cuenta.',
    button: 'Descargar',
  },
  pay_approved: {
    name: 'pago_aprobado',
    body: 'Hola, {{1}}. Ya está aprobado tu pago {{2}}: {{3}}. Ahí está cada clase.',
    button: 'Ver mi pago',
  },
  staff_tasks: {
    name: 'pendientes',
    body: 'Hola, {{1}}. Hay algo por atender: {{2}}.',
    button: 'Ver pendientes',
  },
  broadcast: {
    name: 'aviso_del_estudio',
    body: 'Hola, {{1}}. Te escribe {{2}}: {{3}} Si no quieres recibir estos avisos, puedes dejarlos con el botón.',
    button: 'Dejar de recibirlos',
  },
}

/** How many blanks the body of a template has. */
export const blankCount = (body: string): number => new Set(body.match(/\{\{\d{1,2}\}\}/g)).size

/** How many blanks an event's template has. */
export const countBlanks = (event: MessageEvent): number => blankCount(templates[event].body)

/** A blank as Meta takes it: one line, no runs of spaces, never empty. */
export function toBlank(text: string): string {
  const singleLine = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return (singleLine.length > 300 ? `${singleLine.slice(0, 299)}…` : singleLine) || '-'
}

/** The text of a template with its blanks. */
export function filledBody(body: string, blanks: readonly string[]): string {
  return body.replace(/\{\{(\d{1,2})\}\}/g, (_all, n: string) => toBlank(blanks[Number(n) - 1] ?? ''))
}

/** What the person reads. */
export const filledTemplate = (event: MessageEvent, blanks: readonly string[]): string => filledBody(templates[event].body, blanks)

/** Longest body of a template, in characters. */
export const MAX_BODY = 1_024

/**
 * Why Meta would refuse a body, as a Spanish sentence; null when it would not. Meta takes blanks numbered from 1, not at either end, not
 * side by side, and not too many for the words around them.
 */
export function whyNotBody(body: string): string | null {
  const numbers = [...new Set([...body.matchAll(/\{\{(\d{1,2})\}\}/g)].map(([, n]) => Number(n)))].sort((a, b) => a - b)
  if (body.length > MAX_BODY) return `WhatsApp acepta hasta ${MAX_BODY.toLocaleString('es-MX')} letras.`
  if (numbers.some((number, at) => number !== at + 1)) return 'Los datos del texto no están numerados en orden.'
  if (/^\s*\{\{|\}\}\s*$/.test(body)) return 'WhatsApp no acepta que el texto empiece o termine con un dato: agrega palabras o un punto.'
  if (/\}\}\s*\{\{/.test(body)) return 'WhatsApp no acepta dos datos seguidos: pon palabras en medio.'
  if (/\n{3}|\t| {4}/.test(body)) return 'WhatsApp no acepta tantos espacios o renglones vacíos seguidos.'
  const words = body.replace(/\{\{\d{1,2}\}\}/g, ' ').match(/\p{L}+/gu)?.length ?? 0
  if (words < 2 * numbers.length + 1) return 'Hay demasiados datos para tan pocas palabras: WhatsApp pide más texto.'
  return null
}
