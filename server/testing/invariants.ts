/** Invariants of a studio's database for reservations, spots and credits (docs/domain.md). */
import type { TestStudio } from './studio.ts'

/** Each statement selects violations. */
const INVARIANTS = {
  'places counted are places taken': `
    select c.single_class_id, c.taken, count(r.*) from single_class c left join class_reservation r on r.single_class_id = c.single_class_id and r."deletedAt" is null
    group by c.single_class_id having c.taken <> count(r.*)`,
  'no class has more than it holds': 'select single_class_id from single_class where taken + held > coalesce(capacity, 0)',
  'nobody sits twice or on somebody': `
    select single_class_id from class_reservation where "deletedAt" is null group by single_class_id, spot having spot is not null and count(*) > 1
    union all select single_class_id from class_reservation where "deletedAt" is null and host_reservation_id is null group by single_class_id, customer_id having count(*) > 1`,
  'a balance is the sum of its movements': `
    select l.available_class_id, l.balance, sum(m.amount) from available_class l left join credit_movement m using (available_class_id)
    where not l.unlimited group by l.available_class_id having l.balance <> coalesce(sum(m.amount), 0) or l.balance < 0`,
  'every place is paid once, and given back once when it was given up in time': `
    select r.class_reservation_id from class_reservation r
    left join credit_movement m on m.class_reservation_id = r.class_reservation_id
    left join available_class l on l.available_class_id = r.available_class_id
    where l."revokedAt" is null or r."deletedAt" is null or r."deletedAt" < l."revokedAt"
    group by r.class_reservation_id
    having count(*) filter (where m.kind = 'spend') <> case when r.is_cash and r.available_class_id is null then 0 else 1 end
      or count(*) filter (where m.kind = 'give_back') <> case when r."deletedAt" is not null and not r.cancelled_late and not r.is_cash then 1 else 0 end`,
  'what was taken away before a place was given up gets nothing back': `
    select r.class_reservation_id from class_reservation r join available_class l using (available_class_id)
    join credit_movement m on m.class_reservation_id = r.class_reservation_id
    where m.kind = 'give_back' and r."deletedAt" > l."revokedAt"`,
  'places held are offers that stand, purchases that are being paid, and invitations of guests': `
    select single_class_id, held from single_class c where held <>
      (select count(*) from waitlist w where w.single_class_id = c.single_class_id and w.status = 'offered') +
      (select coalesce(sum(places), 0) from payment_hold h where h.single_class_id = c.single_class_id and h."releasedAt" is null) +
      (select count(*) from guest_invite g where g.single_class_id = c.single_class_id and g."releasedAt" is null)`,
  'a place that was paid at the counter has its sale': `
    select class_reservation_id from class_reservation where is_cash and is_paid <> (purchase_id is not null)`,
  'of the sale of a place the studio keeps what its places cost that are taken or forfeited, and owes the rest': `
    select p.purchase_id, i.total_centavos, d.details from purchase p join invoice i using (purchase_id)
    left join money_difference d on d.kind = 'refund_due' and d.gateway = i.gateway and d.about = i.provider_payment and d."closedAt" is null
    where p.class_package_id is null and p.sale_id is null and p.status = 'completed'
      and not exists (select 1 from gift_card g where g.purchase_id = p.purchase_id)
      and i.total_centavos - greatest(i.refunded_centavos, coalesce((d.details->>'our_refund')::int, 0)) <>
        (select coalesce(sum(r.price_centavos), 0) from class_reservation r where r.purchase_id = p.purchase_id and (r."deletedAt" is null or r.cancelled_late))`,
  'a guest has a host in the same class': `
    select g.class_reservation_id from class_reservation g join class_reservation h on h.class_reservation_id = g.host_reservation_id
    where g."deletedAt" is null and (h."deletedAt" is not null or h.single_class_id <> g.single_class_id)`,
}

/** The violated invariants with the offending rows; empty when all hold. */
export const findBrokenInvariants = (studio: Pick<TestStudio, 'sql'>) => findMatchingRows(studio, INVARIANTS)

/** The rows selected by each statement, without empty results. */
export async function findMatchingRows(
  studio: Pick<TestStudio, 'sql'>,
  statements: Readonly<Record<string, string>>,
): Promise<Record<string, object[]>> {
  const all = await Promise.all(Object.entries(statements).map(async ([what, text]) => [what, await studio.sql(text)] as const))
  return Object.fromEntries(all.filter(([, rows]) => rows.length > 0))
}
