/** The contract made callable: who may call (declared in the contract), and how a refusal or a bug leaves. */
import { implement, ORPCError, ValidationError } from '@orpc/server'
import * as z from 'zod'
import type { Access } from '#contract/endpoint.ts'
import { type ErrorCode, type ErrorData, Refusal, refuse, sentence } from '#contract/errors.ts'
import { contract } from '#contract/index.ts'
import { isAway, pgError } from '#server/platform/db.ts'
import { type Ctx, whyNotAllowed } from './ctx.ts'

/** What a request brings; the actor is found out only when the endpoint asks for one. */
export interface Call {
  /** Everything but the actor. */
  open(access: Access): Promise<Ctx>
}

/** Constraints of the database that mean a refusal when two requests meet: the last word after every rule. */
const REFUSED_BY: Record<string, ErrorCode> = {
  single_class_places: 'CLASS_FULL',
  class_reservation_customer: 'ALREADY_RESERVED',
  class_reservation_guest: 'ALREADY_RESERVED',
  class_reservation_spot: 'SPOT_TAKEN',
  available_class_balance: 'NO_CREDITS',
  class_package_stock: 'PACKAGE_SOLD_OUT',
  purchase_limit: 'PURCHASE_LIMIT',
  refund_total: 'REFUND_TOO_MUCH',
  customer_phone: 'PHONE_IN_USE',
  customer_email: 'ACCOUNT_EXISTS',
  customer_uid: 'ACCOUNT_EXISTS',
  page_slug: 'ALREADY_EXISTS',
  payment_method_name: 'ALREADY_EXISTS',
  class_category_handle: 'ALREADY_EXISTS',
  tag_name: 'ALREADY_EXISTS',
  custom_field_key: 'ALREADY_EXISTS',
  discount_code: 'ALREADY_EXISTS',
  discount_uses: 'DISCOUNT_EXHAUSTED',
  discount_use_slot: 'DISCOUNT_EXHAUSTED',
}

/** SQLSTATEs that mean "not now": lock or statement timeout, too many connections, still deadlocked after every retry. */
const BUSY = new Set(['55P03', '57014', '53300', '40001', '40P01'])

/** A refusal as it travels. */
function travelling(code: ErrorCode, data: ErrorData = {}): ORPCError<ErrorCode, ErrorData> {
  const refusal = new Refusal(code, data)
  return new ORPCError(code, { status: refusal.status, message: sentence(code, data), data })
}

/** Any error of a verb as the one that leaves; anything that nobody foresaw is a 500 with the request's id and is logged. */
export function leaving(error: unknown, ctx: Ctx | null): ORPCError<string, unknown> {
  if (error instanceof Refusal) return travelling(error.code, error.data)
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST') {
      const issues = error.cause.issues.map((issue) => ({
        path: (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
        message: issue.message,
      }))
      return new ORPCError('INVALID_INPUT', { status: 400, message: sentence('INVALID_INPUT'), data: { issues }, cause: error.cause })
    }
    if (error.code === 'BAD_REQUEST') return travelling('MALFORMED_BODY')
    if (error.status < 500) return error
  }
  const failed = pgError(error)
  const refused = failed?.constraint ? REFUSED_BY[failed.constraint] : undefined
  if (refused) return travelling(refused)
  if (failed && BUSY.has(failed.code)) return travelling('BUSY')
  if (isAway(error)) {
    ctx?.studio.log.warn({ error, requestId: ctx.requestId }, 'the database was away')
    return travelling('BUSY')
  }
  ctx?.studio.log.error({ error, requestId: ctx.requestId }, 'a request failed')
  return new ORPCError('INTERNAL', { status: 500, message: sentence('INTERNAL'), data: { request_id: ctx?.requestId ?? null } })
}

// What a field is told beside the refusal is read by people too.
z.config(z.locales.es())

const base = implement(contract).$context<Call>()

/** The contract's endpoints, each behind the access that it declares. `routes.ts` files hang one verb on each. */
export const api = base.use(async ({ context, procedure, next }) => {
  const access: Access = procedure['~orpc'].meta.access
  let ctx: Ctx | null = null
  try {
    ctx = await context.open(access)
    const no = whyNotAllowed(access, ctx.actor)
    if (no) throw refuse(no)
    return await next({ context: { ctx } })
  } catch (error) {
    throw leaving(error, ctx)
  }
})
