CREATE TABLE "class_rollup" (
	"single_class_id" integer PRIMARY KEY NOT NULL,
	"reservations" integer NOT NULL,
	"attended" integer NOT NULL,
	"absent" integer NOT NULL,
	"excused" integer NOT NULL,
	"unmarked" integer NOT NULL,
	"late" integer NOT NULL,
	"cancelled" integer NOT NULL,
	"ratings" integer NOT NULL,
	"stars" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rollup_change" (
	"rollup_change_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rollup_change_rollup_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"single_class_id" integer,
	"customer_id" integer
);
--> statement-breakpoint
CREATE TABLE "rollup_zone" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"zone" text NOT NULL,
	CONSTRAINT "rollup_zone_only" CHECK ("rollup_zone"."is_only")
);
--> statement-breakpoint
CREATE TABLE "visit_first" (
	"customer_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"single_class_id" integer NOT NULL,
	"class_reservation_id" integer NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "visit_first_customer_id_location_id_pk" PRIMARY KEY("customer_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "visit_month" (
	"customer_id" integer NOT NULL,
	"month" date NOT NULL,
	"location_id" integer NOT NULL,
	"visits" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "visit_month_customer_id_month_location_id_pk" PRIMARY KEY("customer_id","month","location_id")
);
--> statement-breakpoint
CREATE INDEX "visit_first_starts" ON "visit_first" USING btree ("starts_at");
--> statement-breakpoint
-- What the rollups are derived from appends its class and its customer here; the job `rollups.refresh` derives them, reports count them until then.
create function mark_rollups() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into rollup_change (single_class_id, customer_id) values (new.single_class_id, new.customer_id);
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (old.single_class_id, old.customer_id) is distinct from (new.single_class_id, new.customer_id) then
    insert into rollup_change (single_class_id, customer_id) values (old.single_class_id, old.customer_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_rollups after insert or delete on class_reservation for each row execute function mark_rollups();
--> statement-breakpoint
create trigger mark_rollups_changed after update on class_reservation for each row
  when ((old.single_class_id, old.customer_id, old.host_reservation_id, old.attend, old.excuse, old."deletedAt", old.cancelled_by, old.cancelled_late, old.coach_stars)
    is distinct from (new.single_class_id, new.customer_id, new.host_reservation_id, new.attend, new.excuse, new."deletedAt", new.cancelled_by, new.cancelled_late, new.coach_stars))
  execute function mark_rollups();
--> statement-breakpoint
-- The counts of a class do not depend on the class itself; the visits of its people do.
create function mark_rollups_of_class() returns trigger language plpgsql as $$
begin
  insert into rollup_change (customer_id)
    select distinct customer_id from class_reservation where single_class_id = new.single_class_id and "deletedAt" is null;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_rollups_of_class after update on single_class for each row
  when ((old.starts_at, old.location_id, old."cancelledAt", old."settledAt") is distinct from (new.starts_at, new.location_id, new."cancelledAt", new."settledAt"))
  execute function mark_rollups_of_class();
--> statement-breakpoint
-- All that is there is derived with the first run.
insert into rollup_change (single_class_id) select single_class_id from single_class order by 1;
--> statement-breakpoint
insert into rollup_change (customer_id) select customer_id from customer order by 1;
