DROP INDEX "invoice_sums";--> statement-breakpoint
ALTER TABLE "sandbox_ledger" ADD COLUMN "disputedAmount" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "disputed_centavos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "invoice_sums" ON "invoice" USING btree ("gateway","payment_method_id","status","total_centavos","disputed_centavos","tax_centavos");--> statement-breakpoint
-- So far a dispute was about all that was not refunded.
update "invoice" set "disputed_centavos" = "total_centavos" - "refunded_centavos" where "status" in ('disputed', 'lost') or "lostAt" is not null;
--> statement-breakpoint
-- Income is derived from what a bank took, too.
drop trigger mark_income_changed on invoice;
--> statement-breakpoint
create trigger mark_income_changed after update on invoice for each row
  when ((old.purchase_id, old.period, old.status, old.total_centavos, old.refunded_centavos, old.disputed_centavos, old.net_centavos, old.tax_rate, old."paidAt", old."createdAt", old."lostAt", old."regainedAt")
    is distinct from (new.purchase_id, new.period, new.status, new.total_centavos, new.refunded_centavos, new.disputed_centavos, new.net_centavos, new.tax_rate, new."paidAt", new."createdAt", new."lostAt", new."regainedAt"))
  execute function mark_income();
--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_disputed" CHECK ("invoice"."disputed_centavos" between 0 and "invoice"."total_centavos"
        and ("invoice"."status" not in ('disputed', 'lost') or "invoice"."refunded_centavos" + "invoice"."disputed_centavos" <= "invoice"."total_centavos"));