-- Migrations that run together are one transaction, and an earlier one made a table of this name.
drop table if exists erased_now;
--> statement-breakpoint
-- People whose data were erased by an older version, with the records that were merged into them.
create temporary table erased_now on commit drop as
  with recursive erased(customer_id) as (
    select e.customer_id from customer_erasure e where e.outcome = 'erased'
    union select a.entity_id::integer from audit a where a.action = 'customer.erased' and a.entity = 'customer' and a.entity_id ~ '^[0-9]{1,9}$'
    union select c.customer_id from customer c join erased e on c.merged_into = e.customer_id)
  select customer_id from erased;
--> statement-breakpoint
alter table audit disable trigger audit_written_once;
--> statement-breakpoint
-- An entry about a restored class is of no customer, so an erasure does not reach it: it keeps numbers and no names.
update audit set after = jsonb_set(after, '{lost}', (select jsonb_agg(one - 'name') from jsonb_array_elements(after -> 'lost') one))
  where action = 'class.restore' and jsonb_typeof(after -> 'lost') = 'array' and after -> 'lost' <> '[]';
--> statement-breakpoint
-- Names of files were recorded as strings, without their customer. Of a file that is gone nobody knows whose it was.
update audit a set customer_id = f.customer_id, before = jsonb_build_object('customer_id', f.customer_id, 'name', a.before),
    after = jsonb_build_object('customer_id', f.customer_id, 'name', a.after)
  from file f where a.action = 'file.change' and a.entity_id = f.file_id::text and jsonb_typeof(a.after) = 'string'
    and f.customer_id is not null and f."deletedAt" is null;
--> statement-breakpoint
update audit a set before = null, after = null where a.action = 'file.change' and jsonb_typeof(a.after) = 'string'
  and not exists (select from file f where f.file_id::text = a.entity_id and f."deletedAt" is null);
--> statement-breakpoint
-- The trail of a record that somebody was merged with has their profile: entries of one merge were written at the same instant.
update audit a set before = null, after = null, reason = null
  where a.entity = 'customer' and (a.before is not null or a.after is not null) and (
    a.action = 'customer.merge' and exists (select from audit o where o.action = 'customer.merged_into' and o.entity = 'customer' and o.at = a.at
      and o.customer_id in (select customer_id from erased_now))
    or a.action in ('customer.merged_into', 'customer.separate') and a.after ->> 'customer_id' in (select customer_id::text from erased_now)
    -- The pair is deleted with the data of one of the two.
    or a.action = 'customer.distinct' and not exists (select from customer_distinct d where d.lower_id = a.customer_id));
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
--> statement-breakpoint
update invoice set reference = null
  where reference is not null and gateway <> 'regalo' and customer_id in (select customer_id from erased_now);
--> statement-breakpoint
update sale_payment set reference = null
  where reference is not null and gift_card_id is null and sale_id in (select sale_id from sale where customer_id in (select customer_id from erased_now));
--> statement-breakpoint
update fiscal_document set signed_xml = '',
    draft = jsonb_set(draft, '{receiver}', (draft -> 'receiver') || '{"rfc": "XAXX010101000", "name": "BORRADO", "postalCode": "00000"}')
  where state = 'refused' and customer_id in (select customer_id from erased_now);
