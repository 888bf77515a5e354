/** What a change to many records does to one of them, decided from facts; the dry run and the job use the same. */
import type { BulkParams } from '#contract/bulk.ts'
import type { BulkAction } from '#contract/bulk-actions.ts'
import { MAX_CUSTOMER_TAGS } from '#contract/customer-file.ts'
import type { Right } from '#contract/rights.ts'
import type { BulkFacts, BulkPurchaseFacts, BulkReservationFacts } from './store.ts'

/** By the part of the action before the dot. */
const RIGHTS: Readonly<Record<string, Right>> = {
  tags: 'customers.edit',
  customers: 'customers.edit',
  credits: 'credits.edit',
  reservations: 'roster.all',
  purchases: 'sales.sell',
}
export const rightFor = (action: BulkAction): Right => RIGHTS[action.split('.')[0] ?? ''] ?? 'customers.edit'

/** Why one record is left unchanged. */
export interface Unchanged {
  code: string
  message: string
}

const unchanged = (code: string, message: string): Unchanged => ({ code, message })

export const GONE = unchanged('NOT_FOUND', 'Ya no existe.')
export const NOT_ALLOWED = unchanged('FORBIDDEN', 'Quien lo empezó ya no tiene permiso.')
export const CHANGED_SINCE = unchanged('CHANGED_MEANWHILE', 'Cambió después, y se queda como está.')
export const BROKEN = unchanged('INTERNAL', 'No se pudo cambiar. Inténtalo de nuevo.')

export type CustomerAction = Extract<BulkAction, `tags.${string}` | `credits.${string}` | `customers.${string}`>
type ReservationAction = Extract<BulkAction, `reservations.${string}`>
type PurchaseAction = Extract<BulkAction, `purchases.${string}`>

/** Why a customer would be left unchanged; null = changed. */
export function whyUnchanged(action: CustomerAction, facts: Omit<BulkFacts, 'customer_id' | 'name'> | undefined): Unchanged | null {
  if (!facts) return GONE
  switch (action) {
    case 'tags.add':
      if (facts.has_tag) return unchanged('TAG_PRESENT', 'Ya tiene la etiqueta.')
      return facts.tags >= MAX_CUSTOMER_TAGS ? unchanged('TAGS_FULL', `Ya tiene ${MAX_CUSTOMER_TAGS} etiquetas.`) : null
    case 'tags.remove':
      return facts.has_tag ? null : unchanged('TAG_ABSENT', 'No tiene la etiqueta.')
    case 'credits.give':
      return null
    case 'credits.extend':
      return facts.expiring ? null : unchanged('NO_CREDITS', 'No tiene clases que venzan.')
    case 'credits.freeze':
      if (facts.overdue)
        return unchanged('SUBSCRIPTION_NOT_PAUSABLE', 'Su suscripción tiene un cobro atrasado: resuélvelo antes de congelar.')
      return facts.usable || facts.charged ? null : unchanged('NO_CREDITS', 'No tiene clases que congelar.')
    case 'credits.thaw':
      return facts.frozen || facts.paused ? null : unchanged('NO_CREDITS', 'No tiene clases congeladas.')
    case 'customers.invite':
      if (facts.has_account) return unchanged('ACCOUNT_PRESENT', 'Ya tiene cuenta.')
      if (!facts.has_email) return unchanged('CUSTOMER_WITHOUT_EMAIL', 'No tiene correo.')
      return facts.is_invited ? unchanged('INVITED', 'Se le invitó en los últimos siete días.') : null
    case 'customers.archive':
      if (facts.is_archived) return unchanged('ARCHIVED', 'Ya está de baja.')
      if (facts.is_subscriber) return unchanged('ARCHIVE_BLOCKED', 'Tiene una suscripción activa.')
      if (facts.owes) return unchanged('ARCHIVE_BLOCKED', 'Debe dinero.')
      if (facts.has_open_purchase) return unchanged('ARCHIVE_BLOCKED', 'Tiene una compra por pagar.')
      return facts.is_booked ? unchanged('ARCHIVE_BLOCKED', 'Tiene clases reservadas o en espera.') : null
  }
}

