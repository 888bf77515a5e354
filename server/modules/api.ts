/** Implements the contract: checks access as the contract declares it, and maps errors to responses. */
import { implement, ORPCError, ValidationError } from '@orpc/server'
import type { Access } from '#contract/endpoint.ts'
import { type ErrorCode, type ErrorData, type Refusal, refuse } from '#contract/errors.ts'
import { contract } from '#contract/index.ts'
import { isAway, needsOperator } from '#server/platform/db.ts'
import { unknownFields } from '#server/platform/unknown-fields.ts'
// Messages of field issues are shown to users too, so they are Spanish.
import '#contract/copy/validation.ts'
import { type Ctx, whyNotAllowed } from './ctx.ts'
import { refusalIn } from './failures.ts'

/** The key of a browser that uses a shared device, and for how many hours the browser keeps it. */
export interface DeviceKey {
  key: string
  hours: number
}

/** A request's context; the actor is resolved only when the endpoint needs one. */
export interface Call {
  /** Resolves the actor for the endpoint's access level. */
  open(access: Access): Promise<Ctx>
  /** Query parameters of a request whose input is its body: no endpoint reads them. */
  uncheckedQuery: string[]
  /** Sends the browser the key of a shared device that a PIN unlocked, or that is a kiosk now. */
  giveDeviceKey?: (key: DeviceKey) => void
  /** Sends this text, JSON that is valid by the contract, in place of what the endpoint returns. Left out where the answer is an object. */
  answerWith?: (text: string) => void
}

/** A refusal as an oRPC error. */
function toOrpcError({ code, status, message, data }: Refusal, cause?: unknown): ORPCError<ErrorCode, ErrorData> {
  return new ORPCError(code, { status, message, data, cause })
}

/** The refusal for an oRPC validation error: a request that does not match the contract. */
function validationRefusal(error: ORPCError<string, unknown>): ORPCError<ErrorCode, ErrorData> {
  if (!(error.cause instanceof ValidationError)) return toOrpcError(refuse('MALFORMED_BODY'))
  const issues = error.cause.issues.map((issue) => ({
    path: (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
    message: issue.message,
  }))
  return toOrpcError(refuse('INVALID_INPUT', { issues }), error.cause)
}

/** Maps any error of a verb to an oRPC error; unexpected ones become a 500 with the request id and are logged. */
function mapError(error: unknown, ctx: Ctx | null): ORPCError<string, unknown> {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') return validationRefusal(error)
  if (error instanceof ORPCError && error.status < 500) return error
  if (isAway(error)) ctx?.studio.log.warn({ error, requestId: ctx.requestId }, 'database.connection_lost')
  if (needsOperator(error)) ctx?.studio.log.error({ error, requestId: ctx.requestId }, 'database.failed')
  const refusal = refusalIn(error)
  if (refusal) return toOrpcError(refusal)
  ctx?.studio.log.error({ error, requestId: ctx.requestId }, 'request.failed')
  return toOrpcError(refuse('INTERNAL', { request_id: ctx?.requestId ?? null }))
}

function refuseUnknownFields(schema: object | undefined, input: unknown, uncheckedQuery: string[]): void {
  const issues = [...unknownFields(schema, input), ...uncheckedQuery].map((path) => ({ path, message: 'Este campo no existe.' }))
  if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
}

/** Outside production a response with an error code that the endpoint's contract does not declare becomes a 500, so that a test sees it. */
const ENFORCES_CONTRACT = process.env.NODE_ENV !== 'production'

function assertDeclared(
  error: ORPCError<string, unknown>,
  declared: object,
  endpoint: string,
  ctx: Ctx | null,
): ORPCError<string, unknown> {
  if (!ENFORCES_CONTRACT || error.code in declared) return error
  ctx?.studio.log.error({ endpoint, code: error.code, requestId: ctx.requestId }, 'refusal.undeclared')
  return toOrpcError(refuse('INTERNAL', { request_id: ctx?.requestId ?? null }), error)
}

const base = implement(contract).$context<Call>()

/** The contract's endpoints, each behind its declared access. Each `routes.ts` attaches one verb to each endpoint. */
export const api = base.use(async ({ context, path, procedure, next }, input) => {
  const { meta, inputSchema, errorMap } = procedure['~orpc']
  const access: Access = meta.access
  let ctx: Ctx | null = null
  try {
    ctx = await context.open(access)
    const no = whyNotAllowed(access, ctx.actor)
    if (no) throw no
    if (meta.unknownFields === 'refused') refuseUnknownFields(inputSchema, input, context.uncheckedQuery)
    const answer = await next({ context: { ctx } })
    if (ENFORCES_CONTRACT && ctx.runsOnce && !('IDEMPOTENCY_KEY_REUSED' in errorMap))
      throw new Error(`${path.join('.')} runs once per Idempotency-Key and does not declare IDEMPOTENCY_KEY_REUSED`)
    return answer
  } catch (error) {
    throw assertDeclared(mapError(error, ctx), errorMap, path.join('.'), ctx)
  }
})
