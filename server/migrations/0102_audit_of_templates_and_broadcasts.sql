-- Broadcasts about a class and templates with the classes of one location are read in the audit trail by the staff of that location and by those of all.
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
    when 'holiday', 'schedule_template' then
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
    when 'broadcast' then
      -- About a class; every other one is of no location.
      select b.audience ->> 'single_class_id' into recorded from broadcast b where b.broadcast_id = id;
      if recorded ~ '^[0-9]{1,9}$' then
        select c.location_id into location_id from single_class c where c.single_class_id = recorded::integer;
      end if;
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
  where b.audit_id = a.audit_id and b.entity = 'broadcast' and s.location_id is not null;
--> statement-breakpoint
-- Entries about templates did not name the locations: those of the template as it is.
update audit a set location_id = t.location_id
  from (select s.schedule_template_id::text as id, min((c -> 'fields' ->> 'location_id')::integer) as location_id
    from schedule_template s, jsonb_array_elements(case when jsonb_typeof(s.classes) = 'array' then s.classes else '[]' end) c
    where c -> 'fields' ->> 'location_id' ~ '^[0-9]{1,9}$' group by 1
    having count(distinct c -> 'fields' ->> 'location_id') = 1) t
  where a.entity = 'schedule_template' and a.entity_id = t.id and a.location_id is null;
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
