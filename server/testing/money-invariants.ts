/** Invariants of a studio's money (docs/domain.md V*, D*, C20 to C22); see also `invariants.ts`. */
import { findBrokenInvariants } from './invariants.ts'
import type { TestStudio } from './studio.ts'

/** Invariants after every step, also while webhook events are pending. */
const ALWAYS: Record<string, string> = {
  'stock sold is what is held': `
    select k.class_package_id, k.sold, count(p.*) from class_package k left join purchase p on p.class_package_id = k.class_package_id and p.holds_stock
    group by 1 having k.sold <> count(p.*) or k.sold > coalesce(k.capacity, 2147483647)`,
  'only what lives holds a place': `
    select purchase_id, status from purchase where holds_stock <> (class_package_id is not null and status in ('pending', 'active', 'completed'))`,
  'nobody has bought more than the limit by themselves': `
    select p.class_package_id, p.customer_id, count(*) from purchase p join class_package k using (class_package_id)
    where p.limit_slot is not null and p.status in ('pending', 'active', 'completed') group by 1, 2, k.limit_per_customer
    having count(*) > k.limit_per_customer`,
  'uses of a code are counted': `
    select d.discount_id, d.used, count(u.*) from discount d left join discount_use u on u.discount_id = d.discount_id and u.state <> 'released'
    group by 1 having d.used <> count(u.*) or d.used > coalesce(d.max_uses, 2147483647)`,
  'a use is held while its purchase waits, and used once something was given': `
    select p.purchase_id, p.status, u.state from purchase p join discount_use u using (purchase_id)
    where (u.state = 'held' and p.status <> 'pending')
      or (u.state <> 'used' and exists (select 1 from available_class l where l.purchase_id = p.purchase_id))`,
  'a charge went back at most once': 'select invoice_id from invoice where refunded_centavos > total_centavos',
  'what went back of a charge has its rows, on the days on which it did': `
    select i.invoice_id, i.refunded_centavos, sum(r.amount_centavos) from invoice i left join refund r on r.invoice_id = i.invoice_id and r.state in ('done', 'asked')
    group by 1 having coalesce(sum(r.amount_centavos) filter (where r.state = 'done'), 0) > i.refunded_centavos
      or coalesce(sum(r.amount_centavos), 0) < i.refunded_centavos`,
  'the stored sums of charges are those of the charges': `
    with stored as (select gateway, payment_method_id, status, location_id, visible_at, sum(invoices) as n, sum(charged) as charged, sum(tax) as tax, sum(disputed) as disputed
        from invoice_total group by 1, 2, 3, 4, 5 having sum(invoices) <> 0 or sum(charged) <> 0 or sum(tax) <> 0 or sum(disputed) <> 0),
      added as (select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id), count(*), sum(i.total_centavos), sum(i.tax_centavos),
          sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
        from invoice i join purchase p using (purchase_id) group by 1, 2, 3, 4, 5)
    (select 'stored', * from stored except select 'stored', * from added) union all (select 'added', * from added except select 'added', * from stored)`,
  'a charge at another location than its purchase is noted': `
    select i.purchase_id, i.location_id from invoice i join purchase p using (purchase_id)
    where i.location_id is not null and p.location_id is distinct from i.location_id
      and not exists (select 1 from purchase_paid_elsewhere e where e.purchase_id = i.purchase_id and e.location_id = i.location_id)`,
  'the tax of a charge is in its total': `
    select invoice_id from invoice where sale_payment_id is null and gateway <> 'regalo' and net_centavos <> round(total_centavos / (1 + tax_rate / 10000.0))`,
  'the charges of a purchase that a gift card paid are its total, with its tax': `
    select p.purchase_id, p.status, sum(i.total_centavos), sum(i.tax_centavos) from purchase p left join invoice i on i.purchase_id = p.purchase_id and i.period = '0'
    where p.gift_card_id is not null group by 1, 2 having case when p.status in ('completed', 'revoked') then sum(i.total_centavos) <> p.total_centavos
      or sum(i.total_centavos) filter (where i.gateway = 'regalo') is distinct from p.gift_card_centavos
      or sum(i.net_centavos) <> round(p.total_centavos / (1 + max(i.tax_rate) / 10000.0)) else count(*) filter (where i.gateway = 'regalo') > 0 end`,
  'a gift card is held while its purchase waits or was paid, and given back otherwise': `
    select p.purchase_id, p.status, sum(m.amount_centavos) from purchase p left join gift_card_movement m on m.purchase_id = p.purchase_id and m.gift_card_id = p.gift_card_id
    where p.gift_card_id is not null group by 1, 2 having coalesce(sum(m.amount_centavos), 0) <>
      case when p.status in ('pending', 'completed', 'revoked') then -p.gift_card_centavos else 0 end
    union all select p.purchase_id, p.status, m.amount_centavos from gift_card_movement m join purchase p using (purchase_id)
      where p.gift_card_id is distinct from m.gift_card_id`,
  'the tax of what a sale was paid with is that of its line': `
    select p.purchase_id, l.tax_centavos, sum(i.tax_centavos) from purchase p join sale_line l using (sale_line_id) join invoice i using (purchase_id)
    where i.status <> 'void' group by 1, 2, l.total_centavos having sum(i.total_centavos) = l.total_centavos and sum(i.tax_centavos) <> l.tax_centavos`,
  'a sale is its lines, paid or owed': `
    select s.sale_id from sale s join sale_line l using (sale_id) group by 1 having sum(l.total_centavos) <> s.total_centavos
    union all select l.sale_id from sale_line l left join purchase p using (sale_line_id) where p.total_centavos is distinct from l.total_centavos
    union all select p.sale_id from purchase p join invoice i using (purchase_id) where p.sale_id is not null and i.status <> 'void' and i.period not like 'late%'
      group by 1, p.purchase_id having sum(i.total_centavos) > p.total_centavos
    union all select p.sale_id from purchase p where p.sale_id is not null group by 1
      having count(distinct case when p.status in ('completed', 'active', 'revoked') then 'given' else p.status end) > 1
    union all select s.sale_id from sale s where s.is_waiting <> not exists
      (select 1 from purchase p where p.sale_id = s.sale_id and p.status not in ('pending', 'failed', 'cancelled'))
    union all select y.sale_id from sale_payment y left join invoice i using (sale_payment_id) where y.state not in ('held', 'released') group by 1, y.sale_payment_id
      having y.amount_centavos <> coalesce(sum(i.total_centavos), 0) or (y.state = 'received') <> bool_and(i."paidAt" is not null)`,
  'what is paid at the counter beside a processor waits, counts or comes back with its order': `
    select y.sale_payment_id, y.state from sale_payment y join sale s using (sale_id) where y.state in ('held', 'released') and (not s.is_waiting
      or (y.state = 'held') <> exists (select 1 from purchase p where p.sale_id = s.sale_id and p.status = 'pending')
      or exists (select 1 from invoice i where i.sale_payment_id = y.sale_payment_id))
    union all select y.sale_payment_id, y.state from sale_payment y left join gift_card_movement m on m.sale_payment_id = y.sale_payment_id and m.kind = 'released'
      where (y.state = 'released' and y.gift_card_id is not null) <> (m.gift_card_id is not null) or m.amount_centavos <> y.amount_centavos
    union all select s.sale_id, 'differs' from sale s join sale_payment y using (sale_id) where exists (select 1 from sale_payment z where z.sale_id = s.sale_id and z.gateway is not null)
      group by 1 having sum(y.amount_centavos) <> s.total_centavos`,
  'the balance of a gift card is the sum of its movements, and never negative': `
    select gift_card_id from (select gift_card_id, n, balance_centavos, sum(amount_centavos) over w as sum, row_number() over w as at from gift_card_movement
      window w as (partition by gift_card_id order by n)) m where balance_centavos <> sum or balance_centavos < 0 or n <> at`,
  'what gift cards paid is what left them': `
    select y.sale_payment_id from sale_payment y left join gift_card_movement m on m.sale_payment_id = y.sale_payment_id and m.kind = 'spent'
    where y.gift_card_id is distinct from m.gift_card_id or (y.gift_card_id is not null and m.amount_centavos <> -y.amount_centavos)
    union all select r.refund_id from refund r join invoice i using (invoice_id) left join gift_card_movement m on m.refund_id = r.refund_id and m.kind = 'returned'
    where (i.gateway = 'regalo' and r.state = 'done') <> (m.gift_card_id is not null) or (m.gift_card_id is not null and m.amount_centavos <> r.amount_centavos)
    union all select i.invoice_id from invoice i join purchase p using (purchase_id) left join sale_payment y using (sale_payment_id)
      where (i.gateway = 'regalo') <> (y.gift_card_id is not null or (i.sale_payment_id is null and i.gateway = 'regalo' and p.gift_card_id is not null)) or (i.gateway = 'regalo' and i.cash_session_id is not null)
        or (y.gateway is not null and y.gateway <> i.gateway)`,
  'one period is given once, for one purchase of its own customer': `
    select l.purchase_id, l.period, count(*) from available_class l join purchase p using (purchase_id) group by 1, 2
    having count(*) > 1 or bool_or(l.customer_id <> p.customer_id)`,
  'nothing is given for no money, except what cost nothing, a trial, a gift, or what staff gave': `
    select l.purchase_id, l.period, p.status from available_class l join purchase p using (purchase_id)
    where l.purchase_id is not null and not exists (select 1 from invoice i where i.purchase_id = l.purchase_id and i.period = l.period)
      and p.total_centavos > 0 and l.period <> 'trial' and not p.is_gift and p.sale_id is null
      and not exists (select 1 from audit a where a.action = 'access.give' and a.entity = 'purchase' and a.entity_id = p.purchase_id::text)`,
  'what was given back whole, or lost, gives nothing any more': `
    select l.purchase_id, l.period, l.balance from available_class l join invoice i on i.purchase_id = l.purchase_id and i.period = l.period
    where (i.status = 'refunded' or i.status = 'lost' and i.refunded_centavos + i.disputed_centavos = i.total_centavos)
      and not exists (select 1 from invoice o where o.purchase_id = i.purchase_id and o.period = i.period
      and (o.status in ('paid', 'partially_refunded', 'disputed') or o.status = 'lost' and o.refunded_centavos + o.disputed_centavos < o.total_centavos)) and (l."revokedAt" is null or coalesce(l.balance, 0) > 0)`,
  'a revoked purchase gives nothing any more': `
    select p.purchase_id from purchase p join available_class l using (purchase_id) where p.status = 'revoked' and l."revokedAt" is null`,
  'what a bank looks into rests': `
    select l.purchase_id from available_class l join invoice i on i.purchase_id = l.purchase_id and i.period = l.period
    where (i.status = 'disputed' or i.open_dispute_centavos > 0) and l."frozenAt" is null and l."revokedAt" is null`,
  'the amount frozen is the amount asked for': `
    select p.purchase_id, p.total_centavos, x.amount from purchase p join sandbox_payment x on x.purchase_id = p.purchase_id
    where x.amount <> case when p.sale_id is null then p.total_centavos - p.gift_card_centavos else (select s.total_centavos from sale s where s.sale_id = p.sale_id)
      - coalesce((select sum(y.amount_centavos) from sale_payment y where y.sale_id = p.sale_id and y.gateway is null), 0) end`,
  'what staff gave or took has its trace': `
    select p.purchase_id from purchase p where p.request_hash = 'given'
      and not exists (select 1 from audit a where a.action in ('access.give', 'access.gift') and a.entity_id = p.purchase_id::text)`,
}

