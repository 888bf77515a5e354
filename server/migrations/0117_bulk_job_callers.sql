ALTER TABLE "bulk_job" ADD COLUMN "rights" text[];--> statement-breakpoint
ALTER TABLE "bulk_job" ADD COLUMN "api_key_id" integer;