/** Why a reservation would be left unchanged. */
export function whyReservationUnchanged(
  action: ReservationAction,
  params: BulkParams,
  facts: BulkReservationFacts | undefined,
): Unchanged | null {
  if (!facts) return GONE
  if (facts.is_cancelled) return unchanged('RESERVATION_CANCELLED', 'Ya está cancelada.')
  if (!facts.is_here) return unchanged('FORBIDDEN', 'Es de un estudio donde no trabajas.')
  if (facts.is_over) return unchanged('CLASS_STARTED', 'La clase ya terminó.')
  if (action === 'reservations.move') {
    if (facts.single_class_id === params.single_class_id) return unchanged('MOVE_SAME_CLASS', 'Ya está en esa clase.')
    return facts.is_in_target ? unchanged('ALREADY_RESERVED', 'Ya tiene lugar en esa clase.') : null
  }
  return null
}

/** Why a purchase would be left unchanged. */
export function whyPurchaseUnchanged(action: PurchaseAction, facts: BulkPurchaseFacts | undefined): Unchanged | null {
  if (!facts) return GONE
  if (action === 'purchases.mark_paid') return facts.is_waiting ? null : unchanged('PURCHASE_CLOSED', 'No está por pagar.')
  if (!facts.has_receipt) return unchanged('NO_RECEIPT', 'Todavía no tiene comprobante.')
  return facts.has_email ? null : unchanged('CUSTOMER_WITHOUT_EMAIL', 'No tiene correo.')
}

/** The fields of `params` that an action needs. */
export const NEEDED: Readonly<Record<BulkAction, readonly (keyof BulkParams)[]>> = {
  'tags.add': ['tag_id'],
  'tags.remove': ['tag_id'],
  'credits.give': ['amount', 'expiration_date'],
  'credits.extend': ['days'],
  'credits.freeze': [],
  'credits.thaw': [],
  'customers.invite': [],
  'customers.archive': [],
  'reservations.cancel': ['credit'],
  'reservations.move': ['single_class_id'],
  'purchases.mark_paid': [],
  'purchases.receipt': [],
}

/** The fields of `params` that an action may have besides. */
export const OPTIONAL: Partial<Record<BulkAction, readonly (keyof BulkParams)[]>> = {
  'purchases.mark_paid': ['payment_method_id', 'location_id'],
}

/** "Agregar la etiqueta “VIP”": what the job does, in a sentence without its records. `named`: the tag or the class. */
export function actionLabel(action: BulkAction, params: BulkParams, named: string | null): string {
  const plural = (n: number, singular: string, many: string) => `${n} ${n === 1 ? singular : many}`
  switch (action) {
    case 'tags.add':
      return `Agregar la etiqueta “${named}”`
    case 'tags.remove':
      return `Quitar la etiqueta “${named}”`
    case 'credits.give':
      return `Dar ${plural(params.amount ?? 0, 'clase', 'clases')}`
    case 'credits.extend':
      return `Extender el vencimiento ${plural(params.days ?? 0, 'día', 'días')}`
    case 'credits.freeze':
      return 'Congelar sus clases'
    case 'credits.thaw':
      return 'Descongelar sus clases'
    case 'customers.invite':
      return 'Invitar a crear su cuenta'
    case 'customers.archive':
      return 'Dar de baja'
    case 'reservations.cancel':
      return params.credit === 'keep' ? 'Cancelar sin regresar el crédito' : 'Cancelar y regresar el crédito'
    case 'reservations.move':
      return `Mover a ${named}`
    case 'purchases.mark_paid':
      return 'Marcar como pagadas'
    case 'purchases.receipt':
      return 'Enviar el comprobante'
  }
}
