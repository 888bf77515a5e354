/** Creates the base records of a demo studio: catalogue, pages, staff and customers, through the modules' verbs where they exist. */
import {
  classPackage,
  classPackageType,
  classType,
  discount,
  instructor,
  location,
  paymentMethod,
  tag,
} from '#server/modules/catalogue/tables.ts'
import { acceptAtSignup, publishAnnouncement, savePage } from '#server/modules/content/content.ts'
import { acceptedPage, page } from '#server/modules/content/tables.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { addStaff } from '#server/modules/people/people.ts'
import { customer } from '#server/modules/people/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import { sanitizeHtml, sanitizeNullable } from '#server/platform/html.ts'
import type { Brand, DemoLogin } from './brand.ts'
import { insertMany, newIds } from './bulk.ts'
import { Chance } from './chance.ts'
import type { Life } from './lives.ts'
import { personName } from './names.ts'
import type { BrandIds } from './write.ts'

export async function makeCatalogue(tx: Tx, brand: Brand, now: Date): Promise<BrandIds> {
  const keys = <T>(all: Readonly<Record<string, T>>) => Object.entries(all).map(([key, values], sort) => ({ key, values, sort }))
  const ids = (named: readonly { key: string }[], rows: readonly { id: number }[]) =>
    Object.fromEntries(named.map(({ key }, i) => [key, rows[i]?.id ?? 0]))

  await tx.insert(paymentMethod).values([
    { name: 'Terminal', description: 'Tarjeta en la terminal del estudio', kind: 'terminal' },
    { name: 'Transferencia', description: 'SPEI a la cuenta del estudio', kind: 'transfer' },
  ])
  const locations = keys(brand.locations)
  const locationIds = await tx
    .insert(location)
    .values(locations.map(({ values, sort }) => ({ ...values, sort })))
    .returning({ id: location.location_id })
  const types = keys(brand.types)
  const typeIds = await tx
    .insert(classType)
    .values(types.map(({ values: { capacity: _, ...type }, sort }) => ({ ...type, sort })))
    .returning({ id: classType.class_type_id })
  const coaches = keys(brand.coaches)
  const coachIds = await tx
    .insert(instructor)
    .values(coaches.map(({ values, sort }) => ({ ...values, sort })))
    .returning({ id: instructor.instructor_id })
  const tags = keys(brand.tags)
  const tagIds = await tx
    .insert(tag)
    .values(tags.map(({ values }) => values))
    .returning({ id: tag.tag_id })
  const packages = keys(brand.packages)
  const packageIds = await tx
    .insert(classPackage)
    .values(packages.map(({ values: { types: _, ...classPackage } }) => ({ ...classPackage, createdAt: now })))
    .returning({ id: classPackage.class_package_id })

  const brandIds: BrandIds = {
    locations: ids(locations, locationIds),
    types: ids(types, typeIds),
    coaches: ids(coaches, coachIds),
    tags: ids(tags, tagIds),
    packages: ids(packages, packageIds),
  }
  const classTypeRows = packages.flatMap(({ key, values }) =>
    (values.types ?? []).map(({ type, ...what }) => ({
      class_package_id: brandIds.packages[key] ?? 0,
      class_type_id: brandIds.types[type] ?? 0,
      ...what,
    })),
  )
  if (classTypeRows.length) await tx.insert(classPackageType).values(classTypeRows)
  await tx.insert(discount).values(brand.discounts.map((discount) => ({ ...discount, createdAt: now, updatedAt: now })))
  return brandIds
}

const DAY = 86_400_000

/** Pages and announcements of a brand with sanitised HTML (T6): prepared before the transaction begins. */
export async function sanitizeTexts({ pages, posts }: Brand) {
  return {
    pages: await Promise.all(pages.map(async (page) => ({ ...page, content: await sanitizeNullable(page.source) }))),
    news: await Promise.all(posts.map(async (post) => ({ ...post, content: await sanitizeHtml(post.source) }))),
  }
}

export async function makeContent(tx: Tx, { pages, news }: Awaited<ReturnType<typeof sanitizeTexts>>, now: Date): Promise<void> {
  for (const page of pages) await savePage(tx, page, now)
  for (const { daysAgo, ...announcement } of news)
    await publishAnnouncement(tx, { ...announcement, createdAt: new Date(now.getTime() - daysAgo * DAY) })
}

/** The uids of the accounts that can log in. */
export type Uids = Record<'owner' | 'manager' | 'reception' | 'coach' | 'regular' | 'newcomer', string>

