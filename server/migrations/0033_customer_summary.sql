CREATE TABLE "customer_change" (
	"customer_change_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_change_customer_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_summary" (
	"customer_id" integer PRIMARY KEY NOT NULL,
	"search" text NOT NULL,
	"sort_name" text NOT NULL,
	"state" text NOT NULL,
	"stale_at" timestamp with time zone,
	"has_account" boolean NOT NULL,
	"birth_month" smallint,
	"has_unlimited" boolean NOT NULL,
	"available" integer NOT NULL,
	"next_expiration" timestamp with time zone,
	"titles" text[] NOT NULL,
	"class_package_ids" integer[] NOT NULL,
	"renewal_refused" boolean NOT NULL,
	"last_class_at" timestamp with time zone,
	"next_class_at" timestamp with time zone,
	"visits" integer NOT NULL,
	"visits_30" integer NOT NULL,
	"spent_centavos" bigint NOT NULL,
	"owed_centavos" bigint NOT NULL,
	"penalised_until" timestamp with time zone,
	"home_location_id" integer,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "customer_summary_state" CHECK ("customer_summary"."state" in ('lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active'))
);
--> statement-breakpoint
CREATE INDEX "customer_summary_name" ON "customer_summary" USING btree ("sort_name","customer_id");--> statement-breakpoint
CREATE INDEX "customer_summary_stale" ON "customer_summary" USING btree ("stale_at");--> statement-breakpoint
CREATE INDEX "customer_summary_state" ON "customer_summary" USING btree ("state");
--> statement-breakpoint
-- Whatever the summary of a customer is derived from appends the customer here; the job `customers.summaries` and the list itself derive again.
create function mark_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into customer_change (customer_id) values (old.customer_id);
    return null;
  end if;
  insert into customer_change (customer_id) values (new.customer_id);
  if tg_op = 'UPDATE' and old.customer_id <> new.customer_id then
    insert into customer_change (customer_id) values (old.customer_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_customer after insert or delete or update of name, last_name, email, phone, birthdate, uid, "createdAt", "deletedAt" on customer
  for each row execute function mark_customer();
--> statement-breakpoint
create trigger mark_customer after insert or delete or update of customer_id, single_class_id, host_reservation_id, attend, is_cash, is_paid, price_centavos, "deletedAt"
  on class_reservation for each row execute function mark_customer();
--> statement-breakpoint
create trigger mark_customer after insert or delete or update on available_class for each row execute function mark_customer();
--> statement-breakpoint
create trigger mark_customer after insert or delete or update of customer_id, status, total_centavos, is_subscription, sale_id, past_due_since, paused_since on purchase
  for each row execute function mark_customer();
--> statement-breakpoint
create trigger mark_customer after insert or delete or update of customer_id, purchase_id, status, total_centavos, refunded_centavos on invoice
  for each row execute function mark_customer();
--> statement-breakpoint
create trigger mark_customer after insert or delete or update on class_reservation_penalty for each row execute function mark_customer();
--> statement-breakpoint
create function mark_customers_of_class() returns trigger language plpgsql as $$
begin
  insert into customer_change (customer_id)
    select distinct customer_id from class_reservation where single_class_id = new.single_class_id and "deletedAt" is null;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_customers_of_class after update of starts_at, location_id, class_type_id, price_centavos, "cancelledAt", "settledAt" on single_class
  for each row when ((old.starts_at, old.location_id, old.class_type_id, old.price_centavos, old."cancelledAt", old."settledAt")
    is distinct from (new.starts_at, new.location_id, new.class_type_id, new.price_centavos, new."cancelledAt", new."settledAt"))
  execute function mark_customers_of_class();
--> statement-breakpoint
create function mark_customers_of_package() returns trigger language plpgsql as $$
begin
  insert into customer_change (customer_id) select distinct customer_id from available_class where class_package_id = new.class_package_id;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_customers_of_package after update of is_trial on class_package
  for each row when (old.is_trial is distinct from new.is_trial) execute function mark_customers_of_package();
--> statement-breakpoint
-- What a place in cash costs comes from its type or from a setting while it is not frozen.
create function mark_customers_who_owe() returns trigger language plpgsql as $$
begin
  insert into customer_change (customer_id)
    select distinct customer_id from class_reservation where not is_paid and "deletedAt" is null and price_centavos is null;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_customers_who_owe after update of price_centavos on class_type
  for each row when (old.price_centavos is distinct from new.price_centavos) execute function mark_customers_who_owe();
--> statement-breakpoint
create trigger mark_customers_who_owe_inserted after insert on setting
  for each row when (new.key = 'drop_in_price') execute function mark_customers_who_owe();
--> statement-breakpoint
create trigger mark_customers_who_owe_updated after update on setting
  for each row when (new.key = 'drop_in_price') execute function mark_customers_who_owe();
--> statement-breakpoint
create trigger mark_customers_who_owe_deleted after delete on setting
  for each row when (old.key = 'drop_in_price') execute function mark_customers_who_owe();
--> statement-breakpoint
-- Every customer of before gets a row with the first run.
insert into customer_change (customer_id) select customer_id from customer where "deletedAt" is null order by customer_id;
