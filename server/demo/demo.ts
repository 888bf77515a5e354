/**
 * The first data of a studio: a whole demo studio around today, or the first owner of a real one. Called at every start; an existing demo
 * only gets the calendar days that it lacks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, desc, eq, inArray, isNull, like, sql } from 'drizzle-orm'
import { addDays, type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import { PASSWORD_LINK_MS } from '#server/adapters/identity/emails.ts'
import type { Config } from '#server/config.ts'
import { ensurePaymentMethods } from '#server/modules/catalogue/catalogue.ts'
import { classPackage, classType, instructor, location } from '#server/modules/catalogue/tables.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { isOwned } from '#server/modules/people/people.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { changeSettings } from '#server/modules/settings/settings.ts'
import { claimLink, createFirstOwner } from '#server/modules/team/first-owner.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { audit } from '#server/platform/tables.ts'
import type { Brand, DemoLogin } from './brand.ts'
import { payByCard } from './cards.ts'
import { writeCare } from './care.ts'
import { Chance } from './chance.ts'
import { Crowd, habits, type Patron } from './crowd.ts'
import { fragua } from './fragua.ts'
import { withoutTriggers, writeHistory, yearOf } from './history.ts'
import { pastLives } from './lives.ts'
import { makeCatalogue, makeContent, makePeople, makeStaff, reservationsOfPeople, sanitizeTexts, type Uids } from './make.ts'
import { INVENTED } from './names.ts'
import { writePay } from './pay.ts'
import { makePhotos } from './photos.ts'
import { closedOn, withSeasons } from './season.ts'
import { seedHistory } from './story.ts'
import { planSubstitutions, planWaitlists, profileOf, writeStudioLife } from './studio-life.ts'
import { vaiven } from './vaiven.ts'
import { makeVideos } from './videos.ts'
import { classesBetween, daysAround, WEEKS_OF_HISTORY, withStory, zoneOfBrand } from './week.ts'
import { type BrandIds, writeClasses, writeCrowd } from './write.ts'

const brands = { vaiven, fragua }

/** An account that the program prints at start. */
export interface Login {
  role: string
  email: string
  password: string
}

/** The audit row of a demo: its brand, the ids of its records, and the last day that has classes. */
interface Trace {
  brand: Brand['key']
  made: BrandIds
  until: LocalDate
  /** Whether it has a year of history, and closed days. */
  history?: true
}

const SEED = 'demo.seed'
const TOP_UP = 'demo.top_up'
/** Advisory lock: of two processes that start at the same time, one creates the demo. */
const LOCK = 271_828_182

const asDemo = (studio: Studio) => new Ctx(studio, { actor: { kind: 'system', job: 'demo' } })

/**
 * Creates the demo studio `brand` in an empty database, or adds the calendar days that an existing demo lacks. Returns the accounts of the
 * existing demo; none for the database of a real studio, which is never changed. `history`: with a year before today.
 */
export async function seedDemo(studio: Studio, brand: Brand['key'], { history = false } = {}): Promise<Login[]> {
  const ctx = asDemo(studio)
  const trace = await findTrace(ctx.db)
  if (trace) {
    if (trace.brand !== brand)
      studio.log.warn(
        { wanted: brand, existing: trace.brand, hint: 'npm run db:reset makes room for another one' },
        'demo.other_studio_exists',
      )
    await topUp(ctx, trace)
    await makeVideos(ctx, brands[trace.brand], trace.made, roomy)
    await makePhotos(ctx, brands[trace.brand], trace.made, roomy)
    return loginsOf(brands[trace.brand])
  }
  if (await isInUse(ctx.db)) {
    studio.log.warn({ wanted: brand, hint: 'start with DEMO=off' }, 'demo.database_in_use')
    return []
  }
  await make(ctx, brands[brand], history)
  const fresh = await findTrace(ctx.db)
  if (fresh) {
    await makeVideos(ctx, brands[fresh.brand], fresh.made, roomy)
    await makePhotos(ctx, brands[fresh.brand], fresh.made, roomy)
  }
  // Thousands of rows at once: without statistics the planner takes the tables for empty until autovacuum has been there.
  await ctx.tx(async (tx) => {
    await roomy(tx)
    await tx.execute(sql`analyze`)
  })
  return loginsOf(brands[brand])
}

