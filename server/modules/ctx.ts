/** The request context of every module function: actor, time, settings, and access to the database, transactions and ports. */
import type { AuditAction } from '#contract/copy/audit.ts'
import type { AuditEntity } from '#contract/copy/audit-entities.ts'
import { type Access, isStaffAccess, rightOf } from '#contract/endpoint.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Right, Role } from '#contract/rights.ts'
import type { Settings } from '#contract/settings.ts'
import { studioZone } from '#contract/settings.ts'
import type { FilesPort } from '#server/adapters/files/port.ts'
import type { IdentityPort } from '#server/adapters/identity/port.ts'
import type { MailPort } from '#server/adapters/mail/port.ts'
import type { PacPort } from '#server/adapters/pac/port.ts'
import type { ProcessorCredentials } from '#server/adapters/payments/choose.ts'
import type { PaymentGateway } from '#server/adapters/payments/port.ts'
import type { PushPort } from '#server/adapters/push/port.ts'
import type { WalletKeys, WalletPasses } from '#server/adapters/wallet-passes/port.ts'
import type { WebhookPort } from '#server/adapters/webhooks/port.ts'
import type { WhatsAppPort } from '#server/adapters/whatsapp/port.ts'
import { type AuditEntry, writeAudit } from '#server/platform/audit.ts'
import type { Db, Reader, Tx } from '#server/platform/db.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import type { Signer } from '#server/platform/signing.ts'
import { addressGroup, type Limit, returnAttempt, throttle } from '#server/platform/throttle.ts'
import './topics.ts'

/** The adapters to external services. */
export interface Ports {
  files: FilesPort
  identity: IdentityPort
  mail: MailPort
  whatsapp: WhatsAppPort
  push: PushPort
  webhooks: WebhookPort
  /** The provider that stamps new invoices; null in a studio that cannot invoice. */
  pac: PacPort | null
  /** All providers that stamped documents, by the id that is stored with them. */
  pacs: ReadonlyMap<string, PacPort>
  /** Gateways by id, e.g. `sandbox`, `efectivo`; a purchase stores the id of its gateway. */
  gateways: ReadonlyMap<string, PaymentGateway>
  /** The gateway that new card payments use; null in a studio that takes none. */
  cards: PaymentGateway | null
  /** The gateway of the wallet, where there is one. */
  wallet: PaymentGateway | null
  /** The wallets of phones. */
  passes: WalletPasses
  /** What is configured of each processor, without its keys. */
  credentials: readonly ProcessorCredentials[]
  /**
   * The last characters of the processors', wallets' and stamping provider's keys that the environment sets, by variable: these win
   * over typed ones.
   */
  keysOfEnvironment: ReadonlyMap<string, string>
  /** The environment sets the processor of new cards: typed keys do not change it. */
  isTakerOfEnvironment: boolean
}

/** The services of one studio in this process; `server/studio.ts` builds it. Modules have no state of their own. */
export interface Studio {
  db: Db
  events: Events
  jobs: Jobs
  ports: Ports
  log: Log
  /** Encrypts a processor's key for its row. */
  sealProcessorKey(name: string, plain: string): string
  /** Encrypts and decrypts the private key of a certificate of digital seal, by the certificate's number. */
  sealFiscalKey(number: string, plain: string): string
  openFiscalKey(number: string, sealed: string): string
  /** The wallets' keys in use, to check another one with them. Never log, send or keep these. */
  walletKeys(): WalletKeys
  /** Reads the processors', wallets' and stamping provider's keys again, after they were changed. */
  refreshProcessors(): Promise<void>
  /** Signs the links in messages. */
  signer: Signer
  publicUrl: string
  /** The current settings, from memory; events refresh them. */
  settings(): Settings
  /**
   * Calls the listener once changed settings have been read; returns the function that unsubscribes. Invalidate caches of settings here,
   * not on the event: at the event the new values have not been read yet.
   */
  onSettings(listener: () => void): () => void
  /** Reads the settings again now, so that the response to a change already uses the new values. */
  refreshSettings(): Promise<void>
  /** Whether a customer belongs to a segment at this moment. Segments belong to a module above those that ask. */
  isInSegment(ctx: Ctx, of: { segment_id: number; customer_id: number }, on: Reader): Promise<boolean>
  clock(): Date
  /** How long reads may be cached, in seconds; 0 = no caching (tests of uncached paths). */
  cacheSeconds: number
}

