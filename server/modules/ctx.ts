/** What every verb is given: who asks, when, under which settings, and the ways to read, write and reach the outside. */
import { type Access, isStaffAccess, rightOf } from '#contract/endpoint.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Right, Role } from '#contract/rights.ts'
import type { Settings } from '#contract/settings.ts'
import { studioZone } from '#contract/settings.ts'
import type { FilesPort } from '#server/adapters/files/port.ts'
import type { IdentityPort } from '#server/adapters/identity/port.ts'
import type { MailPort } from '#server/adapters/mail/port.ts'
import type { PaymentGateway } from '#server/adapters/payments/port.ts'
import type { WhatsAppPort } from '#server/adapters/whatsapp/port.ts'
import { type AuditEntry, writeAudit } from '#server/platform/audit.ts'
import type { Db, Reader, Tx } from '#server/platform/db.ts'
import { outsideOnly } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import { once } from '#server/platform/idempotency.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import type { Signer } from '#server/platform/signing.ts'
import { addressGroup, type Limit, throttle, uncount } from '#server/platform/throttle.ts'

/** The outside world, behind ports. */
export interface Ports {
  files: FilesPort
  identity: IdentityPort
  mail: MailPort
  whatsapp: WhatsAppPort
  /** The gateway of a purchase by its id, e.g. `sandbox`, `efectivo`. */
  gateways: ReadonlyMap<string, PaymentGateway>
  /** The gateway that new card payments use; null in a studio that takes none. */
  cards: PaymentGateway | null
  /** The gateway of the wallet, where there is one. */
  wallet: PaymentGateway | null
}

/** Everything that one studio's processes share; `server/studio.ts` builds it. No module keeps state of its own. */
export interface Studio {
  db: Db
  events: Events
  jobs: Jobs
  ports: Ports
  log: Log
  /** Signs the links in messages. */
  signer: Signer
  publicUrl: string
  /** The present settings; kept fresh by events. */
  settings(): Settings
  /** Calls back once changed settings have been read; answers how to stop. What is kept of settings ends then, not with the event. */
  onSettings(hear: () => void): () => void
  /** Reads the settings again now: whoever changed them sees them with the answer, not a moment after it. */
  refreshSettings(): Promise<void>
  clock(): Date
  /** Whether this process may use caches (tests of uncached paths switch it off). */
  cacheSeconds: number
}

/** Who is asking. */
export type Actor =
  | { kind: 'visitor' }
  /** `token`: the ID token itself, for the few things that an identity service asks it for. Never stored, never logged. */
  | {
      kind: 'identity'
      uid: string
      email: string
      emailVerified: boolean
      token?: string
      /** The session of the token, where its issuer says. */
      session?: string | null
      /** Whether the sign-in proved a second factor too. */
      secondFactor?: boolean
      /** When the person last proved who they are. */
      authTime?: Date
      customer: CustomerPrincipal | null
      /** Null for who is none of the staff, or may not act as such yet. */
      staff: StaffPrincipal | null
      /** One of the staff who still has to prove a second factor (`staff_second_factor_required`, P17): nobody for now. */
      staffToVerify?: StaffPrincipal | null
    }
  | { kind: 'system'; job: string }

export interface CustomerPrincipal {
  customer_id: number
  email: string
  name: string
}
export interface StaffPrincipal {
  staff_id: number
  role: Role
  name: string
  instructor_id: number | null
  /** What the person may do: those of the role, with what was added and without what was removed. */
  rights: ReadonlySet<Right>
  /** Where the person works; null = everywhere. */
  location_ids: readonly number[] | null
}

/** As long as the identity service asks for its own changes (server/adapters/identity/service.ts). */
const RECENT_SIGN_IN_MS = 300_000

export class Ctx {
  readonly studio: Studio
  readonly actor: Actor
  /** Fixed for the whole request. */
  readonly now: Date
  readonly settings: Settings
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** Whom limits count: an IPv4 address, or the /64 of an IPv6 one. */
  readonly ip: string

  constructor(studio: Studio, facts: { actor: Actor; requestId?: string; idempotencyKey?: string | null; ip?: string }) {
    this.studio = studio
    this.actor = facts.actor
    this.now = studio.clock()
    this.settings = studio.settings()
    this.requestId = facts.requestId ?? '-'
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.ip = facts.ip ? addressGroup(facts.ip) : '-'
  }

  /** The studio's zone; a class or a location may have its own. */
  get zone(): string {
    return studioZone(this.settings)
  }

