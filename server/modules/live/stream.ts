/**
 * The stream of events of the administration: `GET /admin/live?ticket=` (docs/domain.md Z9 to Z11). Changes are gathered for a moment, the
 * location of each is read once per process, and it is sent to the staff who may read it there.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { AuditEntity } from '#contract/copy/audit-entities.ts'
import { refuse } from '#contract/errors.ts'
import type { LiveEventName, LiveEvents } from '#contract/live.ts'
import type { Right } from '#contract/rights.ts'
import { type LiveClass, watchClasses } from '#server/modules/bookings/bookings.ts'
import type { Studio } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { EventStreams } from '#server/platform/event-streams.ts'
import type { BusEvent } from '#server/platform/events.ts'
import { getPresence, type Redeemed, redeemTicket } from './live.ts'
import { type Located, listCashSessionLocations, listPurchaseLocations, listReservationClasses, listSaleLocations } from './store.ts'

const GATHER_MS = 150
/** A stream ends after this time, so that its person is checked again. */
const MAX_AGE_MS = 30 * 60_000
const UPKEEP_MS = 15_000

const ticketQuery = z.object({ ticket: z.string().max(200) })

interface Viewer extends Redeemed {
  /** ms; when the stream ends. */
  until: number
}

/** Topics that are gathered for a moment and then sent. */
const GATHERED: ReadonlySet<BusEvent['topic']> = new Set<BusEvent['topic']>(['class', 'purchase', 'record', 'catalogue'])

/** Entities of the lists that packages, prices and the timetable are made of. */
const CATALOGUE: ReadonlySet<AuditEntity> = new Set<AuditEntity>([
  ...(['class_package', 'discount', 'product', 'class_type', 'class_category', 'instructor', 'location', 'tag', 'payment_method'] as const),
])

const mayAny =
  (...rights: Right[]) =>
  ({ staff }: Viewer): boolean =>
    rights.some((right) => staff.rights.has(right))

/** Whether the viewer may see what belongs to this location; null belongs to none. */
const isAt =
  (location_id: number | null) =>
  ({ staff }: Viewer): boolean =>
    location_id === null || (staff.location_ids?.includes(location_id) ?? true)

/** Sends the changes of a studio to its open administrations. */
class LiveFeed {
  readonly #studio: Studio
  readonly #streams = new EventStreams<Viewer>((viewer) => this.#leaveScreens(viewer))
  readonly #endings: (() => void)[]
  #changes = new Map<string, BusEvent>()
  #gathering: NodeJS.Timeout | undefined