/** The caller: a visitor, a signed-in person, or a job of the system. */
export type Actor =
  | { kind: 'visitor' }
  /** `token`: the ID token, for the few calls of an identity service that require it. Never stored, never logged. */
  | {
      kind: 'identity'
      uid: string
      email: string
      emailVerified: boolean
      token?: string
      /** The token's session id, if its issuer states one. */
      session?: string | null
      /** Whether the sign-in proved a second factor too. */
      secondFactor?: boolean
      /** When the person last signed in or confirmed their password. */
      authTime?: Date
      customer: CustomerPrincipal | null
      /** Null for a person who is not staff, or may not act as staff yet. */
      staff: StaffPrincipal | null
      /** A staff member who still has to prove a second factor (`staff_second_factor_required`, P17); has no rights until then. */
      staffToVerify?: StaffPrincipal | null
      /** On a shared device: `staff` is the person of the PIN, null while it waits for one (E15). There is no customer. */
      sharedDevice?: SharedDevice | null
      /** A program that calls with an API key: `staff` is the creator of the key, with the rights of the key (I2). There is no customer. */
      apiKey?: ApiKeyPrincipal | null
    }
  | { kind: 'system'; job: string }

/** A program that calls with an API key. */
export interface ApiKeyPrincipal {
  api_key_id: number
  name: string
}

/** A session that several staff members use by their PIN. */
export interface SharedDevice {
  shared_device_id: number
  /** The account that signed in with email and password. */
  signedInStaffId: number
  /** The account of the person of the PIN; null while the device waits for one. */
  actingUid: string | null
  /** In kiosk mode: the staff member who started it, and its location (Q8). All actions on the device are theirs meanwhile. */
  kiosk: { staff: StaffPrincipal; location_id: number | null } | null
}

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

/** The same limit as the identity service applies to its own changes (server/adapters/identity/service.ts). */
const RECENT_SIGN_IN_MS = 300_000

export class Ctx {
  readonly studio: Studio
  readonly actor: Actor
  /** Fixed for the whole request. */
  readonly now: Date
  readonly settings: Settings
  readonly requestId: string
  readonly idempotencyKey: string | null
  /** Set by `once`: the request may be refused with IDEMPOTENCY_KEY_REUSED, which its contract has to declare. */
  runsOnce = false
  /** The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address. */
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

  /** The signed-in customer, or null for a visitor and for staff without a customer row. */
  get customerOrNull(): CustomerPrincipal | null {
    return this.actor.kind === 'identity' ? this.actor.customer : null
  }

  /** The shared device of this session; null on a person's own. */
  get sharedDevice(): SharedDevice | null {
    return (this.actor.kind === 'identity' && this.actor.sharedDevice) || null
  }

  /**
   * The account of the acting person: on a shared device that of the PIN, never that of the session. Null for visitors and the system, and
   * while such a device waits for a PIN.
   */
  get actingUid(): string | null {
    if (this.actor.kind !== 'identity') return null
    return this.sharedDevice ? this.sharedDevice.actingUid : this.actor.uid
  }

  /** DEVICE_SHARED on a shared device, FORBIDDEN with an API key: for what concerns the account that is signed in. */
  requireOwnDevice(): void {
    if (this.sharedDevice) throw refuse('DEVICE_SHARED')
    if (this.actor.kind === 'identity' && this.actor.apiKey) throw refuse('FORBIDDEN')
  }

  get staff(): StaffPrincipal | null {
    return this.actor.kind === 'identity' ? this.actor.staff : null
  }

