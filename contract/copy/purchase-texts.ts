/** Texts of purchases: their status and how their vouchers are paid. */

/** The text of a status badge; unknown values are shown unchanged (S1-4.18 to S1-4.20). `cancelledOn` as 'DD MMM YYYY'. */
export function purchaseStatusText(status: string, cancelledOn: string | null): string {
  const texts: Record<string, string> = {
    active: 'Activa',
    completed: 'Completada',
    pending: 'Pendiente',
    failed: 'Fallido',
    revoked: 'Revocada',
  }
  if (status === 'cancelled') return cancelledOn ? `Cancelada el ${cancelledOn}` : 'Cancelada'
  return texts[status] ?? status
}

/** Instructions for paying a voucher, one step per line. */
export function voucherSteps(kind: 'oxxo' | 'spei' | 'efectivo'): string[] {
  if (kind === 'oxxo')
    return [
      'Ve a cualquier OXXO y di que quieres hacer un pago.',
      'Muestra la referencia en la caja y paga el total exacto en efectivo.',
      'Guarda tu recibo. El pago puede tardar hasta un día hábil en confirmarse.',
    ]
  if (kind === 'spei')
    return [
      'Entra a la aplicación de tu banco y elige transferir por SPEI.',
      'Registra la CLABE y transfiere el total exacto con la referencia.',
      'El pago se confirma en minutos.',
    ]
  return ['Di esta referencia en recepción y paga el total.', 'Tus clases quedan disponibles en cuanto recepción registre tu pago.']
}
