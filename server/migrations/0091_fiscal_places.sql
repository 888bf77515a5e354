DROP INDEX "fiscal_line_charge";--> statement-breakpoint
ALTER TABLE "location" ADD COLUMN "postal_code" text;--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD COLUMN "takes_out" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "fiscal_line_taken_out" ON "fiscal_line" USING btree ("replaces_id") WHERE "fiscal_line"."live" and "fiscal_line"."takes_out";--> statement-breakpoint
CREATE UNIQUE INDEX "fiscal_line_charge" ON "fiscal_line" USING btree ("invoice_id") WHERE "fiscal_line"."live" and "fiscal_line"."refund_id" is null and not "fiscal_line"."takes_out";--> statement-breakpoint
ALTER TABLE "location" ADD CONSTRAINT "location_postal_code" CHECK ("location"."postal_code" ~ '^[0-9]{5}$');--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD CONSTRAINT "fiscal_line_takes_out" CHECK (not "fiscal_line"."takes_out" or ("fiscal_line"."replaces_id" is not null and "fiscal_line"."refund_id" is null));