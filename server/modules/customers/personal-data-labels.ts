/** The words for codes in the export of a person's data (docs/domain.md X7). */

export type CodeLabels = Readonly<Record<string, string>>

export const purchaseStatus = {
  pending: 'Por pagar',
  active: 'Activa',
  completed: 'Completa',
  failed: 'No se pudo cobrar',
  cancelled: 'Cancelada',
  revoked: 'Revocada',
}
export const chargeStatus = {
  pending: 'Por pagar',
  paid: 'Pagado',
  failed: 'No se pudo cobrar',
  refunded: 'Devuelto',
  partially_refunded: 'Devuelto en parte',
  disputed: 'En disputa con el banco',
  lost: 'Perdido con el banco',
  void: 'Anulado',
}
export const movementKind = {
  grant: 'Se le dieron',
  spend: 'Reservó',
  give_back: 'Se le regresó',
  remove: 'Se restó',
  revoke: 'Se revocó',
  adjust: 'Se ajustó',
  extend: 'Cambió su último día',
}
export const waitlistStatus = {
  waiting: 'En espera',
  offered: 'Con lugar ofrecido',
  booked: 'Obtuvo lugar',
  passed: 'Dejó pasar el lugar',
  left: 'Salió de la lista',
  closed: 'Cerrada',
}
export const fileKind = { image: 'Imagen', document: 'Documento', video: 'Video' }
