-- Entries about gift cards, invoices, the pieces of a product and changes to one record belong to their customer and location too: staff of other
-- locations do not read them, and what they say about a person goes with an erasure.
create or replace function audit_subject(entity text, entity_id text, before jsonb, after jsonb, out customer_id integer, out location_id integer)
language plpgsql stable as $$
declare
  id integer := case when entity_id ~ '^[0-9]{1,9}$' then entity_id::integer end;
  recorded text;
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
update audit a set customer_id = s.customer_id, location_id = s.location_id
  from audit b, lateral audit_subject(b.entity, b.entity_id, b.before, b.after) s
  where b.audit_id = a.audit_id and b.entity in ('gift_card', 'fiscal_document', 'product', 'bulk_job')
    and (s.customer_id is not null or s.location_id is not null);
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
--> statement-breakpoint
-- A movement is never rewritten: its customer follows the lot when two customers become one, and the reason that staff wrote goes with an erasure.
create or replace function guard_credit_movement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'customer_id' = to_jsonb(old) - 'customer_id' and new.customer_id =
      (select a.customer_id from available_class a where a.available_class_id = new.available_class_id) then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.reason is null and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  raise exception 'credit_movement is written once' using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create or replace function guard_gift_card_movement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.reason = 'Ajuste' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  raise exception 'movements of gift cards are never changed or deleted' using errcode = 'restrict_violation';
end $$;
