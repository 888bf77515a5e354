ALTER TABLE "instructor" ADD COLUMN "photo_original" text;--> statement-breakpoint
ALTER TABLE "instructor" ADD COLUMN "photo_crop" jsonb;