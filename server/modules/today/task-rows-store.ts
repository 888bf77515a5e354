/** Tasks, derived from the current rows: one query for each kind. */
import { type SQL, sql } from 'drizzle-orm'
import { CERTIFICATE_WARNING_DAYS } from '#contract/fiscal.ts'
import { CARD_PROCESSORS } from '#contract/processors.ts'
import type { TaskKind } from '#contract/today.ts'
import { hadPastVisits } from '#server/modules/people/people.ts'
import { restOfSale } from '#server/modules/sales/sales.ts'
import { instantValue } from '#server/platform/sql-values.ts'

/** A task as derived; the meaning of a column depends on the kind (task-kinds.ts). */
export interface TaskRow extends Record<string, unknown> {
  kind: TaskKind
  subject: number
  version: string
  location_id: number | null
  /** Names of the people, or of the class type, that it is about. */
  name: string
  /** A title, a kind of discrepancy, or nothing. */
  about: string | null
  count: number
  /** Centavos. */
  amount: number | null
  /** Milliseconds since 1970. */
  at: number | null
  zone: string | null
  customer_id: number | null
  /** The record whose screen handles the task, and the record that its endpoint names. */
  link_id: number | null
  verb_id: number | null
}

export interface TaskFacts {
  now: Date
  /** The day of `now` as instants, and as a date. */
  dayStart: Date
  dayEnd: Date
  date: string
  /** The zone of dates without an hour. */
  zone: string
  /** Centavos of a single place when neither class nor type has a price. */
  dropInPrice: number | null
  /** Whose tills the caller may count; null: all. */
  till_staff_id: number | null
}

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7
/** A roster counts as not taken this long after the end of its class. */
const LATE_LIST_MS = 2 * 3_600_000
/** A timetable counts as ending this long before its last class, and as ended this long after it. */
const ENDS_WITHIN_MS = 14 * DAY_MS
/** Answers about pay from longer ago are not shown. */
const ANSWERED_WITHIN_MS = 92 * DAY_MS

const person = (alias: string): SQL => sql.raw(`trim(concat_ws(' ', ${alias}.name, ${alias}.last_name))`)
const millis = (column: SQL): SQL => sql`(extract(epoch from ${column}) * 1000)::float8`
/** Columns in the order of TaskRow, for the union. */
const columns = (
  kind: TaskKind,
  row: Record<
    'subject' | 'version' | 'location_id' | 'name' | 'about' | 'count' | 'amount' | 'at' | 'zone' | 'customer_id' | 'link_id' | 'verb_id',
    SQL
  >,
): SQL => sql`select ${kind}::text as kind, (${row.subject})::integer as subject, coalesce((${row.version})::text, '') as version, (${row.location_id})::integer as location_id,
  (${row.name})::text as name, (${row.about})::text as about, (${row.count})::integer as count, (${row.amount})::float8 as amount, ${row.at} as at,
  (${row.zone})::text as zone, (${row.customer_id})::integer as customer_id, (${row.link_id})::integer as link_id, (${row.verb_id})::integer as verb_id`

/** Of the subscriptions of these the customer can change the card. */
const CARD_GATEWAYS = sql.join(
  CARD_PROCESSORS.map((id) => sql`${id}`),
  sql`, `,
)

const none = sql`null`
const literal = sql`1`

/** The columns of a task about an invoice, `d`. */
const ofInvoice = {
  subject: sql`d.fiscal_document_id`,
  location_id: sql`d.location_id`,
  count: literal,
  zone: none,
  name: sql`d.draft->'receiver'->>'name'`,
  about: sql`d.series || '-' || d.folio`,
  amount: sql`d.total_centavos`,
  customer_id: sql`d.customer_id`,
  link_id: none,
  verb_id: none,
}

