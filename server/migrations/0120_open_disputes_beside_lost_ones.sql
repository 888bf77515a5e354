ALTER TABLE "sandbox_ledger" ADD COLUMN "openAmount" integer;--> statement-breakpoint
DROP INDEX "invoice_sums";--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "open_dispute_centavos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "invoice_sums" ON "invoice" USING btree ("gateway","payment_method_id","status","total_centavos","disputed_centavos","open_dispute_centavos","tax_centavos");--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_open_dispute" CHECK ("invoice"."open_dispute_centavos" = 0 or "invoice"."open_dispute_centavos" > 0 and "invoice"."status" = 'lost'
        and "invoice"."refunded_centavos" + "invoice"."disputed_centavos" + "invoice"."open_dispute_centavos" <= "invoice"."total_centavos");