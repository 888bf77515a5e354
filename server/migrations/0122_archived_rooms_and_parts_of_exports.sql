ALTER TABLE "room" ADD COLUMN "archivedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "studio_export" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "studio_export" ADD COLUMN "format" text DEFAULT 'csv' NOT NULL;