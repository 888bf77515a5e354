/** Maps errors to refusals: those of rules, database constraints and a busy database; everything else is a bug. */
import { type ErrorCode, Refusal, refuse } from '#contract/errors.ts'
import { isPassing, pgError } from '#server/platform/db.ts'

/** Database constraints that mean a refusal when two requests race: the last check after every rule. */
export const REFUSED_BY: Readonly<Record<string, ErrorCode>> = {
  single_class_places: 'CLASS_FULL',
  class_reservation_customer: 'ALREADY_RESERVED',
  class_reservation_guest: 'ALREADY_RESERVED',
  class_reservation_spot: 'SPOT_TAKEN',
  available_class_balance: 'NO_CREDITS',
  class_package_stock: 'PACKAGE_SOLD_OUT',
  purchase_limit: 'PURCHASE_LIMIT',
  refund_total: 'REFUND_TOO_MUCH',
  cash_session_open: 'CASH_SESSION_OPEN',
  cash_session_is_closed: 'CASH_SESSION_CLOSED',
  payroll_period_days_once: 'PAYROLL_PERIOD',
  payroll_period_is_approved: 'PAYROLL_APPROVED',
  pay_rule_instructor_id_instructor_instructor_id_fk: 'NOT_FOUND',
  pay_rule_class_type_id_class_type_class_type_id_fk: 'NOT_FOUND',
  pay_rule_location_id_location_location_id_fk: 'NOT_FOUND',
  staff_uid: 'ALREADY_EXISTS',
  staff_invited_email: 'ALREADY_EXISTS',
  customer_phone: 'PHONE_IN_USE',
  customer_email: 'ACCOUNT_EXISTS',
  customer_uid: 'ACCOUNT_EXISTS',
  page_slug: 'ALREADY_EXISTS',
  room_name: 'ALREADY_EXISTS',
  payment_method_name: 'ALREADY_EXISTS',
  product_name: 'ALREADY_EXISTS',
  class_category_handle: 'ALREADY_EXISTS',
  tag_name: 'ALREADY_EXISTS',
  custom_field_key: 'ALREADY_EXISTS',
  video_type_name: 'ALREADY_EXISTS',
  program_name: 'ALREADY_EXISTS',
  segment_name: 'ALREADY_EXISTS',
  discount_code: 'ALREADY_EXISTS',
  discount_segment: 'SEGMENT_NOT_FOUND',
  discount_uses: 'DISCOUNT_EXHAUSTED',
  discount_use_slot: 'DISCOUNT_EXHAUSTED',
}

/** The refusal of an error; null = unexpected, a bug. */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const failed = pgError(error)
  const code = failed?.constraint === undefined ? undefined : REFUSED_BY[failed.constraint]
  if (code) return refuse(code)
  return isPassing(error) ? refuse('BUSY') : null
}
