-- Only the locks and rows that make a place: no answer kept under the request's key, no job that tells the customer, no look at overlaps, the
-- line and documents. What a booking cannot be; measured beside the whole one, because earlier figures were held against it.
select nextval('bench_pair') as i \gset
\set class :first_class + ((:i / :customers + :i) % :classes)
\set customer :first_customer + (:i % :customers)
begin;
select single_class_id, starts_at, capacity, taken, held from single_class where single_class_id = :class for update;
select customer_id from customer where customer_id = :customer for update;
select available_class_id from available_class where customer_id = :customer and (unlimited or balance > 0) and "revokedAt" is null and expires_at > now() order by unlimited desc, is_courtesy desc, expires_at, available_class_id limit 1 for update \gset
insert into class_reservation (single_class_id, customer_id, available_class_id, "createdAt", "updatedAt") values (:class, :customer, :available_class_id, now(), now()) returning class_reservation_id \gset
insert into credit_movement (available_class_id, customer_id, kind, amount, class_reservation_id, actor, "createdAt") values (:available_class_id, :customer, 'spend', -1, :class_reservation_id, 'bench', now());
commit;
