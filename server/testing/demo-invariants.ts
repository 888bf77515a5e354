/**
 * What the tables of a demo promise each other, which the database does not check by itself or did not check while its rows were written
 * in bulk.
 */
import type { TestStudio } from './studio.ts'

/** Everything that the tables promise each other, as queries that must find nothing. */
const BROKEN: Record<string, string> = {
  'a balance that is not the sum of its movements': `
    select l.available_class_id from available_class l left join credit_movement m using (available_class_id)
    where not l.unlimited group by 1, l.balance having l.balance <> coalesce(sum(m.amount), 0)`,
  'a count of places that is not that of the reservations': `
    select c.single_class_id from single_class c left join class_reservation r on r.single_class_id = c.single_class_id and r."deletedAt" is null
    group by 1, c.taken having c.taken <> count(r.class_reservation_id)`,
  'a place without the credit that paid it': `
    select r.class_reservation_id from class_reservation r left join credit_movement m on m.class_reservation_id = r.class_reservation_id and m.kind = 'spend'
    where m.credit_movement_id is null or m.available_class_id <> r.available_class_id or m.customer_id <> r.customer_id`,
  'a place given up in time whose credit did not come back': `
    select r.class_reservation_id from class_reservation r join available_class l using (available_class_id)
    left join credit_movement m on m.class_reservation_id = r.class_reservation_id and m.kind = 'give_back'
    where r."deletedAt" is not null and not r.cancelled_late and not l.unlimited and m.credit_movement_id is null`,
  'a lot that was not good for the class that it paid': `
    select r.class_reservation_id from class_reservation r join available_class l using (available_class_id) join single_class c using (single_class_id)
    where l.expires_at < c.starts_at or l.customer_id <> r.customer_id or l."createdAt" > r."createdAt"
      or (l.class_type_ids is not null and not c.class_type_id = any(l.class_type_ids))`,
  'a lot without a purchase, or a purchase without its money': `
    select l.available_class_id from available_class l left join purchase p using (purchase_id)
    left join invoice i on i.purchase_id = p.purchase_id and i.period = l.period left join cash_payment k on k.reference = i.provider_payment
    left join sandbox_ledger g on g.id = i.provider_payment and g.kind = 'charge'
    where p.status is null or p.status not in ('completed', 'active', 'revoked', 'cancelled') or (p.status = 'revoked') <> (l."revokedAt" is not null)
      or i.status is distinct from (case p.status when 'revoked' then 'refunded' else 'paid' end)
      or i.total_centavos is distinct from p.total_centavos or coalesce(k.amount, g.amount) is distinct from p.total_centavos`,
  'a count that does not add up to its till, or a charge outside the hours of its till': `
    select s.cash_session_id from cash_session s cross join jsonb_to_recordset(s.counted) as c(payment_method_id int, expected int, counted int)
    join payment_method m using (payment_method_id)
    where c.expected is distinct from coalesce((select sum(i.total_centavos)
        from invoice i where i.cash_session_id = s.cash_session_id and i.payment_method_id = c.payment_method_id), 0)
      - coalesce((select sum(r.amount_centavos)
        from refund r where r.cash_session_id = s.cash_session_id and r.payment_method_id = c.payment_method_id), 0)
      + case m.kind when 'cash' then s.opening_centavos + coalesce((select sum(case k.kind when 'in' then k.amount_centavos else -k.amount_centavos end)
        from cash_movement k where k.cash_session_id = s.cash_session_id), 0) else 0 end
    union all select i.cash_session_id from invoice i join cash_session s using (cash_session_id)
    where i.location_id <> s.location_id or i.staff_id <> s.staff_id or i."paidAt" not between s."openedAt" and s."closedAt"
    union all select s.cash_session_id from cash_session s where s."closedAt" is null or s."closedAt" < s."openedAt" or s."closedAt" > $1
      or (select sum(round(b.key::numeric * 100) * b.value::int) from jsonb_each_text(s.cash_count) b)
        <> (select c.counted from jsonb_to_recordset(s.counted) as c(payment_method_id int, counted int) join payment_method m using (payment_method_id) where m.kind = 'cash')`,
  'stock that was not counted': `
    select p.class_package_id from class_package p left join purchase b on b.class_package_id = p.class_package_id and b.status in ('active', 'completed')
    group by 1, p.sold having p.sold <> count(b.purchase_id)`,
  'a seat off the map': `
    select r.class_reservation_id from class_reservation r join single_class c using (single_class_id)
    where r."deletedAt" is null and ((c.spot_map is null) <> (r.spot is null)
      or split_part(r.spot, '-', 2)::int > coalesce(split_part(c.spot_map, ',', split_part(r.spot, '-', 1)::int), '0')::int)`,
  'a coach in two classes at once': `
    select a.single_class_id from class_instructor x join class_instructor y on x.instructor_id = y.instructor_id and x.single_class_id < y.single_class_id
    join single_class a on a.single_class_id = x.single_class_id join single_class b on b.single_class_id = y.single_class_id
    where a.starts_at < b.ends_at and b.starts_at < a.ends_at`,
  'a customer in two classes at once': `
    select a.class_reservation_id from class_reservation a join class_reservation b on a.customer_id = b.customer_id and a.class_reservation_id < b.class_reservation_id
    join single_class c on c.single_class_id = a.single_class_id join single_class d on d.single_class_id = b.single_class_id
    where a."deletedAt" is null and b."deletedAt" is null and a.host_reservation_id is null and b.host_reservation_id is null
      and c.starts_at < d.ends_at and d.starts_at < c.ends_at`,
  'attendance before the class': `
    select r.class_reservation_id from class_reservation r join single_class c using (single_class_id) where r.attend is not null and c.ends_at > $1`,
  'something from the future': `
    select 1 from class_reservation where "createdAt" > $1 or "deletedAt" > $1 union all select 1 from purchase where "createdAt" > $1
    union all select 1 from credit_movement where "createdAt" > $1`,
  'a place taken after the class began': `
    select r.class_reservation_id from class_reservation r join single_class c using (single_class_id) where r."createdAt" > c.starts_at or r."deletedAt" > c.starts_at`,
  'people in a class that was called off': `
    select c.single_class_id from single_class c where c."cancelledAt" is not null and c.taken > 0`,
}

/** The promises that do not hold, with the number of rows that break them. */
export async function findBrokenInDemo(on: TestStudio): Promise<string[]> {
  const found: string[] = []
  for (const [what, text] of Object.entries(BROKEN)) {
    const rows = await on.sql(text, text.includes('$1') ? [on.clock.now()] : [])
    if (rows.length) found.push(`${what}: ${rows.length}`)
  }
  return found
}
