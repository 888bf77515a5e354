/** Builds the `ctx` of a request; the actor is resolved only as far as the endpoint's declared access needs. */
import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/endpoint.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { Ctx, type Studio } from './modules/ctx.ts'
import { type FoundKey, isApiKey, throttleApiKey, useApiKey } from './modules/integrations/integrations.ts'
import { findPrincipals } from './modules/people/people.ts'
import { findSharedDevice, hasDeviceKey, sessionKey, withRightsOfKiosk, withRightsOfReception } from './modules/team/shared-device.ts'

/** How long principals are cached, in seconds: a change of role applies at once in this process, and within this time in others. */
const PRINCIPAL_SECONDS = 30
const MAX_PRINCIPALS = 20_000

export interface Callers {
  /** UNAUTHENTICATED, TOKEN_EXPIRED; INVALID_INPUT for an invalid Idempotency-Key. */
  open(access: Access, req: FastifyRequest): Promise<Ctx>
  close(): void
}

export function openCallers(studio: Studio): Callers {
  const { read } = studio.db
  const principals = cacheUntilChanged(
    studio,
    (uid) => findPrincipals(read, uid),
    (event) => (event.topic !== 'people' ? null : event.uid ? { key: event.uid } : 'all'),
  )
  const devices = cacheUntilChanged(
    studio,
    (key) => findSharedDevice(read, key),
    (event) => (event.topic === 'shared_device' ? 'all' : null),
  )
  const keys = cacheUntilChanged(
    studio,
    (secret) => useApiKey(studio.db, secret, studio.clock()),
    (event) => (event.topic === 'api_key' ? 'all' : null),
  )
  /** A program with an API key: its rights are those of the key that its creator has too (I2). */
  async function keyActor({ api_key_id, name, rights, uid }: FoundKey) {
    const { staff } = await principals.of(uid)
    if (!staff) throw refuse('UNAUTHENTICATED')
    await throttleApiKey(studio.db, api_key_id, studio.clock())
    return {
      ...({ kind: 'identity', uid: `api_key:${api_key_id}`, email: '', emailVerified: false, customer: null } as const),
      staff: { ...staff, rights: new Set(rights.filter((right) => staff.rights.has(right))) },
      apiKey: { api_key_id, name },
    }
  }
  return {
    async open(access, req) {
      const facts = { requestId: req.id, ip: req.ip, idempotencyKey: idempotencyKey(req.headers['idempotency-key']) }
      const { authorization } = req.headers
      const secret = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''
      if (access !== 'public' && isApiKey(secret)) {
        const key = await keys.of(secret)
        if (!key || (key.until && key.until <= studio.clock())) throw refuse('UNAUTHENTICATED')
        return new Ctx(studio, { ...facts, actor: await keyActor(key) })
      }
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
      const identity = { kind: 'identity', uid, email, emailVerified, session, secondFactor, authTime, token: bearer } as const
      const isVerified = secondFactor || !studio.settings().staff_second_factor_required
      const device = staff && (await devices.of(sessionKey({ uid, session, authTime })))
      // A shared device has no customer (E15): without the second factor its session has no rights at all.
      if (!isVerified) {
        const sharedDevice = device && {
          shared_device_id: device.shared_device_id,
          signedInStaffId: staff.staff_id,
          actingUid: null,
          kiosk: null,
        }
        const actor = { ...identity, customer: device ? null : customer, staff: null, staffToVerify: staff, sharedDevice }
        return new Ctx(studio, { ...facts, actor })
      }
      if (!device) return new Ctx(studio, { ...facts, actor: { ...identity, customer, staff } })
      const hasKey = hasDeviceKey(req.headers.cookie, device.unlock_hash)
      const acting =
        device.actingUid !== null && hasKey && studio.clock() < device.actingUntil ? await principals.of(device.actingUid) : null
      const opener = device.kioskUid === null || !hasKey ? null : (await principals.of(device.kioskUid)).staff
      const sharedDevice = {
        shared_device_id: device.shared_device_id,
        signedInStaffId: staff.staff_id,
        actingUid: acting?.staff ? device.actingUid : null,
        kiosk: opener && { staff: withRightsOfKiosk(opener), location_id: device.kiosk_location_id },
      }
      return new Ctx(studio, {
        ...facts,
        actor: { ...identity, customer: null, staff: acting?.staff ? withRightsOfReception(acting.staff) : null, sharedDevice },
      })
    },
    close() {
      principals.close()
      devices.close()
      keys.close()
    },
  }
}

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) throw new Refusal('INVALID_INPUT', { header: 'Idempotency-Key' })
  return header
}

type Event = Parameters<Parameters<Studio['events']['listen']>[0]>[0]

/** Caches the results of `read` until an event changes them: `changed` returns the key of the outdated one, or 'all'. */
function cacheUntilChanged<T>(
  studio: Studio,
  read: (key: string) => Promise<T>,
  changed: (event: Event) => { key: string } | 'all' | null,
) {
  const cached = new Map<string, { until: number; found: Promise<T> }>()
  const quiet = studio.events.listen((event) => {
    const what = event.topic === 'missed' ? 'all' : changed(event)
    if (what === 'all') cached.clear()
    else if (what) cached.delete(what.key)
  })
  return {
    of(key: string): Promise<T> {
      const now = performance.now()
      const ready = cached.get(key)
      if (ready && ready.until > now) return ready.found
      if (cached.size > MAX_PRINCIPALS) cached.clear()
      const found = read(key)
      cached.set(key, { until: now + PRINCIPAL_SECONDS * 1000, found })
      found.catch(() => cached.delete(key))
      return found
    },
    close: quiet,
  }
}
