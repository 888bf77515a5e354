ALTER TABLE "sale_payment" DROP CONSTRAINT "sale_payment_method";--> statement-breakpoint
DROP INDEX "invoice_provider";--> statement-breakpoint
ALTER TABLE "sale" ADD COLUMN "is_waiting" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sale_payment" ADD COLUMN "gateway" text;--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD COLUMN "sale_id" integer;--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_sale_id_sale_sale_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sale"("sale_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_attempt_sale" ON "payment_attempt" USING btree ("sale_id") WHERE "payment_attempt"."sale_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_provider" ON "invoice" USING btree ("gateway","provider_payment","purchase_id");--> statement-breakpoint
ALTER TABLE "sale_payment" ADD CONSTRAINT "sale_payment_method" CHECK (num_nonnulls("sale_payment"."payment_method_id", "sale_payment"."gift_card_id", "sale_payment"."gateway") = 1);--> statement-breakpoint
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_sale_part" CHECK ("payment_attempt"."sale_id" is null or "payment_attempt"."part_centavos" is not null);