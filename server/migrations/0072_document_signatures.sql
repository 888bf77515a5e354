ALTER TABLE "accepted_page" ADD COLUMN "signed_name" text;--> statement-breakpoint
ALTER TABLE "accepted_page" ADD COLUMN "strokes" jsonb;--> statement-breakpoint
ALTER TABLE "accepted_page" ADD COLUMN "staff_id" integer;--> statement-breakpoint
ALTER TABLE "accepted_page" ADD CONSTRAINT "accepted_page_staff_id_staff_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accepted_page" ADD CONSTRAINT "accepted_page_signature" CHECK (("accepted_page"."signed_name" is null) = ("accepted_page"."strokes" is null));