/** Who asks: the `ctx` of a request, found out only as far as the endpoint's declared access needs. */
import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/endpoint.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { Ctx, type Studio } from './modules/ctx.ts'
import { principal } from './modules/people/people.ts'

/** How long who-somebody-is may be kept: a change of role counts at once here and within this everywhere. */
const PRINCIPAL_SECONDS = 30
const MAX_PRINCIPALS = 20_000

export interface Callers {
  /** UNAUTHENTICATED, TOKEN_EXPIRED; INVALID_INPUT for an Idempotency-Key that is none. */
  open(access: Access, req: FastifyRequest): Promise<Ctx>
  close(): void
}

export function openCallers(studio: Studio): Callers {
  const principals = keepPrincipals(studio)
  return {
    async open(access, req) {
      const facts = { requestId: req.id, ip: req.ip, idempotencyKey: idempotencyKey(req.headers['idempotency-key']) }
      const { authorization } = req.headers
      const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1]
      if (access === 'public' || !bearer) {
        // What is not even shaped like a token is refused like one that does not verify. Where no token is needed, other schemes
        // are left alone: a browser sends Basic along by itself where a proxy asked for it.
        const refused = access === 'optional' ? /^bearer\b/i.test(authorization ?? '') : Boolean(authorization)
        if (access !== 'public' && refused) throw refuse('UNAUTHENTICATED')
        return new Ctx(studio, { ...facts, actor: { kind: 'visitor' } })
      }
      const { uid, email, emailVerified, session, secondFactor, authTime } = await studio.ports.identity.verify(bearer)
      const { customer, staff } = await principals.of(uid)
      const isVerified = secondFactor || !studio.settings().staff_second_factor_required
      const roles = isVerified ? { staff } : { staff: null, staffToVerify: staff }
      return new Ctx(studio, {
        ...facts,
        actor: { kind: 'identity', uid, email, emailVerified, session, secondFactor, authTime, token: bearer, customer, ...roles },
      })
    },
    close: principals.close,
  }
}

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) throw new Refusal('INVALID_INPUT', { header: 'Idempotency-Key' })
  return header
}

/** Customers and staff by uid, kept for a short while and forgotten when somebody changes. */
function keepPrincipals(studio: Studio) {
  const kept = new Map<string, { until: number; found: ReturnType<typeof principal> }>()
  const quiet = studio.events.listen((event) => {
    if (event.topic === 'people' && event.uid) kept.delete(event.uid)
    else if (event.topic === 'people' || event.topic === 'missed') kept.clear()
  })
  return {
    of(uid: string): ReturnType<typeof principal> {
      const now = performance.now()
      const ready = kept.get(uid)
      if (ready && ready.until > now) return ready.found
      if (kept.size > MAX_PRINCIPALS) kept.clear()
      const found = principal(studio.db.read, uid)
      kept.set(uid, { until: now + PRINCIPAL_SECONDS * 1000, found })
      found.catch(() => kept.delete(uid))
      return found
    },
    close: quiet,
  }
}
