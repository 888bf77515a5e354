-- What `POST /class_reservations` must do, written by hand with the fewest statements: the class, the customer and a credit are locked in that
-- order; overlaps, the place in the line and documents are looked at behind those locks; then the place, what it cost, the job that tells
-- the customer, and the answer under the request's key.
select nextval('bench_pair') as i \gset
\set class :first_class + ((:i / :customers + :i) % :classes)
\set customer :first_customer + (:i % :customers)
begin;
select c.starts_at, c.ends_at, c.capacity, c.taken, c.held, l.timezone from single_class c join location l using (location_id) where c.single_class_id = :class for no key update of c \gset
select customer_id from customer where customer_id = :customer for no key update;
-- Values behind a select are not seen by the planner: the statement is planned once. Planned each time it would flatter us.
select c.single_class_id from single_class c join class_reservation r using (single_class_id) where c.starts_at < (select :ends_at::timestamptz) and c.ends_at > (select :starts_at::timestamptz) and c.starts_at > (select :starts_at::timestamptz - interval '1 day') and c."cancelledAt" is null and r.customer_id = :customer and r."deletedAt" is null and r.host_reservation_id is null;
select waitlist_id from waitlist where single_class_id = :class and customer_id = :customer and status in ('waiting', 'offered');
select p.page_id from page p left join accepted_page a on a.page_id = p.page_id and a.version = p.version and a.customer_id = :customer where (p.required or p.required_signup) and p.content is not null and a.customer_id is null;
select available_class_id from available_class where customer_id = :customer and (unlimited or balance > 0) and "revokedAt" is null and expires_at > now() order by unlimited desc, is_courtesy desc, expires_at, available_class_id limit 1 for no key update \gset
insert into class_reservation (single_class_id, customer_id, available_class_id, "createdAt", "updatedAt") values (:class, :customer, :available_class_id, now(), now()) returning class_reservation_id \gset
insert into credit_movement (available_class_id, customer_id, kind, amount, class_reservation_id, actor, "createdAt") values (:available_class_id, :customer, 'spend', -1, :class_reservation_id, 'bench', now());
-- Due in a year: the program that is measured beside it would take it for work of its own.
insert into jobs.job (name, data, start_after, policy, retry_limit, retry_delay, retry_backoff, expire_seconds) values ('estudio', jsonb_build_object('job', 'bench', 'data', jsonb_build_object('class_reservation_id', :class_reservation_id::integer)), now() + interval '1 year', 'standard', 5, 5, true, 120);
insert into idempotency (actor, key, request_hash, answer) values ('bench-' || :first_class, :i::text, 'bench', jsonb_build_object('class_reservation_id', :class_reservation_id::integer));
commit;