/** Invariants once all events and jobs were processed. */
const AFTER_PROCESSING: Record<string, string> = {
  'every charge of the processor is one of ours, and none of ours is invented': `
    with theirs as (
      select c.id, c.amount, coalesce(b.amount, 0)::int as back
      from sandbox_ledger c left join (select charge, sum(amount) as amount from sandbox_ledger where "failedAt" is null group by 1) b on b.charge = c.id
      where c.kind = 'charge'
      union all select reference, amount, refunded from cash_payment where "paidAt" is not null),
    ours as (
      select i.provider_payment as id, sum(i.total_centavos)::int as amount, sum(i.refunded_centavos - coalesce(h.amount, 0))::int as back,
        bool_and(i.refunded_centavos = i.total_centavos) as whole
      from invoice i left join (select invoice_id, sum(amount_centavos) as amount from refund where by_hand and state = 'done' group by 1) h using (invoice_id)
      where i.status not in ('pending', 'void') group by i.gateway, i.provider_payment)
    select * from theirs full join ours using (id)
    where theirs.amount is distinct from ours.amount or (theirs.back <> ours.back and not (ours.whole and theirs.back > ours.back))`,
  'a charge in dispute has what the bank disputes or took, at most what was not refunded': `
    select l.id, l.disputed, l."disputedAmount", o.* from sandbox_ledger l join (
      select provider_payment, sum(disputed_centavos)::int as disputed_centavos, sum(total_centavos - refunded_centavos)::int as left_of, min(status) as status
      from invoice where gateway = 'sandbox' group by 1) o on o.provider_payment = l.id
    where l.disputed in ('open', 'lost')
      and (o.status <> case l.disputed when 'lost' then 'lost' else 'disputed' end or o.disputed_centavos <> least(coalesce(l."disputedAmount", l.amount), o.left_of))`,
  'what banks took and returned of a charge adds up to what it has lost (V29)': `
    select i.invoice_id, i.status, i.disputed_centavos, d.moved from invoice i
      left join (select invoice_id, sum(amount_centavos)::int as moved from dispute_movement group by 1) d using (invoice_id)
    where coalesce(d.moved, 0) <> case when i.status = 'lost' then i.disputed_centavos else 0 end`,
  'nothing waits for what nobody knows': `select refund_id from refund where state = 'asked'`,
  'money that was kept bought something, or somebody took it away': `
    select i.invoice_id, i.purchase_id, i.period, p.status from invoice i join purchase p using (purchase_id) join class_package k using (class_package_id)
    where (i.status in ('paid', 'partially_refunded') or i.status = 'lost' and i.refunded_centavos + i.disputed_centavos < i.total_centavos) and k.class_amount <> 0
      and not exists (select 1 from available_class l where l.purchase_id = i.purchase_id and l.period = i.period)
      and not exists (select 1 from money_difference d where d.kind = 'refund_failed' and d.purchase_id = p.purchase_id)`,
  'the owner is told of nothing but refunds that did not arrive': `
    select kind, about, purchase_id, details from money_difference where "closedAt" is null and kind not in ('refund_failed', 'refund_due')`,
  'no purchase has an alarm but late money': `select purchase_id, alarm from purchase where alarm is not null and alarm <> 'late_payment'`,
  'a dispute that is over rests nothing': `
    select p.purchase_id from purchase p where p."frozenAt" is not null
      and not exists (select 1 from invoice i where i.purchase_id = p.purchase_id and (i.status = 'disputed' or i.open_dispute_centavos > 0))`,
}

async function found(s: Pick<TestStudio, 'sql'>, what: Record<string, string>): Promise<Record<string, object[]>> {
  const wrong: Record<string, object[]> = {}
  // One after the other: side by side on a busy machine, the slowest would exceed the time limit of a statement.
  for (const [name, text] of Object.entries(what)) {
    const rows = await s.sql(text)
    if (rows.length > 0) wrong[name] = rows
  }
  return wrong
}

/** The violated invariants with the offending rows. `isProcessed`: all events and jobs were processed. */
export async function wrongMoney(s: Pick<TestStudio, 'sql'>, isProcessed: boolean): Promise<Record<string, object[]>> {
  return { ...(await findBrokenInvariants(s)), ...(await found(s, isProcessed ? { ...ALWAYS, ...AFTER_PROCESSING } : ALWAYS)) }
}
