-- The counts of every class are derived again with the first run, with the new ones; reports count them until then.
-- Locked first: an older process that still runs must not add counts without them before the columns are there.
lock table class_rollup in access exclusive mode;
--> statement-breakpoint
delete from class_rollup;
--> statement-breakpoint
insert into rollup_change (single_class_id) select single_class_id from single_class order by 1;
--> statement-breakpoint
CREATE TABLE "class_refusal" (
	"single_class_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "class_refusal_single_class_id_customer_id_pk" PRIMARY KEY("single_class_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "refused" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "first_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "filled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "class_refusal" ADD CONSTRAINT "class_refusal_single_class_id_single_class_single_class_id_fk" FOREIGN KEY ("single_class_id") REFERENCES "public"."single_class"("single_class_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "class_refusal" ADD CONSTRAINT "class_refusal_customer_id_customer_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "class_refusal_customer" ON "class_refusal" USING btree ("customer_id");
--> statement-breakpoint
-- Who was refused because a class was full is a count of the class.
create trigger mark_rollups_of_refusal after insert or delete on class_refusal for each row execute function mark_rollups_of_waitlist();
--> statement-breakpoint
create trigger mark_rollups_of_refusal_changed after update on class_refusal for each row
  when ((old.single_class_id, old.customer_id) is distinct from (new.single_class_id, new.customer_id))
  execute function mark_rollups_of_waitlist();
--> statement-breakpoint
-- With another capacity a class was full at another time.
create function mark_rollups_of_capacity() returns trigger language plpgsql as $$
begin
  insert into rollup_change (single_class_id) values (new.single_class_id);
  return null;
end $$;
--> statement-breakpoint
create trigger mark_rollups_of_capacity after update on single_class for each row
  when (old.capacity is distinct from new.capacity) execute function mark_rollups_of_capacity();
--> statement-breakpoint
-- When a place was taken and given back is a fact of the class too.
drop trigger mark_rollups_changed on class_reservation;
--> statement-breakpoint
create trigger mark_rollups_changed after update on class_reservation for each row
  when ((old.single_class_id, old.customer_id, old.host_reservation_id, old.attend, old.excuse, old."createdAt", old."deletedAt", old.cancelled_by, old.cancelled_late, old.coach_stars, old.class_stars)
    is distinct from (new.single_class_id, new.customer_id, new.host_reservation_id, new.attend, new.excuse, new."createdAt", new."deletedAt", new.cancelled_by, new.cancelled_late, new.coach_stars, new.class_stars))
  execute function mark_rollups();
