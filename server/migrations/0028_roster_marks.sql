ALTER TABLE "class_reservation" ADD COLUMN "markedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "class_reservation" ADD COLUMN "marked_by" integer;--> statement-breakpoint
ALTER TABLE "class_reservation" ADD CONSTRAINT "class_reservation_marked_by_staff_staff_id_fk" FOREIGN KEY ("marked_by") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;