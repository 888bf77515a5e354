ALTER TABLE "fiscal_document" ADD COLUMN "pac" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "fiscal_document" ADD COLUMN "checkedAt" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "fiscal_document_checked" ON "fiscal_document" USING btree ("pac","checkedAt") WHERE "fiscal_document"."state" = 'valid';