ALTER TABLE "staff" ADD COLUMN "lastSignInAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "customer_id" integer;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "location_id" integer;--> statement-breakpoint
CREATE INDEX "audit_entity_latest" ON "audit" USING btree ("entity","audit_id");--> statement-breakpoint
CREATE INDEX "audit_action_latest" ON "audit" USING btree ("action","audit_id");--> statement-breakpoint
CREATE INDEX "audit_actor_latest" ON "audit" USING btree ("actor_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_customer_latest" ON "audit" USING btree ("customer_id","audit_id") WHERE "audit"."customer_id" is not null;--> statement-breakpoint
-- Which customer and which location an entry is about: the filters of the audit screen, without naming the two in every verb. `single_class`
-- falls back to the recorded values, because an erased class is gone before its entry is written.
create function audit_subject(entity text, entity_id text, before jsonb, after jsonb, out customer_id integer, out location_id integer)
language plpgsql stable as $$
declare
  id integer := case when entity_id ~ '^[0-9]{1,9}$' then entity_id::integer end;
  recorded text;
begin
  if id is null then return; end if;
  case entity
    when 'customer' then customer_id := id;
    when 'purchase' then select p.customer_id into customer_id from purchase p where p.purchase_id = id;
    when 'sale' then select s.customer_id, s.location_id into customer_id, location_id from sale s where s.sale_id = id;
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
create function set_audit_subject() returns trigger language plpgsql as $$
begin
  select s.customer_id, s.location_id into new.customer_id, new.location_id
    from audit_subject(new.entity, new.entity_id, new.before, new.after) s;
  return new;
end $$;
--> statement-breakpoint
create trigger set_audit_subject before insert on audit for each row execute function set_audit_subject();
--> statement-breakpoint
-- Entries of before get both as well.
alter table audit disable trigger audit_written_once;
--> statement-breakpoint
update audit a set customer_id = s.customer_id, location_id = s.location_id
  from audit b, lateral audit_subject(b.entity, b.entity_id, b.before, b.after) s
  where b.audit_id = a.audit_id and (s.customer_id is not null or s.location_id is not null);
--> statement-breakpoint
alter table audit enable trigger audit_written_once;
