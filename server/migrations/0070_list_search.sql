DROP INDEX "class_reservation_class";--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "search" text GENERATED ALWAYS AS (regexp_replace(normalize(lower(coalesce(reference, '') || ' ' || provider_payment), NFD), '[\u0300-\u036f]', '', 'g')) STORED;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "search" text GENERATED ALWAYS AS (regexp_replace(normalize(lower(title || ' ' || coalesce(discount_code, '')), NFD), '[\u0300-\u036f]', '', 'g')) STORED;--> statement-breakpoint
CREATE INDEX "customer_deleted" ON "customer" USING btree ("customer_id") WHERE "customer"."deletedAt" is not null;--> statement-breakpoint
CREATE INDEX "sale_created" ON "sale" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "invoice_sums" ON "invoice" USING btree ("gateway","payment_method_id","status","total_centavos","refunded_centavos","tax_centavos");--> statement-breakpoint
CREATE INDEX "purchase_sums" ON "purchase" USING btree ("gateway","payment_method_id","status","total_centavos");--> statement-breakpoint
CREATE INDEX "class_reservation_class" ON "class_reservation" USING btree ("single_class_id","host_reservation_id","class_reservation_id");--> statement-breakpoint
-- Trigrams find a word anywhere in a text by index, as for customers. Where the database does not allow the extension, searches read the column instead.
do $$
begin
  create extension if not exists pg_trgm;
  create index purchase_search on purchase using gin (search gin_trgm_ops);
  create index invoice_search on invoice using gin (search gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available: searches of sales use no index';
end $$;
