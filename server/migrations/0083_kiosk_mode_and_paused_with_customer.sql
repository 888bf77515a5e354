ALTER TABLE "purchase" ADD COLUMN "paused_with_customer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "shared_device" ADD COLUMN "kiosk_staff_id" integer;--> statement-breakpoint
ALTER TABLE "shared_device" ADD COLUMN "kiosk_location_id" integer;--> statement-breakpoint
ALTER TABLE "shared_device" ADD CONSTRAINT "shared_device_kiosk_staff_id_staff_staff_id_fk" FOREIGN KEY ("kiosk_staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_device" ADD CONSTRAINT "shared_device_kiosk_location_id_location_location_id_fk" FOREIGN KEY ("kiosk_location_id") REFERENCES "public"."location"("location_id") ON DELETE no action ON UPDATE no action;