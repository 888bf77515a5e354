CREATE TABLE "income_change" (
	"income_change_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "income_change_income_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"purchase_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "income_day" (
	"purchase_id" integer NOT NULL,
	"period" text NOT NULL,
	"day" date NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"paid" bigint NOT NULL,
	"back" bigint NOT NULL,
	"recognised" bigint NOT NULL,
	CONSTRAINT "income_day_purchase_id_period_day_pk" PRIMARY KEY("purchase_id","period","day")
);
--> statement-breakpoint
CREATE TABLE "income_total" (
	"day" date NOT NULL,
	"class_package_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"paid" bigint NOT NULL,
	"back" bigint NOT NULL,
	"recognised" bigint NOT NULL,
	CONSTRAINT "income_total_day_class_package_id_location_id_pk" PRIMARY KEY("day","class_package_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "income_unit" (
	"purchase_id" integer NOT NULL,
	"period" text NOT NULL,
	"class_package_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"net" bigint NOT NULL,
	"granted" bigint,
	"rest" bigint NOT NULL,
	"last_day" date,
	"has_days" boolean NOT NULL,
	CONSTRAINT "income_unit_purchase_id_period_pk" PRIMARY KEY("purchase_id","period")
);
--> statement-breakpoint
CREATE TABLE "income_zone" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"zone" text NOT NULL,
	CONSTRAINT "income_zone_only" CHECK ("income_zone"."is_only")
);
--> statement-breakpoint
CREATE INDEX "income_day_of" ON "income_day" USING btree ("day");--> statement-breakpoint
CREATE INDEX "income_unit_without_days" ON "income_unit" USING btree ("purchase_id") WHERE not "income_unit"."has_days";
--> statement-breakpoint
-- What income is derived from appends its purchase here; the job `income.refresh` derives it, reports compute it until then.
create function mark_income() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into income_change (purchase_id) select new.purchase_id where new.purchase_id is not null;
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and old.purchase_id is distinct from new.purchase_id then
    insert into income_change (purchase_id) select old.purchase_id where old.purchase_id is not null;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income after insert or delete on invoice for each row execute function mark_income();
--> statement-breakpoint
create trigger mark_income_changed after update on invoice for each row
  when ((old.purchase_id, old.period, old.status, old.total_centavos, old.refunded_centavos, old.net_centavos, old.tax_rate, old."paidAt", old."createdAt", old."lostAt", old."regainedAt")
    is distinct from (new.purchase_id, new.period, new.status, new.total_centavos, new.refunded_centavos, new.net_centavos, new.tax_rate, new."paidAt", new."createdAt", new."lostAt", new."regainedAt"))
  execute function mark_income();
--> statement-breakpoint
create trigger mark_income after insert or delete or update of purchase_id on gift_card for each row execute function mark_income();
--> statement-breakpoint
-- The balance is not among them: what was spent is read from the movements, which have a trigger of their own.
create trigger mark_income after insert or delete on available_class for each row execute function mark_income();
--> statement-breakpoint
create trigger mark_income_changed after update on available_class for each row
  when ((old.purchase_id, old.period, old.unlimited, old.granted, old."createdAt", old.expires_at, old."frozenAt", old."revokedAt")
    is distinct from (new.purchase_id, new.period, new.unlimited, new.granted, new."createdAt", new.expires_at, new."frozenAt", new."revokedAt"))
  execute function mark_income();
--> statement-breakpoint
create trigger mark_income_changed after update on purchase for each row
  when ((old.purchase_id, old.class_package_id, old.location_id) is distinct from (new.purchase_id, new.class_package_id, new.location_id))
  execute function mark_income();
--> statement-breakpoint
-- A refund counts for the purchase of its charge.
create function mark_income_of_refund() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into income_change (purchase_id) select purchase_id from invoice where invoice_id = new.invoice_id;
  end if;
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and old.invoice_id <> new.invoice_id then
    insert into income_change (purchase_id) select purchase_id from invoice where invoice_id = old.invoice_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income after insert or delete on refund for each row execute function mark_income_of_refund();
--> statement-breakpoint
create trigger mark_income_changed after update on refund for each row
  when ((old.invoice_id, old.amount_centavos, old."doneAt", old."returnedAt") is distinct from (new.invoice_id, new.amount_centavos, new."doneAt", new."returnedAt"))
  execute function mark_income_of_refund();
--> statement-breakpoint
-- Movements are written once: only their customer and their reason may change later.
create function mark_income_of_movement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into income_change (purchase_id) select l.purchase_id from available_class l where l.available_class_id = old.available_class_id
      and l.purchase_id is not null and not l.unlimited and old.amount <> 0 and old.kind not in ('grant', 'extend');
  else
    insert into income_change (purchase_id) select l.purchase_id from available_class l where l.available_class_id = new.available_class_id
      and l.purchase_id is not null and not l.unlimited and new.amount <> 0 and new.kind not in ('grant', 'extend');
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income after insert or delete on credit_movement for each row execute function mark_income_of_movement();
--> statement-breakpoint
-- A credit is spent when its class begins, which another class of the reservation, or another hour of the class, changes.
create function mark_income_of_reservation() returns trigger language plpgsql as $$
begin
  insert into income_change (purchase_id) select distinct l.purchase_id from credit_movement m join available_class l using (available_class_id)
    where m.class_reservation_id = old.class_reservation_id and l.purchase_id is not null and not l.unlimited;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income after delete on class_reservation for each row execute function mark_income_of_reservation();
--> statement-breakpoint
create trigger mark_income_changed after update on class_reservation for each row
  when (old.single_class_id is distinct from new.single_class_id) execute function mark_income_of_reservation();
--> statement-breakpoint
create function mark_income_of_class() returns trigger language plpgsql as $$
begin
  insert into income_change (purchase_id) select distinct l.purchase_id
    from class_reservation r join credit_movement m using (class_reservation_id) join available_class l on l.available_class_id = m.available_class_id
    where r.single_class_id = new.single_class_id and l.purchase_id is not null and not l.unlimited;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income_of_class after update on single_class for each row
  when (old.starts_at is distinct from new.starts_at) execute function mark_income_of_class();
--> statement-breakpoint
-- Whether a purchase without lots is earned at once or still gives credits is read from its package.
create function mark_income_of_package() returns trigger language plpgsql as $$
begin
  insert into income_change (purchase_id) select purchase_id from purchase where class_package_id = new.class_package_id;
  return null;
end $$;
--> statement-breakpoint
create trigger mark_income_of_package after update on class_package for each row
  when ((old.class_amount <> 0) is distinct from (new.class_amount <> 0)) execute function mark_income_of_package();
--> statement-breakpoint
-- All that was charged is derived with the first runs.
insert into income_change (purchase_id) select distinct purchase_id from invoice order by 1;
