/** Discounts as the administration edits them, in the shape of the plain lists. */

import { formatPesos } from '#contract/money.ts'
import { api, queries } from '#web/lib/api.ts'
import { apiCalls, type CatalogueList, type CatalogueRecord, joinFacts, text } from './catalogue-lists.ts'
import { DiscountDetails } from './discount-details.tsx'

/** "1,652 usos", "3 de 50 usos". */
export function usesText(used: number, max: number): string {
  const shown = used.toLocaleString('es-MX')
  if (max > 0) return `${shown} de ${max.toLocaleString('es-MX')} usos`
  return used === 1 ? '1 uso' : `${shown} usos`
}

export const DISCOUNT_LIST: CatalogueList = {
  slug: 'descuentos',
  title: 'Descuentos',
  add: 'Nuevo descuento',
  one: 'Descuento',
  thisOne: 'este descuento',
  idKey: 'discount_id',
  empty: 'No hay descuentos.',
  search: { label: 'Buscar un código', nothing: 'Descuento no encontrado.' },
  sorts: [
    { by: 'codigo', header: 'Código', value: (row) => text(row.code) },
    { by: 'usos', header: 'Usos', value: (row) => Number(row.used), first: 'down' },
    { by: 'vendido', header: 'Vendido', value: (row) => (typeof row.income === 'string' ? Number(row.income) : null), first: 'down' },
    { by: 'hasta', header: 'Hasta', value: (row) => (row.ends_on ? text(row.ends_on) : null) },
  ],
  details: DiscountDetails,
  fields: [
    { key: 'code', label: 'Código', kind: 'text', required: true, max: 40, hint: 'Letras, números y guiones, sin espacios.' },
    { key: 'amount', label: 'Cuánto descuenta', kind: 'money', required: true },
    { key: 'is_percent', label: 'Es un porcentaje', kind: 'switch', hint: 'Si no, son pesos.', initial: true },
    { key: 'first_invoice_only', label: 'Solo en el primer cobro', kind: 'switch', hint: 'De una suscripción.' },
    { key: 'class_package_ids', label: 'Para qué paquetes', kind: 'packages', hint: 'Sin elegir: para todos.' },
    { key: 'segment_id', label: 'Para quién', kind: 'segment', hint: 'Quien esté en el segmento cuando compra.' },
    { key: 'starts_on', label: 'Desde', kind: 'date' },
    { key: 'ends_on', label: 'Hasta', kind: 'date' },
    { key: 'max_uses', label: 'Usos en total', kind: 'number', hint: 'Vacío: sin límite.' },
    { key: 'max_uses_per_customer', label: 'Usos por persona', kind: 'number', hint: 'Vacío: sin límite.' },
    { key: 'available', label: 'Se puede usar', kind: 'switch', initial: true },
  ],
  recordName: (row) => text(row.code),
  about: (row) =>
    joinFacts(
      row.is_percent ? `${Number(row.amount)} %` : formatPesos(text(row.amount)),
      usesText(Number(row.used), Number(row.max_uses ?? 0)),
      typeof row.income === 'string' && Number(row.used) > 0 && `${formatPesos(row.income)} vendidos`,
      row.segment_id !== null && 'Solo un segmento',
      row.ends_on && `Hasta el ${text(row.ends_on)}`,
      row.available === false && 'No se puede usar',
    ),
  query: () => queries.discounts.all.queryOptions({ input: {}, meta: { handled: true } }),
  rowsOf: (answer) => (answer as { descuentos: CatalogueRecord[] }).descuentos.filter((row) => row.series === null),
  ...apiCalls({
    create: api.discounts.create,
    update: api.discounts.update,
    remove: (discount_id) => api.discounts.remove({ discount_id }),
  }),
  saved: 'Guardado.',
  removed: 'Eliminado.',
}
