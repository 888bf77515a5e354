DROP INDEX "fiscal_line_charge";--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD COLUMN "is_loss" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "fiscal_line_loss" ON "fiscal_line" USING btree ("invoice_id") WHERE "fiscal_line"."live" and "fiscal_line"."is_loss";--> statement-breakpoint
CREATE UNIQUE INDEX "fiscal_line_charge" ON "fiscal_line" USING btree ("invoice_id") WHERE "fiscal_line"."live" and "fiscal_line"."refund_id" is null and not "fiscal_line"."takes_out" and not "fiscal_line"."is_loss";--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD CONSTRAINT "fiscal_line_loss" CHECK (not "fiscal_line"."is_loss" or ("fiscal_line"."refund_id" is null and not "fiscal_line"."takes_out"));