CREATE INDEX "purchase_subscription" ON "purchase" USING btree ("createdAt") WHERE "purchase"."is_subscription";--> statement-breakpoint
-- Entries about purchases and discrepancies belong to the location of the purchase, like the purchases themselves: staff of other locations
-- do not read them.
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
    else null;
  end case;
end $$;
--> statement-breakpoint
alter table audit disable trigger audit_written_once;
--> statement-breakpoint
update audit a set customer_id = s.customer_id, location_id = s.location_id
  from audit b, lateral audit_subject(b.entity, b.entity_id, b.before, b.after) s
  where b.audit_id = a.audit_id and b.entity in ('purchase', 'money_difference') and s.location_id is not null;
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
