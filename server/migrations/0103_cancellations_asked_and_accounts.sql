ALTER TABLE "fiscal_document" ADD COLUMN "pac_account" text;--> statement-breakpoint
ALTER TABLE "fiscal_document" ADD COLUMN "cancelAskedAt" timestamp with time zone;