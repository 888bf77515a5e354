CREATE TABLE "income_class" (
	"purchase_id" integer NOT NULL,
	"single_class_id" integer NOT NULL,
	"amount" numeric(24, 10) NOT NULL,
	CONSTRAINT "income_class_purchase_id_single_class_id_pk" PRIMARY KEY("purchase_id","single_class_id")
);
--> statement-breakpoint
CREATE TABLE "income_class_total" (
	"single_class_id" integer PRIMARY KEY NOT NULL,
	"amount" numeric(24, 10) NOT NULL
);
--> statement-breakpoint
CREATE INDEX "income_class_of" ON "income_class" USING btree ("single_class_id");--> statement-breakpoint
-- What a class brought in is the sum of its places that were used for good: a place that is taken, cancelled or moved changes that of its purchase.
create function mark_income_of_place() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into income_change (purchase_id) select new.purchase_id where new.available_class_id is null and new.purchase_id is not null
      union all select l.purchase_id from available_class l where l.available_class_id = new.available_class_id and l.purchase_id is not null;
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (old.available_class_id, old.purchase_id) is distinct from (new.available_class_id, new.purchase_id) then
    insert into income_change (purchase_id) select old.purchase_id where old.available_class_id is null and old.purchase_id is not null
      union all select l.purchase_id from available_class l where l.available_class_id = old.available_class_id and l.purchase_id is not null;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income_of_place_taken after insert on class_reservation for each row
  when (new.available_class_id is not null or new.purchase_id is not null) execute function mark_income_of_place();
--> statement-breakpoint
create trigger mark_income_of_place_erased after delete on class_reservation for each row
  when (old.available_class_id is not null or old.purchase_id is not null) execute function mark_income_of_place();
--> statement-breakpoint
create trigger mark_income_of_place_changed after update on class_reservation for each row
  when ((old.single_class_id, old.available_class_id, old.purchase_id, old."deletedAt", old.cancelled_late)
    is distinct from (new.single_class_id, new.available_class_id, new.purchase_id, new."deletedAt", new.cancelled_late))
  execute function mark_income_of_place();
--> statement-breakpoint
-- A day of an unlimited lot is shared by its classes of that day that took place.
create function mark_income_of_day() returns trigger language plpgsql as $$
begin
  insert into income_change (purchase_id) select distinct l.purchase_id
    from class_reservation r join available_class l using (available_class_id)
    where r.single_class_id = new.single_class_id and l.unlimited and l.purchase_id is not null;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income_of_day after update on single_class for each row
  when ((old.starts_at, old.location_id, old."cancelledAt" is null) is distinct from (new.starts_at, new.location_id, new."cancelledAt" is null))
  execute function mark_income_of_day();
--> statement-breakpoint
create function mark_income_of_zone() returns trigger language plpgsql as $$
begin
  insert into income_change (purchase_id) select distinct l.purchase_id
    from single_class c join class_reservation r using (single_class_id) join available_class l using (available_class_id)
    where c.location_id = new.location_id and l.unlimited and l.purchase_id is not null;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income_of_zone after update on location for each row
  when (old.timezone is distinct from new.timezone) execute function mark_income_of_zone();
--> statement-breakpoint
-- What every class brought in is derived with the first runs; reports compute it until then.
insert into income_change (purchase_id) select purchase_id from invoice union select purchase_id from income_unit order by 1;
