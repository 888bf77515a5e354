ALTER TABLE "money_difference" DROP CONSTRAINT "money_difference_kind";--> statement-breakpoint
ALTER TABLE "purchase" ALTER COLUMN "class_package_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cash_payment" ADD COLUMN "gateway" text DEFAULT 'efectivo' NOT NULL;--> statement-breakpoint
ALTER TABLE "class_reservation" ADD COLUMN "price_centavos" integer;--> statement-breakpoint
ALTER TABLE "class_reservation" ADD COLUMN "purchase_id" integer;--> statement-breakpoint
ALTER TABLE "class_type" ADD COLUMN "price_centavos" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "location_id" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "staff_id" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "payment_method_id" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "tax_rate" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "net_centavos" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "tax_centavos" integer;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "lostAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "regainedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "location_id" integer;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "staff_id" integer;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "payment_method_id" integer;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "doneAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "returnedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "single_class" ADD COLUMN "price_centavos" integer;--> statement-breakpoint
-- What terminals and transfers brought to the counter was kept as cash: the way of paying that staff named tells them apart.
update "cash_payment" c set "gateway" = 'mostrador' from "purchase" p join "payment_method" m using ("payment_method_id")
  where p."purchase_id" = c."purchase_id" and p."gateway" = 'efectivo' and m."name" <> 'Efectivo';
--> statement-breakpoint
update "payment_attempt" a set "gateway" = 'mostrador' from "cash_payment" c where c."reference" = a."ref_id" and a."gateway" = 'efectivo' and c."gateway" = 'mostrador';
--> statement-breakpoint
update "invoice" i set "gateway" = 'mostrador' from "cash_payment" c where c."reference" = i."provider_payment" and i."gateway" = 'efectivo' and c."gateway" = 'mostrador';
--> statement-breakpoint
update "money_difference" d set "gateway" = 'mostrador' from "cash_payment" c where c."reference" = d."about" and d."gateway" = 'efectivo' and c."gateway" = 'mostrador';
--> statement-breakpoint
update "purchase" p set "gateway" = 'mostrador' from "cash_payment" c where c."purchase_id" = p."purchase_id" and p."gateway" = 'efectivo' and c."gateway" = 'mostrador';
--> statement-breakpoint
update "invoice" i set "payment_method_id" = p."payment_method_id" from "purchase" p where p."purchase_id" = i."purchase_id" and p."gateway" = i."gateway";
--> statement-breakpoint
update "invoice" i set "staff_id" = s."staff_id" from "cash_payment" c join "staff" s on c."receivedBy" = 'staff:' || s."staff_id"
  where c."reference" = i."provider_payment" and c."gateway" = i."gateway";
--> statement-breakpoint
update "purchase" p set "staff_id" = i."staff_id" from "invoice" i where i."purchase_id" = p."purchase_id" and p."request_hash" = 'given' and i."staff_id" is not null;
--> statement-breakpoint
-- A studio of one place sold it there.
update "invoice" set "location_id" = (select min("location_id") from "location" where "deletedAt" is null having count(*) = 1) where "gateway" in ('efectivo', 'mostrador');
--> statement-breakpoint
update "purchase" set "location_id" = (select min("location_id") from "location" where "deletedAt" is null having count(*) = 1) where "request_hash" = 'given';
--> statement-breakpoint
-- When a bank took a charge back was not kept: it goes on counting on the day of the charge, as it did.
update "invoice" set "lostAt" = coalesce("paidAt", "createdAt") where "status" = 'lost';
--> statement-breakpoint
update "refund" r set "doneAt" = r."updatedAt",
  "payment_method_id" = case when r."by_hand" then (select m."payment_method_id" from "payment_method" m where m."name" = 'Efectivo' and m."deletedAt" is null) else i."payment_method_id" end
  from "invoice" i where i."invoice_id" = r."invoice_id" and r."state" = 'done';
--> statement-breakpoint
-- What is on its way is guarded; a row for what went back already is not asked for.
drop trigger guard_refund on refund;
--> statement-breakpoint
create trigger guard_refund before insert on refund for each row when (new.state = 'asked') execute function guard_refund();
--> statement-breakpoint
-- What was given back in a processor's panel gets its row too, on the day of its charge, where it counted until now.
insert into "refund" ("purchase_id", "invoice_id", "amount_centavos", "by_hand", "reason", "state", "payment_method_id", "doneAt", "createdAt", "updatedAt")
  select i."purchase_id", i."invoice_id", i."refunded_centavos" - known."sum", false, 'Devuelto fuera del estudio', 'done', i."payment_method_id",
    coalesce(i."paidAt", i."createdAt"), coalesce(i."paidAt", i."createdAt"), coalesce(i."paidAt", i."createdAt")
  from "invoice" i cross join lateral
    (select coalesce(sum(r."amount_centavos"), 0)::integer as "sum" from "refund" r where r."invoice_id" = i."invoice_id" and r."state" in ('done', 'asked')) known
  where i."refunded_centavos" > known."sum";
--> statement-breakpoint
ALTER TABLE "class_reservation" ADD CONSTRAINT "class_reservation_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_location_id_location_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."location"("location_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_staff_id_staff_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_payment_method_id_payment_method_payment_method_id_fk" FOREIGN KEY ("payment_method_id") REFERENCES "public"."payment_method"("payment_method_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_location_id_location_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."location"("location_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_staff_id_staff_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_method_id_payment_method_payment_method_id_fk" FOREIGN KEY ("payment_method_id") REFERENCES "public"."payment_method"("payment_method_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "class_reservation_purchase" ON "class_reservation" USING btree ("purchase_id") WHERE "class_reservation"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "refund_done" ON "refund" USING btree ("doneAt");--> statement-breakpoint
ALTER TABLE "cash_payment" ADD CONSTRAINT "cash_payment_gateway" CHECK ("cash_payment"."gateway" in ('efectivo', 'mostrador'));--> statement-breakpoint
ALTER TABLE "class_reservation" ADD CONSTRAINT "class_reservation_sale" CHECK ("class_reservation"."is_cash" or ("class_reservation"."price_centavos" is null and "class_reservation"."purchase_id" is null));--> statement-breakpoint
ALTER TABLE "class_type" ADD CONSTRAINT "class_type_price" CHECK ("class_type"."price_centavos" > 0);--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_tax" CHECK (("invoice"."tax_rate" is null and "invoice"."net_centavos" is null and "invoice"."tax_centavos" is null) or ("invoice"."tax_rate" >= 0 and "invoice"."tax_centavos" >= 0 and "invoice"."net_centavos" + "invoice"."tax_centavos" = "invoice"."total_centavos"));--> statement-breakpoint
ALTER TABLE "money_difference" ADD CONSTRAINT "money_difference_kind" CHECK ("money_difference"."kind" in ('paid_no_grant', 'grant_no_money', 'amount_differs', 'unknown_object', 'refund_failed', 'refund_due'));--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_package" CHECK ("purchase"."class_package_id" is not null or not ("purchase"."is_subscription" or "purchase"."holds_stock"));--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_done_when" CHECK (("refund"."state" <> 'done' or "refund"."doneAt" is not null) and ("refund"."returnedAt" is null or ("refund"."state" = 'refused' and "refund"."doneAt" is not null)));--> statement-breakpoint
ALTER TABLE "single_class" ADD CONSTRAINT "single_class_price" CHECK ("single_class"."price_centavos" > 0);