CREATE TABLE "customer_state_total" (
	"state" text PRIMARY KEY NOT NULL,
	"customers" integer NOT NULL,
	"spent_centavos" bigint NOT NULL,
	"owed_centavos" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "customer_phone";--> statement-breakpoint
ALTER TABLE "customer" ADD COLUMN "shares_phone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "customer" ADD COLUMN "search" text GENERATED ALWAYS AS (regexp_replace(normalize(lower(name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')), NFD), '[\u0300-\u036f]', '', 'g')) STORED;--> statement-breakpoint
CREATE INDEX "customer_summary_last_class" ON "customer_summary" USING btree ("last_class_at" DESC NULLS LAST,"customer_id");--> statement-breakpoint
CREATE INDEX "customer_summary_spent" ON "customer_summary" USING btree ("spent_centavos" DESC NULLS LAST,"customer_id");--> statement-breakpoint
CREATE INDEX "customer_by_name" ON "customer" USING btree (lower("name"),lower("last_name"),"customer_id") WHERE "customer"."deletedAt" is null;--> statement-breakpoint
CREATE INDEX "customer_shared_phone" ON "customer" USING btree ("phone") WHERE "customer"."shares_phone";--> statement-breakpoint
CREATE UNIQUE INDEX "customer_phone" ON "customer" USING btree ("phone") WHERE "customer"."deletedAt" is null and not "customer"."shares_phone";--> statement-breakpoint
-- Trigrams find a word anywhere in a text by index. Where the database does not allow the extension, searches read the column instead.
do $$
begin
  create extension if not exists pg_trgm;
  create index customer_search on customer using gin (search gin_trgm_ops) where "deletedAt" is null;
  create index customer_summary_search on customer_summary using gin (search gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available: searches of customers use no index';
end $$;--> statement-breakpoint
-- The totals follow every change of the summaries, which are written by one transaction at a time.
create function count_customer_states() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update customer_state_total t
      set customers = t.customers - b.customers, spent_centavos = t.spent_centavos - b.spent, owed_centavos = t.owed_centavos - b.owed
      from (select state, count(*) as customers, sum(spent_centavos) as spent, sum(owed_centavos) as owed from old_rows group by state) b
      where t.state = b.state;
  end if;
  if tg_op <> 'DELETE' then
    insert into customer_state_total as t (state, customers, spent_centavos, owed_centavos)
      select state, count(*), sum(spent_centavos), sum(owed_centavos) from new_rows group by state order by state
      on conflict (state) do update set customers = t.customers + excluded.customers,
        spent_centavos = t.spent_centavos + excluded.spent_centavos, owed_centavos = t.owed_centavos + excluded.owed_centavos;
  end if;
  return null;
end $$;--> statement-breakpoint
create trigger count_states_of_inserted after insert on customer_summary referencing new table as new_rows
  for each statement execute function count_customer_states();--> statement-breakpoint
create trigger count_states_of_updated after update on customer_summary referencing old table as old_rows new table as new_rows
  for each statement execute function count_customer_states();--> statement-breakpoint
create trigger count_states_of_deleted after delete on customer_summary referencing old table as old_rows
  for each statement execute function count_customer_states();--> statement-breakpoint
insert into customer_state_total (state, customers, spent_centavos, owed_centavos)
  select state, count(*), sum(spent_centavos), sum(owed_centavos) from customer_summary group by state;
