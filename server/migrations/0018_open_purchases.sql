CREATE TABLE "purchase_visit" (
	"customer_id" integer NOT NULL,
	"idempotency_key" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "purchase_visit_customer_id_idempotency_key_pk" PRIMARY KEY("customer_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "trial_card" (
	"gateway" text NOT NULL,
	"fingerprint" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "trial_card_gateway_fingerprint_pk" PRIMARY KEY("gateway","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "is_exclusive" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "completedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchase_visit" ADD CONSTRAINT "purchase_visit_customer_id_customer_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_visit" ADD CONSTRAINT "purchase_visit_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trial_card" ADD CONSTRAINT "trial_card_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "purchase_visit_purchase" ON "purchase_visit" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "trial_card_purchase" ON "trial_card" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_open" ON "purchase" USING btree ("customer_id","class_package_id") WHERE "purchase"."status" = 'pending' and "purchase"."is_exclusive";
--> statement-breakpoint
-- What was bought before: everything that was paid or began, the ended subscriptions too. Its moment is the first charge or the start.
UPDATE "purchase" SET "completedAt" = coalesce((SELECT min(i."paidAt") FROM "invoice" i WHERE i."purchase_id" = "purchase"."purchase_id"), "purchase"."createdAt")
WHERE "status" IN ('completed', 'active', 'revoked') OR ("status" = 'cancelled' AND "subscription_id" IS NOT NULL);--> statement-breakpoint
-- The saved cards with which free trials began. Conekta tells no fingerprint of the plastic itself.
INSERT INTO "trial_card" ("gateway", "fingerprint", "purchase_id", "createdAt")
SELECT DISTINCT ON (s."gateway", s."fingerprint") s."gateway", s."fingerprint", p."purchase_id", p."createdAt"
FROM "purchase" p JOIN "payment_source" s ON s."payment_source_id" = p."payment_source_id"
WHERE p."free_trial_length" IS NOT NULL AND p."completedAt" IS NOT NULL AND s."fingerprint" IS NOT NULL AND s."gateway" <> 'conekta'
ORDER BY s."gateway", s."fingerprint", p."purchase_id";