  /** The same request as another staff member: on a kiosk, the one who started it. */
  asStaff(staff: StaffPrincipal): Ctx {
    if (this.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
    const { requestId, idempotencyKey, ip } = this
    return new Ctx(this.studio, { actor: { ...this.actor, staff }, requestId, idempotencyKey, ip })
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

  /** Whether this actor may see data of this location. */
  worksAt(location_id: number): boolean {
    return this.locationIds?.includes(location_id) ?? true
  }

  /** FORBIDDEN with `needs` and `location_id` for staff who do not work there. */
  requireLocation(needs: Right, location_id: number): void {
    if (!this.worksAt(location_id)) throw refuse('FORBIDDEN', { needs, location_id })
  }

  /** FORBIDDEN for staff of some locations only: for data of all locations. */
  requireEverywhere(): void {
    if (this.locationIds !== null) throw refuse('FORBIDDEN')
  }

  /** For reading outside a transaction. */
  get db(): Reader {
    return this.studio.db.read
  }

  /** The adapters to external services. Throws inside a transaction: an external call must not prolong it. */
  get ports(): Ports {
    assertNotInTransaction('A port')
    return this.studio.ports
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.studio.db.tx(work)
  }

  /** Runs a transaction once per person and `Idempotency-Key`; a repeated request gets the stored result, which must be plain JSON. */
  once<T>(operation: string, input: unknown, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.onceAfter(operation, input, async () => {}, work)
  }

  /** The same, with the first statements of the work, which only read and lock, pipelined with that of the key: one round trip less. */
  onceAfter<T, First>(
    operation: string,
    input: unknown,
    first: (tx: Tx) => Promise<First>,
    work: (tx: Tx, first: First) => Promise<T>,
  ): Promise<T> {
    if (this.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
    this.runsOnce = true
    const request = { actor: this.actingUid ?? this.actor.uid, key: this.idempotencyKey, operation, input, now: this.now }
    return this.tx((tx) =>
      runOnce(
        tx,
        request,
        (found: First) => work(tx, found),
        () => first(tx),
      ),
    )
  }

  /**
   * Writes a row of the audit trail, in the transaction of the change that it records. Values of secret fields are left out
   * (`withoutSecrets`); for answers of a form the caller passes the names of the fields, never the answers. After the commit open screens
   * of the administration get an event with the record.
   */
  audit(
    tx: Tx,
    {
      by,
      ...entry
    }: Pick<AuditEntry, 'entity_id' | 'before' | 'after' | 'reason'> & {
      action: AuditAction
      entity: AuditEntity
      /** The author, where the acting account is not yet or no longer the actor of the request. */
      by?: Pick<StaffPrincipal, 'staff_id' | 'role'>
    },
  ): Promise<void> {
    const { actor } = this
    const recordedActor = by
      ? { actor: `staff:${by.role}`, actor_id: by.staff_id }
      : actor.kind === 'system'
        ? { actor: `system:${actor.job}`, actor_id: null }
        : actor.kind === 'visitor'
          ? { actor: 'visitor', actor_id: null }
          : actor.apiKey
            ? { actor: 'api_key', actor_id: actor.apiKey.api_key_id }
            : actor.staff
              ? { actor: `staff:${actor.staff.role}`, actor_id: actor.staff.staff_id }
              : { actor: 'customer', actor_id: actor.customer?.customer_id ?? null }
    tx.notify({ topic: 'record', entity: entry.entity, entity_id: entry.entity_id })
    return writeAudit(tx, { at: this.now, request_id: this.requestId, ...recordedActor, ...entry })
  }

  /**
   * Refuses with RECENT_SIGN_IN_REQUIRED unless the person signed in or confirmed their password in the last five minutes: a device left
   * open must not be enough. Always refused on a shared device, where another account may have signed in.
   */
  requireRecentSignIn(): void {
    const at = this.actor.kind === 'identity' ? this.actor.authTime : undefined
    if (!at || this.sharedDevice || this.now.getTime() - at.getTime() > RECENT_SIGN_IN_MS) throw refuse('RECENT_SIGN_IN_REQUIRED')
  }

  throttle(limit: Limit): Promise<void> {
    return throttle(this.studio.db, limit, this.now)
  }

  /** Takes back what `throttle` counted for this request. */
  uncount(limit: Limit): Promise<void> {
    return returnAttempt(this.studio.db, limit)
  }
}

/** NO_CUSTOMER. For staff it carries their role, so that the page does not offer to finish a sign-up. */
export const noCustomer = (actor: Actor): Refusal =>
  refuse('NO_CUSTOMER', actor.kind === 'identity' ? roleIn(actor.staff ?? actor.staffToVerify) : {})

const roleIn = (staff: StaffPrincipal | null | undefined) => (staff ? { role: staff.role } : {})

/**
 * Why this actor may not call an endpoint with this access; null when it may. FORBIDDEN names the right that is missing (`needs`), whatever
 * else the call is about.
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
  if (actor.sharedDevice && !actor.staff) return access === 'staff-session' ? null : refuse('DEVICE_LOCKED')
  return refuse('FORBIDDEN', needs === null ? {} : { needs })
}
