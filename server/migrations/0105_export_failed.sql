ALTER TABLE "studio_export" DROP CONSTRAINT "studio_export_state";--> statement-breakpoint
ALTER TABLE "studio_export" ADD COLUMN "progressAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "studio_export" ADD CONSTRAINT "studio_export_state" CHECK ("studio_export"."state" in ('waiting', 'running', 'done', 'failed'));