  /** The signed-in customer. Endpoints with `customer` access always have one. */
  get customer(): CustomerPrincipal {
    if (this.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
    if (!this.actor.customer) throw noCustomer(this.actor)
    return this.actor.customer
  }

  /** The signed-in customer, or null for a visitor or somebody of the staff without a customer. */
  get customerOrNull(): CustomerPrincipal | null {
    return this.actor.kind === 'identity' ? this.actor.customer : null
  }

  get staff(): StaffPrincipal | null {
    return this.actor.kind === 'identity' ? this.actor.staff : null
  }

  /** Whether this actor has a right of the staff; the system has all of them. */
  may(right: Right): boolean {
    return whyNotAllowed(`staff:${right}`, this.actor) === null
  }

  /** FORBIDDEN with `needs`, SECOND_FACTOR_REQUIRED: a right that only some calls of an endpoint need. */
  require(right: Right): void {
    const no = whyNotAllowed(`staff:${right}`, this.actor)
    if (no) throw no
  }

  /** Where this actor works; null = everywhere. */
  get locationIds(): readonly number[] | null {
    return this.staff?.location_ids ?? null
  }

  /** Whether something of this location is this actor's to see. */
  worksAt(location_id: number): boolean {
    return this.locationIds?.includes(location_id) ?? true
  }

  /** FORBIDDEN with `needs` and `location_id` for staff who do not work there. */
  requireLocation(needs: Right, location_id: number): void {
    if (!this.worksAt(location_id)) throw refuse('FORBIDDEN', { needs, location_id })
  }

  /** For reading outside a transaction. */
  get db(): Reader {
    return this.studio.db.read
  }

  /** The outside world; closed inside a transaction. */
  get ports(): Ports {
    outsideOnly('A port')
    return this.studio.ports
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.studio.db.tx(work)
  }

  /** One transaction whose effect happens once per `Idempotency-Key` of this person. The answer must be plain JSON. */
  once<T>(operation: string, input: unknown, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
    const ask = { actor: this.actor.uid, key: this.idempotencyKey, operation, input, now: this.now }
    return this.tx((tx) => once(tx, ask, () => work(tx)))
  }

  /** Leaves a row in the audit trail, in the transaction of what is told. */
  audit(tx: Tx, entry: Pick<AuditEntry, 'action' | 'entity' | 'entity_id' | 'before' | 'after' | 'reason'>): Promise<void> {
    const { actor } = this
    const who =
      actor.kind === 'system'
        ? { actor: `system:${actor.job}`, actor_id: null }
        : actor.kind === 'visitor'
          ? { actor: 'visitor', actor_id: null }
          : actor.staff
            ? { actor: `staff:${actor.staff.role}`, actor_id: actor.staff.staff_id }
            : { actor: 'customer', actor_id: actor.customer?.customer_id ?? null }
    return writeAudit(tx, { at: this.now, request_id: this.requestId, ...who, ...entry })
  }

  /** Refuses with RECENT_SIGN_IN_REQUIRED unless the person proved who they are in the last five minutes: a device left open must not do this. */
  requireRecentSignIn(): void {
    const at = this.actor.kind === 'identity' ? this.actor.authTime : undefined
    if (!at || this.now.getTime() - at.getTime() > RECENT_SIGN_IN_MS) throw refuse('RECENT_SIGN_IN_REQUIRED')
  }

  throttle(limit: Limit): Promise<void> {
    return throttle(this.studio.db, limit, this.now)
  }

  /** Takes back what `throttle` counted for this request. */
  uncount(limit: Limit): Promise<void> {
    return uncount(this.studio.db, limit)
  }
}

/** NO_CUSTOMER. Somebody of the staff is told so by their role: theirs is no sign-up that was cut off. */
export const noCustomer = (actor: Actor): Refusal =>
  refuse('NO_CUSTOMER', actor.kind === 'identity' ? roleIn(actor.staff ?? actor.staffToVerify) : {})

const roleIn = (staff: StaffPrincipal | null | undefined) => (staff ? { role: staff.role } : {})

/**
 * Why this actor may not call an endpoint with this access; null when it may. FORBIDDEN names the right that is missing (`needs`), whatever else
 * the call is about.
 */
export function whyNotAllowed(access: Access, actor: Actor): Refusal | null {
  if (access === 'public' || access === 'optional') return null
  if (actor.kind === 'system') return null
  if (actor.kind === 'visitor') return refuse('UNAUTHENTICATED')
  if (access === 'identity') return null
  if (!isStaffAccess(access)) return actor.customer ? null : noCustomer(actor)
  const needs = rightOf(access)
  const has = (staff: StaffPrincipal | null | undefined) => Boolean(staff && (needs === null || staff.rights.has(needs)))
  if (has(actor.staff)) return null
  if (has(actor.staffToVerify)) return refuse('SECOND_FACTOR_REQUIRED')
  return refuse('FORBIDDEN', needs === null ? {} : { needs })
}