export async function makeStaff(ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, uids: Uids): Promise<void> {
  const { owner, manager, reception, coach } = brand
  await addStaff(ctx, tx, { uid: uids.owner, name: `${owner.name} ${owner.last_name}`, email: owner.email, role: 'owner' })
  await addStaff(ctx, tx, { uid: uids.manager, name: `${manager.name} ${manager.last_name}`, email: manager.email, role: 'manager' })
  await addStaff(ctx, tx, {
    uid: uids.reception,
    name: `${reception.name} ${reception.last_name}`,
    email: reception.email,
    role: 'reception',
  })
  const instructor_id = brandIds.coaches[coach.coach] ?? null
  await addStaff(ctx, tx, { uid: uids.coach, name: `${coach.name} ${coach.last_name}`, email: coach.email, role: 'coach', instructor_id })
}

/** A customer besides the two who can log in. */
interface Newcomer {
  customer_id: number
  location: string
  /** Their first visit, if recent. */
  since: Date | null
}

/** Further people of a demo with its history: former customers, and each one's answers about themselves. */
interface PeopleOfHistory {
  left: readonly Life[]
  profile: () => { birthdate: string | null; signup_reason: string | null }
}

/**
 * Creates the customers: the two who can log in, and all others without an account, as staff would. With its history also the former ones.
 */
export async function makePeople(
  ctx: Ctx,
  tx: Tx,
  brand: Brand,
  uids: Uids,
  history: PeopleOfHistory | null = null,
): Promise<{ regular: number; others: Newcomer[]; left: (Newcomer & { until: Date })[] }> {
  const area = brand.settings.whatsapp?.slice(0, 2) ?? '55'
  // No Mexican phone number has a zero after its area code.
  const phone = (n: number) => `${area}0${String(n).padStart(7, '0')}`
  const chance = new Chance(19_840_711)
  const living = reservationsOfPeople(brand).length
  const left = history?.left ?? []
  const ids = await newIds(tx, customer, 'customer_id', living + left.length + 2)
  const person = (n: number, uid: string | null, { name, last_name, email }: Omit<DemoLogin, 'password'>, days: number) => {
    const createdAt = new Date(ctx.now.getTime() - days * DAY)
    return { customer_id: ids[n], uid, name, last_name, email, phone: phone(n + 1), is_frozen: false, createdAt, updatedAt: createdAt }
  }
  const rows = reservationsOfPeople(brand).map((location, i) => {
    const isNew = i % 9 === 4
    const row = person(i + 2, null, personName(i + 1, chance), isNew ? chance.between(2, 38) : chance.between(60, 900))
    return { row, location, since: isNew || history ? row.createdAt : null }
  })
  const named = new Chance(19_460_925)
  const former = left.map(({ location, since, until }, i) => {
    const days = (ctx.now.getTime() - since.getTime()) / DAY
    return { row: person(living + i + 2, null, personName(living + i + 1, named), days), location, since, until }
  })
  const allCustomers = [
    person(0, uids.regular, brand.regular, 400),
    person(1, uids.newcomer, brand.newcomer, 1),
    ...[...rows, ...former].map(({ row }) => row),
  ]
  await insertMany(tx, customer, history ? allCustomers.map((row) => ({ ...row, ...history.profile() })) : allCustomers)
  const [regular = 0, newcomer = 0] = ids
  const documents = (await tx.select({ page_id: page.page_id }).from(page)).map(({ page_id }) => page_id)
  for (const customer_id of [regular, newcomer]) await acceptAtSignup(tx, customer_id, documents, ctx.now)
  const required = (await tx.select().from(page)).filter((page) => page.required || page.required_signup)
  await insertMany(
    tx,
    acceptedPage,
    [...rows, ...former].flatMap(({ row: { customer_id = 0, createdAt } }) =>
      required.map(({ page_id, version }) => ({ customer_id, page_id, version, createdAt })),
    ),
  )
  const idOf = ({ customer_id = 0 }: { customer_id?: number | undefined }) => customer_id
  return {
    regular,
    others: rows.map(({ row, location, since }) => ({ customer_id: idOf(row), location, since })),
    left: former.map(({ row, location, since, until }) => ({ customer_id: idOf(row), location, since, until })),
  }
}

/** The location of every invented person, in order of their ids. */
export const reservationsOfPeople = (brand: Brand): string[] =>
  Object.entries(brand.people).flatMap(([location, count]) => Array.from({ length: count }, () => location))