  constructor(studio: Studio) {
    this.#studio = studio
    const upkeep = setInterval(() => this.#upkeep(), UPKEEP_MS)
    upkeep.unref()
    this.#endings = [
      () => clearInterval(upkeep),
      studio.events.listen((event) => this.#receive(event)),
      studio.onSettings(() => this.#send('settings', {}, () => true)),
      watchClasses(
        studio,
        () => this.#streams.size > 0,
        (live, { location_id }) => this.#sendClass(live, location_id),
      ),
    ]
  }

  async open(req: FastifyRequest, reply: FastifyReply, ticket: string): Promise<FastifyReply> {
    const redeemed = await redeemTicket(this.#studio, ticket)
    return this.#streams.open(req, reply, { ...redeemed, until: this.#studio.clock().getTime() + MAX_AGE_MS })
  }

  close(): void {
    for (const end of this.#endings) end()
    clearTimeout(this.#gathering)
    this.#streams.close()
  }

  #send<Name extends LiveEventName>(name: Name, data: LiveEvents[Name], fits: (viewer: Viewer) => boolean): void {
    this.#streams.send(name, data, fits)
  }

  #sendClass(live: LiveClass, location_id: number): void {
    const isHere = isAt(location_id)
    const fits = mayAny('roster.all', 'classes.own')
    this.#send('class', live, (viewer) => fits(viewer) && isHere(viewer))
  }

  #upkeep(): void {
    const now = this.#studio.clock()
    for (const link of getPresence(this.#studio).expire(now)) this.#sendPresence(link)
    this.#streams.end(({ until }) => until <= now.getTime())
  }

  /** Removes a person without any stream from their screens; a stream on another process reports them again. */
  #leaveScreens({ staff: { staff_id, name } }: Viewer): void {
    if (this.#streams.viewers.some(({ staff }) => staff.staff_id === staff_id)) return
    const links = getPresence(this.#studio).linksOf(staff_id)
    if (links.length > 0) this.#studio.events.publish(links.map((link) => ({ topic: 'presence', staff_id, name, link, here: false })))
  }

  #sendJob({ bulk_job_id, staff_id, state, done, total }: Extract<BusEvent, { topic: 'job' }>): void {
    this.#send('job', { job_id: bulk_job_id, state, done, total }, ({ staff }) => staff.staff_id === staff_id)
  }

  /** Sends each viewer of the screen the names of the others. */
  #sendPresence(link: string): void {
    const presence = getPresence(this.#studio)
    for (const { staff } of this.#streams.viewers) {
      if (!presence.has(link, staff.staff_id)) continue
      const names = presence.namesOf(link, staff.staff_id)
      this.#send('presence', { link, names }, (viewer) => viewer.staff.staff_id === staff.staff_id)
    }
  }

  #receive(event: BusEvent): void {
    if (event.topic === 'presence') {
      if (getPresence(this.#studio).record(event, this.#studio.clock())) this.#sendPresence(event.link)
      return
    }
    if (this.#streams.size === 0) return
    if (event.topic === 'job') this.#sendJob(event)
    else if (event.topic === 'missed') this.#send('reload', {}, () => true)
    // A change of rights ends the stream: the next ticket has the new ones, or is refused.
    else if (event.topic === 'people') this.#streams.end(({ uid }) => event.uid === undefined || event.uid === uid)
    // The person of a shared device may have changed, and a key may be revoked: valid ones get another ticket.
    else if (event.topic === 'shared_device') this.#streams.end(({ via }) => via === 'device')
    else if (event.topic === 'api_key') this.#streams.end(({ via }) => via === 'key')
    else if (GATHERED.has(event.topic)) {
      this.#changes.set(JSON.stringify(event), event)
      this.#gathering ??= setTimeout(() => void this.#sendChanges(), GATHER_MS)
    }
  }

  async #sendChanges(): Promise<void> {
    this.#gathering = undefined
    const changes = [...this.#changes.values()]
    this.#changes = new Map()
    try {
      await Promise.all([
        this.#sendSchedule(changes),
        this.#sendRoster(changes),
        this.#sendRecords(changes),
        this.#sendLocated('sale', 'sale_id', idsOf(changes, 'sale'), listSaleLocations, mayAny('sales.sell')),
        this.#sendLocated(
          'cash_session',
          'cash_session_id',
          idsOf(changes, 'cash_session'),
          listCashSessionLocations,
          mayAny('cash.session', 'cash.review'),
        ),
        this.#sendLocated('purchase', 'purchase_id', purchasesIn(changes), listPurchaseLocations, mayAny('sales.sell')),
      ])
    } catch (error) {
      this.#studio.log.error({ error }, 'live.admin_update_failed')
      this.#send('reload', {}, () => true)
    }
  }

  #sendSchedule(changes: readonly BusEvent[]): void {
    const ids = new Set(idsOf(changes, 'single_class'))
    for (const change of changes) if (change.topic === 'class' && change.only !== 'places') ids.add(change.single_class_id)
    if (ids.size > 0) this.#send('schedule', { single_class_ids: [...ids] }, mayAny('roster.all', 'classes.own', 'schedule.edit'))
  }

  async #sendRoster(changes: readonly BusEvent[]): Promise<void> {
    const ids = idsOf(changes, 'class_reservation')
    if (ids.length === 0) return
    const fits = mayAny('roster.all', 'classes.own')
    for (const row of await listReservationClasses(this.#studio.db.read, ids)) this.#send('roster', row, fits)
  }

  /** What has no location. */
  #sendRecords(changes: readonly BusEvent[]): void {
    const entities = new Set(changes.map((change) => (change.topic === 'record' ? change.entity : null)))
    for (const customer_id of idsOf(changes, 'customer')) this.#send('customer', { customer_id }, mayAny('customers.read'))
    if (entities.has('task')) this.#send('task', {}, mayAny('roster.all'))
    const hasCatalogue =
      changes.some(({ topic }) => topic === 'catalogue') || [...entities].some((entity) => entity !== null && CATALOGUE.has(entity))
    if (hasCatalogue) this.#send('catalogue', {}, () => true)
  }

  async #sendLocated<Name extends 'sale' | 'cash_session' | 'purchase'>(
    name: Name,
    field: keyof LiveEvents[Name] & string,
    ids: number[],
    locate: (db: Reader, ids: number[]) => Promise<Located[]>,
    fits: (viewer: Viewer) => boolean,
  ): Promise<void> {
    if (ids.length === 0) return
    for (const { id, location_id } of await locate(this.#studio.db.read, ids)) {
      const isHere = isAt(location_id)
      this.#send(name, { [field]: id } as LiveEvents[Name], (viewer) => fits(viewer) && isHere(viewer))
    }
  }
}

/** The ids of the records of one entity that changed. */
const idsOf = (changes: readonly BusEvent[], entity: AuditEntity): number[] => [
  ...new Set(
    changes
      .map((change) => (change.topic === 'record' && change.entity === entity ? Number(change.entity_id) : Number.NaN))
      .filter(Number.isSafeInteger),
  ),
]

const purchasesIn = (changes: readonly BusEvent[]): number[] => [
  ...new Set([...idsOf(changes, 'purchase'), ...changes.flatMap((change) => (change.topic === 'purchase' ? [change.purchase_id] : []))]),
]

/** `GET /api/admin/live?ticket=`: UNAUTHENTICATED for a ticket that does not hold, BUSY. */
export function registerAdminLive(app: FastifyInstance, studio: Studio): void {
  const feed = new LiveFeed(studio)
  app.get('/api/admin/live', async (req: FastifyRequest, reply: FastifyReply) => {
    const query = ticketQuery.safeParse(req.query)
    if (!query.success || req.method === 'HEAD') throw refuse('UNAUTHENTICATED')
    return feed.open(req, reply, query.data.ticket)
  })
  app.addHook('preClose', async () => feed.close())
}
