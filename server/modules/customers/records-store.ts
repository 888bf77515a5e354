/** Records of one customer, read across lower modules; read-only. */
import { desc, eq, sql } from 'drizzle-orm'
import { type Strokes, strokes } from '#contract/customer-records.ts'
import { address } from '#server/modules/people/tables.ts'
import type { Reader } from '#server/platform/db.ts'

const ISO = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`)

interface WaitlistRow extends Record<string, unknown> {
  waitlist_id: number
  single_class_id: number
  class_type: string
  location: string
  starts_at: string
  timezone: string | null
  status: 'waiting' | 'offered' | 'booked' | 'passed' | 'left' | 'closed'
  position: number | null
  createdAt: string
}

/** The waitlists of a customer at some locations (null = all), the last class first. Each with its position, by priority and time. */
export async function listWaitlistsOf(
  on: Reader,
  customer_id: number,
  locations: readonly number[] | null,
  limit: number,
): Promise<WaitlistRow[]> {
  const { rows } = await on.execute<WaitlistRow>(sql`
    select w.waitlist_id, w.single_class_id, ct.name as class_type, l.name as location, l.timezone, w.status,
      to_char(sc.starts_at at time zone 'UTC', ${ISO}) as starts_at, to_char(w."createdAt" at time zone 'UTC', ${ISO}) as "createdAt",
      case when w.status = 'waiting' then (select count(*)::int + 1 from waitlist o where o.single_class_id = w.single_class_id and o.status = 'waiting'
        and (o.priority > w.priority or (o.priority = w.priority and (o."createdAt", o.waitlist_id) < (w."createdAt", w.waitlist_id)))) end as position
    from waitlist w join single_class sc using (single_class_id) join class_type ct using (class_type_id) join location l using (location_id)
    where w.customer_id = ${customer_id}${locations === null ? sql`` : sql` and sc.location_id = any(${`{${locations.join(',')}}`}::integer[])`}
    order by sc.starts_at desc, w.waitlist_id desc limit ${limit}`)
  return rows
}

interface AcceptedRow extends Record<string, unknown> {
  page_id: number
  title: string
  version: number
  is_current: boolean
  createdAt: string
  signature: { name: string; strokes: Strokes; staff: string | null } | null
}

/** Every acceptance of a customer, newest first. */
export async function listAcceptancesOf(on: Reader, customer_id: number): Promise<AcceptedRow[]> {
  const { rows } = await on.execute<AcceptedRow>(sql`
    select a.page_id, p.title, a.version, a.version = p.version and p."deletedAt" is null as is_current,
      to_char(a."createdAt" at time zone 'UTC', ${ISO}) as "createdAt",
      case when a.signed_name is not null then jsonb_build_object('name', a.signed_name, 'strokes', a.strokes, 'staff', s.name) end as signature
    from accepted_page a join page p using (page_id) left join staff s on s.staff_id = a.staff_id where a.customer_id = ${customer_id} order by a."createdAt" desc, a.page_id, a.version desc`)
  return rows.map((row) => ({
    ...row,
    signature: row.signature && { ...row.signature, strokes: strokes.safeParse(row.signature.strokes).data ?? [] },
  }))
}

interface CardRow extends Record<string, unknown> {
  payment_source_id: number
  card_type: string
  last_digits: string
  exp: string | null
  subscriptions: number
  createdAt: string
}

/** The saved cards of a customer, newest first, with how many live subscriptions charge each. */
export async function listCardsOf(on: Reader, customer_id: number): Promise<CardRow[]> {
  const { rows } = await on.execute<CardRow>(sql`
    select s.payment_source_id, s.card_type, s.last_digits, s.exp, to_char(s."createdAt" at time zone 'UTC', ${ISO}) as "createdAt",
      (select count(*)::int from purchase p where p.customer_id = s.customer_id and p.payment_source_id = s.payment_source_id and p.status = 'active') as subscriptions
    from payment_source s where s.customer_id = ${customer_id} and s."deletedAt" is null order by s."createdAt" desc, s.payment_source_id desc`)
  return rows
}

/** All addresses of a customer, the one saved last first. */
export async function listAddressesOf(on: Reader, customer_id: number) {
  return on
    .select({
      Address_id: address.Address_id,
      street: address.street,
      number: address.number,
      interior_number: address.interior_number,
      neighborhood: address.neighborhood,
      city: address.city,
      state: address.state,
      zip_code: address.zip_code,
      country: address.country,
    })
    .from(address)
    .where(eq(address.customer_id, customer_id))
    .orderBy(desc(address.updatedAt), desc(address.Address_id))
}
