-- The counts of every class are derived again with the first run, with the new ones; reports count them until then.
-- Locked first: an older process that still runs must not add counts without them before the columns are there.
lock table class_rollup in access exclusive mode;
--> statement-breakpoint
delete from class_rollup;
--> statement-breakpoint
insert into rollup_change (single_class_id) select single_class_id from single_class order by 1;
--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "low" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "class_ratings" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "class_stars" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "waited" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "class_rollup" ADD COLUMN "outside" integer[] NOT NULL;
--> statement-breakpoint
drop trigger mark_rollups_changed on class_reservation;
--> statement-breakpoint
create trigger mark_rollups_changed after update on class_reservation for each row
  when ((old.single_class_id, old.customer_id, old.host_reservation_id, old.attend, old.excuse, old."deletedAt", old.cancelled_by, old.cancelled_late, old.coach_stars, old.class_stars)
    is distinct from (new.single_class_id, new.customer_id, new.host_reservation_id, new.attend, new.excuse, new."deletedAt", new.cancelled_by, new.cancelled_late, new.coach_stars, new.class_stars))
  execute function mark_rollups();
--> statement-breakpoint
-- Who waited for a class and who got in is a count of the class.
create function mark_rollups_of_waitlist() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into rollup_change (single_class_id) values (new.single_class_id);
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and old.single_class_id <> new.single_class_id then
    insert into rollup_change (single_class_id) values (old.single_class_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_rollups_of_waitlist after insert or delete on waitlist for each row execute function mark_rollups_of_waitlist();
--> statement-breakpoint
create trigger mark_rollups_of_waitlist_changed after update on waitlist for each row
  when ((old.single_class_id, old.customer_id, old.status) is distinct from (new.single_class_id, new.customer_id, new.status))
  execute function mark_rollups_of_waitlist();