/** A purchase of `p`, with its customer `u`. */
const ofPurchase = {
  subject: sql`p.purchase_id`,
  location_id: sql`p.location_id`,
  name: person('u'),
  about: sql`p.title`,
  count: literal,
  amount: sql`p.total_centavos`,
  zone: none,
  customer_id: sql`p.customer_id`,
  link_id: sql`p.purchase_id`,
  verb_id: none,
}
/** A class of `c`, with its type `t` and location `l`. */
const ofClass = {
  subject: sql`c.single_class_id`,
  version: sql`extract(epoch from c.starts_at)::bigint`,
  location_id: sql`c.location_id`,
  name: sql`t.name`,
  about: none,
  count: literal,
  amount: none,
  at: millis(sql`c.starts_at`),
  zone: sql`l.timezone`,
  customer_id: none,
  link_id: sql`c.single_class_id`,
  verb_id: none,
}
const CLASSES = sql`single_class c join class_type t using (class_type_id) join location l using (location_id)`
/** Own places of today's classes, `r`, with their customers. */
const RESERVATIONS = sql`${CLASSES} join class_reservation r using (single_class_id) join customer u using (customer_id)`
const isOwnReservation = sql`r."deletedAt" is null and r.host_reservation_id is null and c."cancelledAt" is null`
const toCome = (f: TaskFacts): SQL =>
  sql`c.starts_at > ${instantValue(f.now)} and c.starts_at < ${instantValue(new Date(f.now.getTime() + DAYS_AHEAD * DAY_MS))} and c."cancelledAt" is null`
const isToday = (f: TaskFacts): SQL => sql`c.starts_at >= ${instantValue(f.dayStart)} and c.starts_at < ${instantValue(f.dayEnd)}`
/** People of one class: their number, ids, and a version that changes with them. */
const people = {
  ...ofClass,
  name: sql`string_agg(${person('u')}, ', ' order by u.name, u.customer_id)`,
  about: sql`t.name`,
  count: sql`count(*)`,
  version: sql`md5(string_agg(u.customer_id::text, ',' order by u.customer_id))`,
}
const BY_CLASS = sql`group by c.single_class_id, t.name, l.timezone`

const unpaidReservations = (kind: 'spot_due' | 'spot_debt', f: TaskFacts, when: SQL): SQL => {
  const price = sql`coalesce(r.price_centavos, c.price_centavos, t.price_centavos, ${f.dropInPrice}::integer)`
  return sql`${columns(kind, {
    ...ofClass,
    subject: sql`r.class_reservation_id`,
    version: price,
    name: person('u'),
    about: sql`t.name`,
    amount: price,
    customer_id: sql`r.customer_id`,
  })} from ${RESERVATIONS} where r."deletedAt" is null and not r.is_paid and r.is_cash and c."cancelledAt" is null and ${when}`
}

const discrepancies = (kind: 'refund_due' | 'discrepancy', which: SQL): SQL => sql`${columns(kind, {
  ...ofPurchase,
  subject: sql`d.money_difference_id`,
  version: sql`md5(d.details::text)`,
  name: sql`coalesce(${person('u')}, '')`,
  about: sql`d.kind`,
  amount: sql`case when jsonb_typeof(d.details -> 'amount') = 'number' then (d.details ->> 'amount')::numeric end`,
  at: millis(sql`d."foundAt"`),
})} from money_difference d left join purchase p using (purchase_id) left join customer u using (customer_id)
  where d."closedAt" is null and ${which}`

const firstPurchase = sql`(select min(q.purchase_id) from purchase q where q.sale_id = s.sale_id)`