/**
 * Prepares a real studio: its payment methods and, with `OWNER_EMAIL`, the owner's account and an email with a link to set a password. An
 * email that is already registered never becomes the owner automatically (P6).
 */
export async function firstOwner(studio: Studio, config: Pick<Config, 'OWNER_EMAIL'>): Promise<boolean> {
  const ctx = asDemo(studio)
  await ctx.tx(ensurePaymentMethods)
  const email = config.OWNER_EMAIL?.toLowerCase()
  if (!email || (await isOwned(ctx.db))) return false
  if (!(await createFirstOwner(ctx, { email, name: email.split('@')[0] ?? email }))) {
    if (!(await isOwned(ctx.db)))
      studio.log.error({ email, hint: 'OWNER_EMAIL has an account here already; use another address' }, 'owner.email_taken')
    return false
  }
  await ctx.ports.identity.sendPasswordLink(email)
  return true
}

/**
 * The link with which the first owner sets a password, while it is valid. Without a mail server the email would not arrive, so the program
 * prints the link at start. `wait`: it was requested just now, and a job is creating it. Null when emails are sent.
 */
export async function ownerLink(studio: Studio, config: Pick<Config, 'OWNER_EMAIL'>, wait: boolean): Promise<string | null> {
  const email = config.OWNER_EMAIL?.toLowerCase()
  if (!email || !studio.ports.mail.listStored) return null
  for (let tries = wait ? 40 : 1; tries > 0; tries--) {
    const { mails } = await studio.ports.mail.listStored({ number: 1, size: 50 })
    const since = studio.clock().getTime() - PASSWORD_LINK_MS
    const links = mails
      .filter((mail) => mail.to === email && mail.createdAt.getTime() > since)
      .flatMap(({ text }) => /https?:\S+mode=resetPassword\S+/.exec(text) ?? [])
    if (links[0]) return links[0]
    if (tries > 1) await sleep(250)
  }
  return null
}

/** The link that claims a studio without an owner; null: it has one. */
export const newStudioLink = (studio: Studio): Promise<string | null> => claimLink(asDemo(studio))

function loginsOf(brand: Brand): Login[] {
  const rows: [string, DemoLogin][] = [
    ['propietaria', brand.owner],
    ['gerencia', brand.manager],
    ['recepción', brand.reception],
    ['coach', brand.coach],
    ['con clases', brand.regular],
    ['sin clases', brand.newcomer],
  ]
  return rows.map(([role, { email, password }]) => ({ role, email, password }))
}

async function findTrace(db: Reader): Promise<Trace | null> {
  const rows = await db
    .select({ after: audit.after })
    .from(audit)
    .where(and(eq(audit.entity, 'demo'), inArray(audit.action, [SEED, TOP_UP])))
    .orderBy(desc(audit.audit_id))
    .limit(1)
  return (rows[0]?.after as Trace | undefined) ?? null
}

async function isInUse(db: Reader): Promise<boolean> {
  const counts = await Promise.all([customer, staff, location, classType, classPackage].map((table) => db.$count(table)))
  return counts.some((count) => count > 0)
}

const remember = (ctx: Ctx, tx: Tx, action: typeof SEED | typeof TOP_UP, trace: Trace) =>
  ctx.audit(tx, { action, entity: 'demo', entity_id: trace.brand, after: trace })

