-- What belongs to one location is read in the audit trail by its staff and by those of all: also a location itself, its rooms and pay rules, and days without classes
-- at one location only.
create or replace function audit_subject(entity text, entity_id text, before jsonb, after jsonb, out customer_id integer, out location_id integer)
language plpgsql stable as $$
declare
  id integer := case when entity_id ~ '^[0-9]{1,9}$' then entity_id::integer end;
  recorded text;
  places jsonb;
begin
  if id is null then return; end if;
  case entity
    when 'customer' then customer_id := id;
    when 'purchase' then select p.customer_id, p.location_id into customer_id, location_id from purchase p where p.purchase_id = id;
    when 'sale' then select s.customer_id, s.location_id into customer_id, location_id from sale s where s.sale_id = id;
    when 'money_difference' then
      select p.customer_id, p.location_id into customer_id, location_id
        from money_difference d join purchase p using (purchase_id) where d.money_difference_id = id;
    when 'available_class' then select a.customer_id into customer_id from available_class a where a.available_class_id = id;
    when 'class_reservation_penalty' then
      select p.customer_id into customer_id from class_reservation_penalty p where p.class_reservation_penalty_id = id;
    when 'class_reservation' then
      select r.customer_id, c.location_id into customer_id, location_id
        from class_reservation r join single_class c using (single_class_id) where r.class_reservation_id = id;
    when 'waitlist' then
      select w.customer_id, c.location_id into customer_id, location_id
        from waitlist w join single_class c using (single_class_id) where w.waitlist_id = id;
    when 'cash_session' then select s.location_id into location_id from cash_session s where s.cash_session_id = id;
    when 'single_class' then
      select c.location_id into location_id from single_class c where c.single_class_id = id;
      recorded := before ->> 'location_id';
      if location_id is null and recorded ~ '^[0-9]{1,9}$' then location_id := recorded::integer; end if;
    when 'location' then location_id := id;
    when 'room', 'pay_rule' then
      recorded := coalesce(after ->> 'location_id', before ->> 'location_id');
      if recorded ~ '^[0-9]{1,9}$' then location_id := recorded::integer;
      elsif entity = 'room' then select r.location_id into location_id from room r where r.room_id = id;
      end if;
    when 'holiday' then
      -- Those of several locations, and of all (null), are read by everybody.
      places := coalesce(after -> 'location_ids', before -> 'location_ids');
      if jsonb_typeof(places) = 'array' and jsonb_array_length(places) = 1 and (places ->> 0) ~ '^[0-9]{1,9}$' then
        location_id := (places ->> 0)::integer;
      end if;
    when 'file' then
      recorded := coalesce(after, before) ->> 'customer_id';
      if recorded ~ '^[0-9]{1,9}$' then customer_id := recorded::integer; end if;
    when 'gift_card' then
      select p.customer_id, p.location_id into customer_id, location_id
        from gift_card g join purchase p using (purchase_id) where g.gift_card_id = id;
    when 'fiscal_document' then
      select d.customer_id, d.location_id into customer_id, location_id from fiscal_document d where d.fiscal_document_id = id;
    when 'product' then
      -- A correction of the pieces at one location; a change of the product itself is of none.
      recorded := after ->> 'location_id';
      if recorded ~ '^[0-9]{1,9}$' then location_id := recorded::integer; end if;
    when 'bulk_job' then
      -- A change to many records is about nobody; one to a single record is about its person.
      select case when j.action ~ '^(tags|credits|customers)[.]' then i.item_id
          when j.action ~ '^reservations[.]' then (select r.customer_id from class_reservation r where r.class_reservation_id = i.item_id)
          else (select p.customer_id from purchase p where p.purchase_id = i.item_id) end into customer_id
        from bulk_job j join bulk_item i using (bulk_job_id) where j.bulk_job_id = id and j.total = 1;
    else null;
  end case;
end $$;
--> statement-breakpoint
alter table audit disable trigger audit_written_once;
--> statement-breakpoint
update audit a set location_id = s.location_id
  from audit b, lateral audit_subject(b.entity, b.entity_id, b.before, b.after) s
  where b.audit_id = a.audit_id and b.entity in ('location', 'room', 'pay_rule', 'holiday') and s.location_id is not null;
--> statement-breakpoint
-- People who were erased by an older version keep no reasons that staff wrote with their money and credits, and no values that were recorded about them: the same that an
-- erasure empties today. Their records, and those that were merged into them, are named in the trail.
create temporary table erased_now on commit drop as
  with recursive erased(customer_id) as (
    select e.customer_id from customer_erasure e where e.outcome = 'erased'
    union select a.entity_id::integer from audit a where a.action = 'customer.erased' and a.entity = 'customer' and a.entity_id ~ '^[0-9]{1,9}$'
    union select c.customer_id from customer c join erased e on c.merged_into = e.customer_id)
  select customer_id from erased;
--> statement-breakpoint
update audit set before = null, after = null, reason = null
  where customer_id in (select customer_id from erased_now) and action <> 'customer.erased' and (before is not null or after is not null or reason is not null);
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
--> statement-breakpoint
update credit_movement set reason = null where reason is not null and customer_id in (select customer_id from erased_now);
--> statement-breakpoint
update purchase set cancel_reason = null, note = null
  where customer_id in (select customer_id from erased_now) and (cancel_reason is not null or note is not null);
--> statement-breakpoint
update sale set note = null, owe_reason = case when owe_reason is not null then 'Adeudo' end
  where customer_id in (select customer_id from erased_now) and (note is not null or owe_reason is not null);
--> statement-breakpoint
update refund set reason = 'Devolución'
  where purchase_id in (select p.purchase_id from purchase p join erased_now using (customer_id)) and reason <> 'Devolución';
--> statement-breakpoint
update sale_line set price_reason = case when price_reason is not null then 'Ajuste' end, over_limit_reason = case when over_limit_reason is not null then 'Ajuste' end
  where sale_id in (select s.sale_id from sale s join erased_now using (customer_id)) and (price_reason is not null or over_limit_reason is not null);
--> statement-breakpoint
update sale_payment set decide_reason = 'Borrado'
  where decide_reason is not null and sale_id in (select s.sale_id from sale s join erased_now using (customer_id));
--> statement-breakpoint
update gift_card_movement set reason = 'Ajuste'
  where reason is not null and reason <> 'Ajuste' and gift_card_id in (select g.gift_card_id from gift_card g join purchase p using (purchase_id) join erased_now using (customer_id));
--> statement-breakpoint
update bulk_job set reason = 'Borrado'
  where reason is not null and total = 1 and bulk_job_id in (select i.bulk_job_id from bulk_item i join bulk_job j using (bulk_job_id)
    where case when j.action ~ '^(tags|credits|customers)[.]' then i.item_id in (select customer_id from erased_now)
      when j.action ~ '^reservations[.]' then i.item_id in (select r.class_reservation_id from class_reservation r join erased_now using (customer_id))
      else i.item_id in (select p.purchase_id from purchase p join erased_now using (customer_id)) end);
