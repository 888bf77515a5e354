CREATE INDEX "single_class_package" ON "single_class" USING btree ("class_package_id") WHERE "single_class"."class_package_id" is not null;--> statement-breakpoint
-- Until when a special event is sold is the calendar's to say: its classes, and when the last one begins that was not cancelled.
create view event_classes as
  select class_package_id, max(starts_at) filter (where "cancelledAt" is null) as last_class_at
  from single_class where class_package_id is not null group by class_package_id;
