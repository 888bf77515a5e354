/** The variables of the texts of automatic messages: their meaning, and a sample where no real message exists yet. */
import type { AutomaticEvent } from '#contract/channels.ts'

interface VariableInfo {
  label: string
  sample: string
}

const variables = {
  nombre: { label: 'Nombre', sample: 'Ana Sofía' },
  negocio: { label: 'Nombre del negocio', sample: 'Tu estudio' },
  asunto: { label: 'Asunto de costumbre', sample: 'Tu lugar está reservado' },
  detalles: { label: 'Texto de costumbre', sample: 'Lo que dice el mensaje de costumbre.' },
  clase: { label: 'Clase', sample: 'Reformer Flow' },
  cuando: { label: 'Día y hora', sample: 'mié 18 nov, 18:00' },
  estudio: { label: 'Estudio', sample: 'Roma Norte' },
  credito: { label: 'Qué pasa con su crédito', sample: 'Tu crédito regresó.' },
  lugar: { label: 'Qué pasa con su lugar', sample: 'Tu lugar es tuyo otra vez, con el mismo crédito.' },
  antes: { label: 'Cómo era', sample: 'Reformer Flow, mié 18 nov, 18:00, con Renata' },
  cambios: { label: 'Qué cambió', sample: 'Ahora da la clase Sol.' },
  limite: { label: 'Hasta cuándo', sample: 'el mié 18 nov, 12:00' },
  motivo: { label: 'Motivo', sample: 'Ya tienes otra clase a esa hora.' },
  falta: { label: 'Cuántas faltas', sample: '2 de 3' },
  fecha: { label: 'Fecha', sample: '25 nov 2026' },
  monto: { label: 'Cantidad', sample: '$1,790.00' },
  compra: { label: 'Compra', sample: 'Paquete 10' },
  detalle: { label: 'Qué pasa ahora', sample: 'No se harán más cargos.' },
  tarjeta: { label: 'Tarjeta', sample: 'Visa 4242' },
  documento: { label: 'Documento y folio', sample: 'factura F-12' },
  quedan: { label: 'Clases que quedan', sample: '3 clases' },
  video: { label: 'Video', sample: 'Movilidad en 20 minutos' },
} as const satisfies Record<string, VariableInfo>

export type VariableKey = keyof typeof variables
export const messageVariables: Readonly<Record<VariableKey, VariableInfo>> = variables

/** What the blanks of an event's message are, in their order (`blanks` of server/modules/messages/tables.ts). */
export const blankKeys: Readonly<Record<AutomaticEvent, readonly VariableKey[]>> = {
  reservation_confirmed: ['nombre', 'clase', 'cuando', 'estudio'],
  reservation_reminder: ['nombre', 'clase', 'cuando', 'estudio'],
  reservation_cancelled: ['nombre', 'clase', 'cuando', 'credito'],
  class_cancelled: ['nombre', 'clase', 'cuando', 'credito'],
  class_restored: ['nombre', 'clase', 'cuando', 'lugar'],
  class_changed: ['nombre', 'clase', 'antes', 'cambios'],
  waitlist_open: ['nombre', 'clase', 'cuando', 'estudio'],
  waitlist_offer: ['nombre', 'clase', 'cuando', 'limite'],
  waitlist_booked: ['nombre', 'clase', 'cuando', 'estudio'],
  waitlist_skipped: ['nombre', 'clase', 'cuando', 'motivo'],
  no_show_warning: ['nombre', 'clase', 'cuando', 'falta'],
  penalty: ['nombre', 'motivo', 'fecha'],
  penalty_forgiven: ['nombre', 'motivo'],
  payment_refunded: ['nombre', 'monto', 'compra'],
  refund_owed: ['nombre', 'monto', 'compra'],
  renewal_notice: ['nombre', 'fecha', 'monto', 'compra'],
  payment_failed: ['nombre', 'monto', 'compra'],
  subscription_ended: ['nombre', 'compra', 'detalle'],
  subscription_paused: ['nombre', 'compra', 'detalle'],
  card_changed: ['nombre', 'compra', 'tarjeta'],
  invoice_issued: ['nombre', 'documento', 'monto'],
  invoice_cancelled: ['nombre', 'documento', 'monto'],
  credit_expiring: ['nombre', 'compra', 'quedan', 'fecha'],
  video_rating: ['nombre', 'video'],
  account_invite: ['nombre'],
}
