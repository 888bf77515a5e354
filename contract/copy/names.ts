/** Display names of packages, coaches, seats and statuses, without schemas: public pages use them without loading Zod. */
import type { PeriodUnit } from '#contract/time.ts'

/** The nick name when non-empty, otherwise the name (S2-3.10). */
export function instructorName(who: { name: string; nick_name: string | null }): string {
  return who.nick_name?.trim() || who.name
}

/** The same with the last name: for titles, long lists and search engines. */
export function instructorFullName(who: { name: string; last_name: string; nick_name: string | null }): string {
  return `${instructorName(who)} ${who.last_name}`.trim()
}

/** "Fila 2, lugar 5": a spot of the map, row-column counted from 1 (settled 23). */
export function spotName(at: string): string {
  const [row, column] = at.split('-')
  return `Fila ${row}, lugar ${column}`
}

/** The same in the middle of a sentence: "fila 2, lugar 5". */
export const spotInSentence = (at: string): string => spotName(at).toLowerCase()

/** Two spots: "Fila 2, lugares 5 y 6", or "Fila 1, lugar 8 y fila 2, lugar 1". */
export function spotsName(a: string, b: string): string {
  const [first = '', second = ''] = [a, b].sort(new Intl.Collator('es', { numeric: true }).compare)
  const [row, column] = second.split('-')
  return first.startsWith(`${row}-`)
    ? `Fila ${row}, lugares ${first.split('-')[1]} y ${column}`
    : `${spotName(first)} y ${spotInSentence(second)}`
}

/** "Cada mes", "Cada 3 meses", "Cada año", "Cada 28 días" (S1-9.10). */
export function subscriptionPeriodText(period: PeriodUnit | null, interval: number | null): string {
  const every = interval ?? 1
  if (period === 'month') return every === 1 ? 'Cada mes' : `Cada ${every} meses`
  if (period === 'year') return every === 1 ? 'Cada año' : `Cada ${every} años`
  return every === 1 ? 'Cada día' : `Cada ${every} días`
}

/** The text of a status badge; unknown values are shown unchanged (S1-4.18 to S1-4.20). `cancelledOn` as 'DD MMM YYYY'. */
export function purchaseStatusText(status: string, cancelledOn: string | null): string {
  const words: Record<string, string> = {
    active: 'Activa',
    completed: 'Completada',
    pending: 'Pendiente',
    failed: 'Fallido',
    revoked: 'Revocada',
  }
  if (status === 'cancelled') return cancelledOn ? `Cancelada el ${cancelledOn}` : 'Cancelada'
  return words[status] ?? status
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