/** The query of the rows of each kind. */
export const TASK_ROWS: Readonly<Record<TaskKind, (f: TaskFacts) => SQL>> = {
  cash_due: (f) => sql`${columns('cash_due', {
    ...ofPurchase,
    version: sql`p.total_centavos`,
    at: millis(sql`p.hold_until`),
    // What a gift card pays is not received.
    amount: sql`p.total_centavos - p.gift_card_centavos`,
  })}
    from purchase p join customer u using (customer_id) where p.status = 'pending' and p.gateway = 'efectivo' and p.hold_until > ${instantValue(f.now)}`,
  spot_due: (f) => unpaidReservations('spot_due', f, isToday(f)),
  spot_debt: (f) => unpaidReservations('spot_debt', f, sql`c.starts_at < ${instantValue(f.dayStart)}`),
  transfer: () =>
    sql`${columns('transfer', {
      subject: sql`y.sale_payment_id`,
      version: sql`y.amount_centavos`,
      location_id: sql`s.location_id`,
      name: person('u'),
      about: sql`y.reference`,
      count: literal,
      amount: sql`y.amount_centavos`,
      at: millis(sql`y."createdAt"`),
      zone: none,
      customer_id: sql`s.customer_id`,
      link_id: firstPurchase,
      verb_id: sql`(select min(i.invoice_id) from invoice i where i.sale_payment_id = y.sale_payment_id)`,
    })} from sale_payment y join sale s using (sale_id) join customer u using (customer_id) where y.state = 'pending'`,
  renewal: () =>
    sql`${columns('renewal', {
      ...ofPurchase,
      version: millis(sql`p.past_due_since`),
      at: millis(sql`p.past_due_since`),
      amount: sql`coalesce(p.next_total_centavos, p.total_centavos)`,
      // The link changes a card, and is mailed.
      verb_id: sql`case when u.email is not null and p.gateway in (${CARD_GATEWAYS}) then p.purchase_id end`,
    })} from purchase p join customer u using (customer_id) where p.status = 'active' and p.past_due_since is not null`,
  voucher: (f) => sql`${columns('voucher', {
    ...ofPurchase,
    version: sql`a.n`,
    at: millis(sql`(a.voucher ->> 'expires_at')::timestamptz`),
    zone: none,
  })} from payment_attempt a join purchase p using (purchase_id) join customer u using (customer_id)
    where a.state in ('created', 'waiting', 'processing', 'unknown') and p.status = 'pending' and a.voucher ->> 'kind' in ('oxxo', 'spei')
    and (a.voucher ->> 'expires_at')::timestamptz > ${instantValue(f.now)} and (a.voucher ->> 'expires_at')::timestamptz < ${instantValue(f.dayEnd)}
    and not exists (select 1 from payment_attempt b where b.purchase_id = a.purchase_id and b.n > a.n)`,
  no_capacity: (f) =>
    sql`${columns('no_capacity', ofClass)} from ${CLASSES} where coalesce(c.capacity, 0) = 0 and c.class_package_id is null and ${toCome(f)}`,
  no_coach: (f) => sql`${columns('no_coach', ofClass)} from ${CLASSES} where ${toCome(f)}
    and not exists (select 1 from class_instructor i where i.single_class_id = c.single_class_id)`,
  // Of two classes at once the later one is corrected.
  coach_twice: (f) => sql`${columns('coach_twice', {
    ...ofClass,
    about: sql`string_agg(distinct ${person('i')}, ', ')`,
    version: sql`md5(string_agg(distinct d.single_class_id || ':' || extract(epoch from d.starts_at)::bigint, ',') || extract(epoch from c.starts_at)::bigint)`,
  })} from ${CLASSES} join class_instructor k using (single_class_id) join instructor i using (instructor_id)
    join class_instructor o on o.instructor_id = k.instructor_id and o.single_class_id <> c.single_class_id
    join single_class d on d.single_class_id = o.single_class_id and d."cancelledAt" is null and d.starts_at < c.ends_at and d.ends_at > c.starts_at
      and (d.starts_at, d.single_class_id) < (c.starts_at, c.single_class_id)
    where ${toCome(f)} ${BY_CLASS}`,
  // Without a substitution that is being looked for, which is a task of its own.
  coach_absent: (f) => sql`${columns('coach_absent', { ...ofClass, about: sql`string_agg(distinct ${person('i')}, ', ')` })}
    from ${CLASSES} join class_instructor k using (single_class_id) join instructor i using (instructor_id)
      join instructor_absence b on b.instructor_id = i.instructor_id and (c.starts_at at time zone coalesce(l.timezone, ${f.zone}))::date between b.from_day and b.to_day
    where ${toCome(f)} and not exists (select 1 from substitution s where s.single_class_id = c.single_class_id and s.state in ('open', 'accepted')) ${BY_CLASS}`,
  substitution: (f) => sql`${columns('substitution', {
    ...ofClass,
    subject: sql`b.substitution_id`,
    about: sql`nullif(${person('i')}, '')`,
    version: sql`b.state || coalesce(b.substitute_id, 0)`,
    count: sql`(select count(*) from substitution_request q where q.substitution_id = b.substitution_id and q.answer is null)`,
  })} from ${CLASSES} join substitution b using (single_class_id) left join instructor i on i.instructor_id = b.substitute_id
    where b.state in ('open', 'accepted') and c.starts_at > ${instantValue(f.now)} and c."cancelledAt" is null
    and (b.instructor_id is null or exists (select 1 from class_instructor k where k.single_class_id = c.single_class_id and k.instructor_id = b.instructor_id))`,
  // The last class of a location's series, unless one of them has no end. A series of a few weeks beside others is expected to end.
  timetable_ends: (f) => sql`${columns('timetable_ends', {
    subject: sql`l.location_id`,
    version: sql`extract(epoch from e.last_at)::bigint`,
    location_id: sql`l.location_id`,
    name: sql`l.name`,
    about: sql`case when (select count(*) from location o where o."deletedAt" is null) > 1 then l.name end`,
    count: sql`(e.last_at > ${instantValue(f.now)})::integer`,
    amount: none,
    at: millis(sql`e.last_at`),
    zone: sql`l.timezone`,
    customer_id: none,
    link_id: sql`l.location_id`,
    verb_id: none,
  })} from location l cross join lateral (
      select max(c.starts_at) as last_at, bool_or(c.class_series_id is not null) as repeats from single_class c
      where c.location_id = l.location_id and c."cancelledAt" is null and c.starts_at > ${instantValue(new Date(f.now.getTime() - ENDS_WITHIN_MS))}) e
    where l."deletedAt" is null and e.repeats and e.last_at < ${instantValue(new Date(f.now.getTime() + ENDS_WITHIN_MS))}
    and not exists (select 1 from class_series s join single_class c using (class_series_id) where s.repeat_until is null and c.location_id = l.location_id
      and c."cancelledAt" is null and c.starts_at > ${instantValue(new Date(f.now.getTime() - ENDS_WITHIN_MS))})`,
  roster_open: (f) => sql`${columns('roster_open', { ...ofClass, count: sql`c.taken` })} from ${CLASSES}
    where c."settledAt" is null and c."cancelledAt" is null and c.taken > 0
    and c.ends_at <= ${instantValue(new Date(f.now.getTime() - LATE_LIST_MS))} and c.ends_at > ${instantValue(new Date(f.now.getTime() - DAYS_AHEAD * DAY_MS))}
    and exists (select 1 from class_reservation r where r.single_class_id = c.single_class_id and r."deletedAt" is null and r.attend is null)`,
  debt: (f) => sql`${columns('debt', {
    subject: sql`s.sale_id`,
    version: sql`s.owed`,
    location_id: sql`s.location_id`,
    name: person('u'),
    about: sql`s.owe_reason`,
    count: literal,
    amount: sql`s.owed`,
    at: millis(sql`((s.owe_until + 1)::timestamp at time zone ${f.zone})`),
    zone: none,
    customer_id: sql`s.customer_id`,
    link_id: firstPurchase,
    verb_id: none,
  })} from (select s.*, ${restOfSale} as owed from sale s where s.sale_id in (select sale_id from sale where owed_centavos > 0
    union select sale_id from sale_payment where state = 'void')) s join customer u using (customer_id) where s.owed > 0`,
  // The last answer of each coach who does not agree, until they do, or the period is approved after it.
  pay_question: (f) => sql`${columns('pay_question', {
    subject: sql`a.instructor_id`,
    version: millis(sql`a."answeredAt"`),
    location_id: none,
    name: person('i'),
    about: sql`a.text`,
    count: literal,
    amount: none,
    at: millis(sql`a."answeredAt"`),
    zone: none,
    customer_id: none,
    link_id: none,
    verb_id: sql`a.from_day - '1970-01-01'::date`,
  })} from (select distinct on (q.instructor_id) q.* from payroll_answer q where not q.agrees and q."answeredAt" > ${instantValue(new Date(f.now.getTime() - ANSWERED_WITHIN_MS))}
      and not exists (select 1 from payroll_period p where p.from_day = q.from_day and p."approvedAt" > q."answeredAt")
      order by q.instructor_id, q."answeredAt" desc) a join instructor i using (instructor_id)`,
  refund_due: () => discrepancies('refund_due', sql`d.kind in ('refund_due', 'refund_failed')`),
  discrepancy: () => discrepancies('discrepancy', sql`d.kind not in ('refund_due', 'refund_failed')`),
  credits_ending: (f) => sql`${columns('credits_ending', {
    subject: sql`u.customer_id`,
    location_id: none,
    name: person('u'),
    about: sql`string_agg(e.title, ', ' order by e.expires_at)`,
    version: sql`md5(string_agg(e.available_class_id || ':' || extract(epoch from e.expires_at)::bigint, ',' order by e.available_class_id))`,
    count: sql`sum(coalesce(e.balance, 0))`,
    amount: none,
    at: millis(sql`min(e.expires_at)`),
    zone: none,
    customer_id: sql`u.customer_id`,
    link_id: sql`u.customer_id`,
    verb_id: sql`case when u.email is not null and bool_or(not coalesce(k.is_subscription, false)) then u.customer_id end`,
  })} from available_class e left join class_package k using (class_package_id) join customer u using (customer_id)
    where e.expires_at > ${instantValue(f.now)} and e.expires_at < ${instantValue(new Date(f.now.getTime() + DAYS_AHEAD * DAY_MS))}
    and e."revokedAt" is null and e."frozenAt" is null and (e.unlimited or e.balance > 0) and u."deletedAt" is null
    and not exists (select 1 from purchase p where p.purchase_id = e.purchase_id and p.status = 'active' and p.is_subscription and p.paused_since is null)
    group by u.customer_id`,
  first_class: (
    f,
  ) => sql`${columns('first_class', people)} from ${RESERVATIONS} where ${isToday(f)} and c.ends_at > ${instantValue(f.now)} and ${isOwnReservation}
    and not exists (select 1 from class_reservation o join single_class d using (single_class_id) where o.customer_id = r.customer_id
      and o."deletedAt" is null and o.host_reservation_id is null and d.starts_at < c.starts_at and d."cancelledAt" is null and o.attend is not false)
    and not ${hadPastVisits(sql`r.customer_id`)} ${BY_CLASS}`,
  document: (f) => sql`${columns('document', {
    subject: sql`u.customer_id`,
    version: sql`md5(string_agg(distinct g.page_id || ':' || g.version, ','))`,
    location_id: sql`min(c.location_id)`,
    name: person('u'),
    about: sql`string_agg(distinct g.title, ', ')`,
    count: sql`count(distinct g.page_id)`,
    amount: none,
    at: millis(sql`min(c.starts_at)`),
    zone: sql`min(l.timezone)`,
    customer_id: sql`u.customer_id`,
    link_id: sql`u.customer_id`,
    verb_id: none,
  })} from ${RESERVATIONS} join page g on (g.required or g.required_signup) and g.content is not null and g."deletedAt" is null and g.published
    left join accepted_page h on h.page_id = g.page_id and h.version = g.version and h.customer_id = u.customer_id
    where h.customer_id is null and ${isToday(f)} and c.ends_at > ${instantValue(f.now)} and ${isOwnReservation} group by u.customer_id`,
  birthday: (
    f,
  ) => sql`${columns('birthday', people)} from ${RESERVATIONS} where ${isToday(f)} and c.ends_at > ${instantValue(f.now)} and ${isOwnReservation}
    and to_char(u.birthdate, 'MM-DD') = ${f.date.slice(5)} ${BY_CLASS}`,
  coach_birthday: (f) => sql`${columns('coach_birthday', {
    ...ofClass,
    subject: sql`n.instructor_id`,
    version: sql`${f.date}::text`,
    name: person('n'),
    about: sql`t.name`,
  })} from (select distinct on (i.instructor_id) i.instructor_id, i.name, i.last_name, i.single_class_id from (
      select o.instructor_id, o.name, o.last_name, c.single_class_id, c.starts_at from single_class c join class_instructor using (single_class_id)
      join instructor o using (instructor_id)
      where ${isToday(f)} and c."cancelledAt" is null and to_char(o.birthdate, 'MM-DD') = ${f.date.slice(5)}) i
    order by i.instructor_id, i.starts_at, i.single_class_id) n join single_class c using (single_class_id)
    join class_type t using (class_type_id) join location l using (location_id)`,
  till_open: (f) => sql`${columns('till_open', {
    subject: sql`k.cash_session_id`,
    version: millis(sql`coalesce(k."reopenedAt", k."openedAt")`),
    location_id: sql`k.location_id`,
    name: sql`h.name`,
    about: sql`l.name`,
    count: literal,
    amount: none,
    at: millis(sql`k."openedAt"`),
    zone: sql`l.timezone`,
    customer_id: none,
    link_id: sql`k.cash_session_id`,
    verb_id: none,
  })} from cash_session k join staff h using (staff_id) join location l using (location_id)
    where k."closedAt" is null and coalesce(k."reopenedAt", k."openedAt") < ${instantValue(f.dayStart)}
    ${f.till_staff_id === null ? sql`` : sql`and k.staff_id = ${f.till_staff_id}`}`,
  message_failed: (f) => sql`${columns('message_failed', {
    subject: sql`u.customer_id`,
    version: sql`max(m.message_id)`,
    location_id: none,
    name: person('u'),
    about: none,
    count: sql`count(*)`,
    amount: none,
    at: millis(sql`max(m."createdAt")`),
    zone: none,
    customer_id: sql`u.customer_id`,
    link_id: sql`u.customer_id`,
    verb_id: none,
  })} from message m join customer u using (customer_id) where m.status = 'failed' and u."deletedAt" is null
    and m."createdAt" > ${instantValue(new Date(f.now.getTime() - DAYS_AHEAD * DAY_MS))} group by u.customer_id`,
  webhook_stopped: () =>
    sql`${columns('webhook_stopped', {
      subject: sql`e.webhook_endpoint_id`,
      version: millis(sql`e."stoppedAt"`),
      location_id: none,
      name: sql`e.url`,
      about: none,
      count: sql`(select count(*) from webhook_delivery d where d.webhook_endpoint_id = e.webhook_endpoint_id and d.state = 'waiting')`,
      amount: none,
      at: millis(sql`e."stoppedAt"`),
      zone: none,
      customer_id: none,
      link_id: sql`e.webhook_endpoint_id`,
      verb_id: none,
    })} from webhook_endpoint e where e."stoppedAt" is not null and e.is_active`,
  certificate_ending: (f) => sql`${columns('certificate_ending', {
    subject: literal,
    version: sql`k.number || k.about`,
    location_id: none,
    name: sql`k.rfc`,
    about: sql`k.about`,
    count: literal,
    amount: none,
    at: millis(sql`k."validUntil"`),
    zone: none,
    customer_id: none,
    link_id: none,
    verb_id: none,
  })} from (select c.*, case when c."validUntil" <= ${instantValue(f.now)} then 'expired' else 'ending' end as about
      from fiscal_certificate c order by c."createdAt" desc limit 1) k
    where k."validUntil" <= ${instantValue(new Date(f.now.getTime() + CERTIFICATE_WARNING_DAYS * DAY_MS))}`,
  invoice_cancelled: (
    f,
  ) => sql`${columns('invoice_cancelled', { ...ofInvoice, version: sql`d.uuid`, at: millis(sql`d."cancelledAt"`) })} from fiscal_document d where d.state = 'cancelled' and d.cancel_motive is null
    and d."cancelledAt" > ${instantValue(new Date(f.now.getTime() - 30 * DAY_MS))}`,
  invoice_unstamped: (f) =>
    sql`${columns('invoice_unstamped', { ...ofInvoice, version: sql`d.key`, at: millis(sql`d."createdAt"`) })} from fiscal_document d where d.state = 'stamping' and d."createdAt" < ${instantValue(new Date(f.now.getTime() - DAY_MS))}`,
  job_failed: () =>
    sql`${columns('job_failed', {
      subject: sql`j.failed_job_id`,
      version: sql`j.attempts`,
      location_id: none,
      name: sql`''`,
      about: none,
      count: literal,
      amount: none,
      at: millis(sql`j."failedAt"`),
      zone: none,
      customer_id: none,
      link_id: none,
      verb_id: sql`j.failed_job_id`,
    })} from failed_job j where j."closedAt" is null`,
}
