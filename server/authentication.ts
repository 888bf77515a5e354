/** Builds the `ctx` of a request; the actor is resolved only as far as the endpoint's declared access needs. */
import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/endpoint.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { Ctx, type Studio } from './modules/ctx.ts'
import { principal } from './modules/people/people.ts'

/** How long principals are cached, in seconds: a change of role applies at once in this process, and within this time in others. */
const PRINCIPAL_SECONDS = 30
const MAX_PRINCIPALS = 20_000

export interface Callers {
  /** UNAUTHENTICATED, TOKEN_EXPIRED; INVALID_INPUT for an invalid Idempotency-Key. */
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
        // An Authorization header that is not shaped like a token is refused like an invalid one. Endpoints that need no token ignore other
        // schemes: behind a proxy with Basic authentication browsers send it along.
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

/** Caches customers and staff by uid, and invalidates them on changes. */
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
