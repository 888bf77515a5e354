/**
 * The rows of a large studio, for what depends on their number: customers, classes of six types with twenty coaches, reservations and the
 * credit lots that paid them, sales with their charges, and the logs. Written without triggers and checks of references, so that a million
 * rows take a minute.
 */
import type pg from 'pg'

export interface LargeStudio {
  customers: number
  class_type_id: number
  location_id: number
  class_package_id: number
  staff_id: number
}

/** Twenty reservations of each class; 140 classes a week, the last ones in six days. */
export async function fillLargeStudio(client: pg.Client | pg.PoolClient, studio: LargeStudio): Promise<void> {
  const { customers, class_type_id, location_id, class_package_id, staff_id } = studio
  const now = `timestamptz '2026-11-19 16:00Z'`
  const firstCustomer = `(select min(customer_id) from customer where email like 'c%@ejemplo.mx')`
  const firstClass = `(select min(single_class_id) from single_class where description = 'carga')`
  const classes = Math.ceil(customers / 2)
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `insert into customer (uid, name, last_name, email, phone, birthdate, "createdAt")
     select case when n % 3 > 0 then 'u' || n end, (array['María','José','Ana','Luis','Sofía','Ángel','Ximena','Raúl'])[1 + n % 8] || ' ' || md5(n::text)::char(3),
       (array['Núñez','García','López','Treviño','Ibarra'])[1 + n % 5] || ' ' || md5(n::text)::char(5), 'c' || n || '@ejemplo.mx', (6000000000 + n)::text,
       date '1970-01-01' + n % 12000, ${now} - n % 1000 * interval '1 day' from generate_series(1, $1::int) n`,
    [customers],
  )
  await client.query(
    `insert into single_class (class_type_id, location_id, description, starts_at, ends_at, capacity, taken, "settledAt")
     select $1, $2, 'carga', at, at + interval '50 minutes', 30, 0, case when at < ${now} then at end
     from generate_series(0, $3::int - 1) n, lateral (select ${now} + interval '6 days' - n * interval '72 minutes' as at) as start`,
    [class_type_id, location_id, classes],
  )
  await client.query(
    `with made as (
       insert into class_type (name, description) select 'Carga ' || n, 'carga' from generate_series(1, 5) n returning class_type_id
     ), types as (select array_agg(class_type_id) as ids from made)
     update single_class set class_type_id = ids[single_class_id % 6] from types where description = 'carga' and single_class_id % 6 > 0`,
  )
  await client.query(
    `with made as (
       insert into instructor (name, last_name) select 'Coach ' || n, 'Carga' from generate_series(1, 20) n returning instructor_id
     ), coaches as (select array_agg(instructor_id) as ids from made)
     insert into class_instructor (single_class_id, instructor_id)
       select single_class_id, ids[1 + single_class_id % 20] from single_class, coaches where description = 'carga'`,
  )
  await client.query(
    `insert into class_reservation (single_class_id, customer_id, attend, is_cash, is_paid, "createdAt", "updatedAt", "deletedAt", cancelled_by, cancelled_late)
     select single_class_id, ${firstCustomer} + c - 1, case when starts_at > ${now} or v % 9 = 0 then null else v % 9 > 1 end, c % 500 = v, c % 500 <> v,
       starts_at - v * interval '7 hours', starts_at, gone, case when gone is not null then 'customer' end, case when gone is not null then v = 8 end
     from generate_series(1, $1::int) c, generate_series(1, 10) v,
       lateral (select single_class_id, starts_at from single_class where single_class_id = ${firstClass} + (c * 7 + v * 1531) % $2::int) as class,
       lateral (select case when (c + v) % 8 = 0 then starts_at - interval '1 hour' end as gone) as cancelled`,
    [customers, classes],
  )
  await client.query(
    `insert into waitlist (single_class_id, customer_id, status, "createdAt", "updatedAt")
     select ${firstClass} + n % $2::int, ${firstCustomer} + n % $1::int, (array['booked','passed','left','closed'])[1 + n % 4], ${now}, ${now}
     from generate_series(1, $1::int) n`,
    [customers, classes],
  )
  await client.query(
    `insert into purchase (purchase_id, customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, is_subscription,
       gateway, status, location_id, request_hash, "completedAt", benefits_until, "createdAt", "updatedAt")
     select nextval('order_number'), ${firstCustomer} + n % $1::int, $2, 'Paquete de diez', price, price, 10, 60, n <= $1::int / 20,
       (array['efectivo','mostrador','sandbox'])[1 + n % 3], case when n <= $1::int / 20 then 'active' else 'completed' end,
       case when n % 3 < 2 then $3::int end, 'carga', at, case when n <= $1::int / 20 then ${now} + n % 30 * interval '1 day' end, at, at
     from generate_series(1, $1::int * 3) n, lateral (select ${now} - n * interval '12 minutes' as at, 100000 + n % 1000 as price) as sold`,
    [customers, class_package_id, location_id],
  )
  // Ten credits of each of the last purchases, good for sixty days; one is spent every six days, until two, one or none is left.
  await client.query(
    `insert into available_class (customer_id, purchase_id, period, class_package_id, title, unlimited, granted, balance, expires_at, "createdAt")
     select customer_id, purchase_id, '0', class_package_id, 'Diez', false, 10, 10 - spent, at + interval '60 days', at
     from (select p.*, p."createdAt" as at, row_number() over (order by p."createdAt" desc) as n from purchase p where request_hash = 'carga') p,
       lateral (select least(8 + n % 3, floor(extract(epoch from ${now} - at) / 518400))::int as spent) as used
     where n <= $1::int * 6 / 5`,
    [customers],
  )
  await client.query(
    `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt")
     select available_class_id, customer_id, 'grant', granted, 'system', "createdAt" from available_class where title = 'Diez'`,
  )
  await client.query(
    `insert into credit_movement (available_class_id, customer_id, kind, amount, class_reservation_id, actor, "createdAt")
     select available_class_id, customer_id, 'spend', -1, class_reservation_id, 'customer', at
     from (select l.available_class_id, l.customer_id, l."createdAt" + k * interval '6 days' as at, row_number() over (order by l."createdAt" + k * interval '6 days' desc) as n
         from available_class l, lateral generate_series(1, l.granted - l.balance) k where l.title = 'Diez') m
       join (select r.class_reservation_id, row_number() over (order by c.starts_at desc, r.class_reservation_id) as n
         from class_reservation r join single_class c using (single_class_id) where c.starts_at < ${now} and r."deletedAt" is null
           and not exists (select 1 from credit_movement m where m.class_reservation_id = r.class_reservation_id)) r using (n)`,
  )
  // A place belongs to the lot that paid it. One lot in ten is unlimited: its places cost no credits.
  await client.query(
    `update class_reservation r set available_class_id = m.available_class_id from credit_movement m
     where m.class_reservation_id = r.class_reservation_id and m.kind = 'spend' and r.available_class_id is null`,
  )
  await client.query(
    `delete from credit_movement where available_class_id in (select available_class_id from available_class where title = 'Diez' and available_class_id % 10 = 0)`,
  )
  await client.query(
    `update available_class set unlimited = true, granted = null, balance = null, title = 'Ilimitado' where title = 'Diez' and available_class_id % 10 = 0`,
  )
  await client.query(
    `insert into payment_attempt (purchase_id, n, gateway, ref_kind, state, instrument, "createdAt", "updatedAt")
     select purchase_id, 1, gateway, 'payment', 'paid', '{"by":"hand"}', "createdAt", "createdAt" from purchase where request_hash = 'carga'`,
  )
  await client.query(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, location_id, tax_rate,
       net_centavos, tax_centavos, "paidAt", "createdAt")
     select purchase_id, customer_id, gateway, 'carga-' || purchase_id, '0', total_centavos, case when purchase_id % 50 = 0 then total_centavos else 0 end,
       case when purchase_id % 50 = 0 then 'refunded' else 'paid' end, location_id, 0, total_centavos, 0, "createdAt", "createdAt"
     from purchase where request_hash = 'carga'`,
  )
  await client.query(
    `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
     select purchase_id, invoice_id, refunded_centavos, true, 'Carga', 'done', "createdAt", "createdAt", "createdAt" from invoice where refunded_centavos > 0`,
  )
  await client.query(
    `with sold as (
       insert into sale (customer_id, location_id, staff_id, total_centavos, owed_centavos, owe_until, owe_reason, "createdAt")
       select customer_id, $1, $2, total_centavos, case when purchase_id % 400 = 0 then total_centavos else 0 end,
         case when purchase_id % 400 = 0 then "createdAt"::date end, case when purchase_id % 400 = 0 then 'Paga mañana' end, "createdAt"
       from purchase where request_hash = 'carga' and location_id is not null and not is_subscription order by purchase_id returning *)
     insert into sale_line (sale_id, n, kind, title, quantity, list_centavos, total_centavos, tax_rate, net_centavos, tax_centavos)
     select sale_id, 1, 'package', 'Paquete de diez', 1, total_centavos, total_centavos, 0, total_centavos, 0 from sold`,
    [location_id, staff_id],
  )
  await client.query(
    `update purchase p set sale_id = s.sale_id, sale_line_id = l.sale_line_id
     from sale s join sale_line l using (sale_id) where s."createdAt" = p."createdAt" and s.customer_id = p.customer_id and p.request_hash = 'carga'`,
  )
  await client.query(
    `delete from invoice i using purchase p join sale s using (sale_id) where i.purchase_id = p.purchase_id and s.owed_centavos > 0`,
  )
  await client.query(
    `with card as (
       insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt")
       select purchase_id, md5(purchase_id::text), right('000' || purchase_id, 4), total_centavos, purchase_id, "createdAt" from purchase
       where request_hash = 'carga' and purchase_id % 15 = 0 returning *)
     insert into gift_card_movement (gift_card_id, n, kind, amount_centavos, balance_centavos, "createdAt")
     select gift_card_id, 1, 'sold', amount_centavos, amount_centavos, "createdAt" from card`,
  )
  await client.query(
    `insert into gift_card_movement (gift_card_id, n, kind, amount_centavos, balance_centavos, "createdAt")
     select gift_card_id, 2, 'spent', -amount_centavos, 0, "createdAt" from gift_card where gift_card_id % 4 > 0`,
  )
  await client.query(
    `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt", "sentAt")
     select 'reservation_reminder', 'carga:' || n, ${firstCustomer} + n % $1::int, (array['mail','whatsapp','app'])[1 + n % 3], case when n % 97 = 0 then 'failed' else 'sent' end,
       '{"title":"Tu clase","lines":["Mañana"],"notes":[],"action":null,"blanks":[]}', at, at, at
     from generate_series(1, $1::int * 5) n, lateral (select ${now} - n * interval '3 minutes' as at) as sent`,
    [customers],
  )
  await client.query(
    `insert into audit (at, actor, actor_id, action, entity, entity_id, customer_id)
     select ${now} - (10 * $1::int - n) * interval '2 minutes', (array['customer','staff:reception'])[1 + n % 2],
       case when n % 2 = 0 then ${firstCustomer} + n % $1::int else $2::int end, (array['reservation.create','reservation.cancel','customer.update'])[1 + n % 3],
       case when n % 3 < 2 then 'class_reservation' else 'customer' end, (${firstCustomer} + n % $1::int)::text, ${firstCustomer} + n % $1::int
     from generate_series(1, $1::int * 10) n`,
    [customers, staff_id],
  )
  await client.query(
    `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, class_reservation_ids, "createdAt")
     select ${firstCustomer} + n % $1::int, 'Carga', at, at + interval '2 days', '{}', at
     from generate_series(1, $1::int / 5) n, lateral (select ${now} - n * interval '1 hour' as at) as penalty`,
    [customers],
  )
  await client.query(
    `insert into customer_change (customer_id) select customer_id from customer where "deletedAt" is null order by customer_id`,
  )
  await client.query(`insert into rollup_change (customer_id) select customer_id from customer order by 1`)
  await client.query(`insert into rollup_change (single_class_id) select single_class_id from single_class order by 1`)
  await client.query(`insert into income_change (purchase_id) select distinct purchase_id from invoice order by 1`)
  await client.query(
    `insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
     select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id), count(*), sum(i.total_centavos), sum(i.tax_centavos),
       sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
     from invoice i join purchase p using (purchase_id) where p.request_hash = 'carga' group by 1, 2, 3, 4, 5`,
  )
  await client.query(
    `insert into purchase_paid_elsewhere (purchase_id, location_id)
     select distinct i.purchase_id, i.location_id from invoice i join purchase p using (purchase_id)
     where p.request_hash = 'carga' and i.location_id is not null and p.location_id is distinct from i.location_id on conflict do nothing`,
  )
  await client.query('commit')
}