/** Raises the timeouts: one long transaction of a few large statements does not fit the limits of a request. */
async function roomy(tx: Tx): Promise<void> {
  await tx.execute(sql`set local statement_timeout = '60s'`)
  await tx.execute(sql`set local lock_timeout = '60s'`)
  await tx.execute(sql`set local idle_in_transaction_session_timeout = '60s'`)
  // Polls the lock: creating a demo takes longer on a slow machine than one statement may wait.
  for (let tries = 600; tries > 0; tries--) {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as mine`)
    if (rows[0]?.mine) return
    await sleep(100)
  }
  throw new Error('Another process has been making the demo for a minute.')
}

async function make(ctx: Ctx, brand: Brand, withHistory: boolean): Promise<void> {
  const account = async (login: DemoLogin) => (await ctx.ports.identity.createAccount({ ...login, emailVerified: true })).uid
  const uids = {
    owner: await account(brand.owner),
    manager: await account(brand.manager),
    reception: await account(brand.reception),
    coach: await account(brand.coach),
    regular: await account(brand.regular),
    newcomer: await account(brand.newcomer),
  }
  await changeSettings(ctx, brand.settings)
  const byCard = ctx.ports.cards?.id === 'sandbox'
  const texts = await sanitizeTexts(brand)
  await ctx.tx(async (tx) => {
    await roomy(tx)
    if (await findTrace(tx)) return
    await ensurePaymentMethods(tx)
    const brandIds = await makeCatalogue(tx, brand, ctx.now)
    await makeContent(tx, texts, ctx.now)
    await makeStaff(ctx, tx, brand, brandIds, uids)
    if (withHistory) await makeYear(ctx, tx, brand, brandIds, uids, byCard)
    else await makeWeeks(ctx, tx, brand, brandIds, uids, byCard)
    await writeCare(ctx, tx)
    const { until } = daysAround(ctx.now, zoneOfBrand(brand))
    await remember(ctx, tx, SEED, { brand: brand.key, made: brandIds, until, ...(withHistory ? { history: true } : {}) })
    for (const topic of ['content', 'catalogue', 'people'] as const) tx.notify({ topic })
  })
}

/** People, classes and sales of the weeks around today. */
async function makeWeeks(ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, uids: Uids, byCard: boolean): Promise<void> {
  const people = await makePeople(ctx, tx, brand, uids)
  const { from, until } = daysAround(ctx.now, zoneOfBrand(brand))
  const classes = withStory(brand, classesBetween(brand, from, until), ctx.now)
  const chance = new Chance(20_171_118)
  const crowd = new Crowd(brand, chance, ctx.now)
  seedHistory(brand, crowd, classes, people.regular, ctx.now)
  crowd.fill(
    classes,
    people.others.map(({ customer_id, location, since }) => habits(brand, customer_id, location, chance, since)),
  )
  if (byCard) await payByCard(ctx, tx, brand, brandIds, people.regular)
  await writeCrowd(tx, brand, brandIds, crowd, await writeClasses(tx, brandIds, classes, ctx.now), ctx.now)
}

/** The same for a year before today and the weeks after it, with everything that happens in a studio's year. */
async function makeYear(ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, uids: Uids, byCard: boolean): Promise<void> {
  const { now } = ctx
  const zone = zoneOfBrand(brand)
  const { from, until } = daysAround(now, zone, WEEKS_OF_HISTORY)
  const start = startOfDay(from, zone)
  const [chance, profiles] = [new Chance(20_171_118), new Chance(19_571_004)]
  const left = pastLives(brand, new Chance(19_620_330), start, now)
  const people = await makePeople(ctx, tx, brand, uids, { left, profile: () => profileOf(profiles, now) })
  const classes = withSeasons(withStory(brand, classesBetween(brand, from, until), now), localDate(now, zone))
  planSubstitutions(brand, classes, now)
  const crowd = new Crowd(brand, chance, now)
  seedHistory(brand, crowd, classes, people.regular, now)
  const patronOf = ({ customer_id, location, since }: (typeof people.others)[number]) =>
    habits(brand, customer_id, location, chance, since && since > start ? since : null)
  const patrons: Patron[] = [...people.others.map(patronOf), ...people.left.map((person) => ({ ...patronOf(person), until: person.until }))]
  const year = yearOf(brand, crowd, { from: start, now, online: byCard, regular: people.regular })
  year.before(patrons)
  crowd.fill(classes, patrons)
  year.after()
  planWaitlists(classes, crowd, now)
  if (byCard) await payByCard(ctx, tx, brand, brandIds, people.regular)
  await withoutTriggers(tx, async () => {
    const takenByClass = new Map(classes.map((cls) => [cls, cls.capacity - crowd.freeSpots(cls)]))
    const classIds = await writeClasses(tx, brandIds, classes, now, takenByClass)
    const reservationIds = await writeCrowd(tx, brand, brandIds, crowd, classIds, now, writeHistory(ctx, tx, brand, brandIds, crowd))
    await writePay({ tx, brand, brandIds, classes, classIds, crowd, now })
    await writeStudioLife({ tx, brand, brandIds, classes, classIds, crowd, reservationIds, patrons, now })
  })
}

/** Adds the missing days of the calendar, with reservations until now. Records that staff deleted are not created again. */
async function topUp(ctx: Ctx, trace: Trace): Promise<void> {
  const brand = brands[trace.brand]
  const { from, until } = daysAround(ctx.now, zoneOfBrand(brand))
  if (trace.until >= until) return
  await ctx.tx(async (tx) => {
    await roomy(tx)
    const last = await findTrace(tx)
    if (!last || last.until >= until) return
    const { made: brandIds } = last
    const start = addDays(last.until, 1)
    const alive = await living(tx, brandIds)
    const classes = classesBetween(brand, start > from ? start : from, until).filter(
      (cls) =>
        (!last.history || closedOn(cls.date) === null) &&
        alive.has(`type ${cls.type}`) &&
        alive.has(`place ${cls.location}`) &&
        cls.coaches.every((coach) => alive.has(`coach ${coach}`)),
    )
    const chance = new Chance(Date.parse(start) / 86_400_000)
    const crowd = new Crowd(brand, chance, ctx.now)
    const rows = await tx
      .select({ customer_id: customer.customer_id })
      .from(customer)
      .where(and(isNull(customer.uid), isNull(customer.deletedAt), like(customer.email, `%@${INVENTED}`)))
      .orderBy(customer.customer_id)
    const homeLocations = reservationsOfPeople(brand)
    crowd.fill(
      classes,
      // With its history there are also former customers, after all others.
      rows
        .slice(0, homeLocations.length)
        .map(({ customer_id }, i) => habits(brand, customer_id, homeLocations[i % homeLocations.length] ?? '', chance, null)),
    )
    await writeCrowd(tx, brand, brandIds, crowd, await writeClasses(tx, brandIds, classes, ctx.now), ctx.now)
    await remember(ctx, tx, TOP_UP, { ...last, until })
    tx.notify({ topic: 'catalogue' })
  })
}

/** The demo's catalogue records that still exist, as "type reformer", "place roma", "coach renata". */
async function living(tx: Tx, brandIds: BrandIds): Promise<ReadonlySet<string>> {
  const [types, locations, coaches] = [
    await tx.select({ id: classType.class_type_id }).from(classType).where(isNull(classType.deletedAt)),
    await tx.select({ id: location.location_id }).from(location).where(isNull(location.deletedAt)),
    await tx.select({ id: instructor.instructor_id }).from(instructor).where(isNull(instructor.deletedAt)),
  ].map((rows) => new Set(rows.map(({ id }) => id)))
  const existing = (word: string, all: Record<string, number>, ids: ReadonlySet<number> | undefined) =>
    Object.entries(all).flatMap(([key, id]) => (ids?.has(id) ? [`${word} ${key}`] : []))
  return new Set([
    ...existing('type', brandIds.types, types),
    ...existing('place', brandIds.locations, locations),
    ...existing('coach', brandIds.coaches, coaches),
  ])
}
