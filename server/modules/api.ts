/** The contract made callable: who may call (declared in the contract), and how a refusal or a bug leaves. */
import { implement, ORPCError, ValidationError } from '@orpc/server'
import type { Access } from '#contract/endpoint.ts'
import { type ErrorCode, type ErrorData, type Refusal, refuse } from '#contract/errors.ts'
import { contract } from '#contract/index.ts'
import { isAway, needsOperator } from '#server/platform/db.ts'
import { unknownFields } from '#server/platform/unknown-fields.ts'
// What a field is told beside the refusal is read by people too.
import '#contract/copy/validation.ts'
import { type Ctx, whyNotAllowed } from './ctx.ts'
import { refusalIn } from './failures.ts'

/** What a request brings; the actor is found out only when the endpoint asks for one. */
export interface Call {
  /** Everything but the actor. */
  open(access: Access): Promise<Ctx>
  /** Query keys of a request whose input is its body: no endpoint reads them. */
  unreadQuery: string[]
}

/** A refusal as it travels. */
function travelling({ code, status, message, data }: Refusal, cause?: unknown): ORPCError<ErrorCode, ErrorData> {
  return new ORPCError(code, { status, message, data, cause })
}

/** What oRPC says of a request that does not fit the contract. */
function unfit(error: ORPCError<string, unknown>): ORPCError<ErrorCode, ErrorData> {
  if (!(error.cause instanceof ValidationError)) return travelling(refuse('MALFORMED_BODY'))
  const issues = error.cause.issues.map((issue) => ({
    path: (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
    message: issue.message,
  }))
  return travelling(refuse('INVALID_INPUT', { issues }), error.cause)
}

/** Any error of a verb as the one that leaves; anything that nobody foresaw is a 500 with the request's id and is logged. */
function leaving(error: unknown, ctx: Ctx | null): ORPCError<string, unknown> {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') return unfit(error)
  if (error instanceof ORPCError && error.status < 500) return error
  if (isAway(error)) ctx?.studio.log.warn({ error, requestId: ctx.requestId }, 'database.connection_lost')
  if (needsOperator(error)) ctx?.studio.log.error({ error, requestId: ctx.requestId }, 'database.needs_operator')
  const refusal = refusalIn(error)
  if (refusal) return travelling(refusal)
  ctx?.studio.log.error({ error, requestId: ctx.requestId }, 'request.failed')
  return travelling(refuse('INTERNAL', { request_id: ctx?.requestId ?? null }))
}

function refuseUnknownFields(schema: object | undefined, input: unknown, unreadQuery: string[]): void {
  const issues = [...unknownFields(schema, input), ...unreadQuery].map((path) => ({ path, message: 'Este campo no existe.' }))
  if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
}

/** Outside production an answer with a code that its endpoint's contract does not declare becomes a 500, so that a test sees it. */
const ENFORCES_CONTRACT = process.env.NODE_ENV !== 'production'

function assertDeclared(
  error: ORPCError<string, unknown>,
  declared: object,
  endpoint: string,
  ctx: Ctx | null,
): ORPCError<string, unknown> {
  if (!ENFORCES_CONTRACT || error.code in declared) return error
  ctx?.studio.log.error({ endpoint, code: error.code, requestId: ctx.requestId }, 'refusal.undeclared')
  return travelling(refuse('INTERNAL', { request_id: ctx?.requestId ?? null }), error)
}

const base = implement(contract).$context<Call>()

/** The contract's endpoints, each behind the access that it declares. `routes.ts` files hang one verb on each. */
export const api = base.use(async ({ context, path, procedure, next }, input) => {
  const { meta, inputSchema, errorMap } = procedure['~orpc']
  const access: Access = meta.access
  let ctx: Ctx | null = null
  try {
    ctx = await context.open(access)
    const no = whyNotAllowed(access, ctx.actor)
    if (no) throw no
    if (meta.unknownFields === 'refused') refuseUnknownFields(inputSchema, input, context.unreadQuery)
    return await next({ context: { ctx } })
  } catch (error) {
    throw assertDeclared(leaving(error, ctx), errorMap, path.join('.'), ctx)
  }
})
