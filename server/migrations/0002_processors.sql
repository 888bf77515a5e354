CREATE TABLE "cash_payment" (
	"reference" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"amount" integer NOT NULL,
	"refunded" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"receivedBy" text,
	"paidAt" timestamp with time zone,
	"expiresAt" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "cash_payment_state" CHECK ("cash_payment"."state" in ('waiting', 'paid', 'expired', 'ended')),
	CONSTRAINT "cash_payment_money" CHECK ("cash_payment"."amount" > 0 and "cash_payment"."refunded" between 0 and "cash_payment"."amount"),
	CONSTRAINT "cash_payment_paid" CHECK (("cash_payment"."state" = 'paid') = ("cash_payment"."paidAt" is not null))
);
--> statement-breakpoint
CREATE TABLE "cash_refund" (
	"key" text PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"amount" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_card" (
	"id" text PRIMARY KEY NOT NULL,
	"buyer" text NOT NULL,
	"card" jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"removedAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_config" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_customer" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"about" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"deliveredAt" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"object" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"amount" integer NOT NULL,
	"charge" text,
	"key" text,
	"periodFrom" timestamp with time zone,
	"periodTo" timestamp with time zone,
	"disputed" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "sandbox_ledger_amount" CHECK ("sandbox_ledger"."amount" > 0),
	CONSTRAINT "sandbox_ledger_refund" CHECK (("sandbox_ledger"."kind" = 'refund') = ("sandbox_ledger"."charge" is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_payment" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"buyer" text NOT NULL,
	"amount" integer NOT NULL,
	"title" text NOT NULL,
	"state" text NOT NULL,
	"by" text NOT NULL,
	"step" text,
	"card" jsonb,
	"save_card" boolean DEFAULT false NOT NULL,
	"saved_card" text,
	"secret" text NOT NULL,
	"voucher" jsonb,
	"approved" boolean DEFAULT false NOT NULL,
	"refused_code" text,
	"refused_message" text,
	"return_url" text NOT NULL,
	"settlesAt" timestamp with time zone,
	"expiresAt" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "sandbox_payment_state" CHECK ("sandbox_payment"."state" in ('waiting', 'processing', 'paid', 'refused', 'expired', 'ended')),
	CONSTRAINT "sandbox_payment_amount" CHECK ("sandbox_payment"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_setup" (
	"id" text PRIMARY KEY NOT NULL,
	"buyer" text NOT NULL,
	"secret" text NOT NULL,
	"card" jsonb,
	"state" text NOT NULL,
	"saved_card" text,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_subscription" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"buyer" text NOT NULL,
	"title" text NOT NULL,
	"unit" text NOT NULL,
	"every" integer NOT NULL,
	"amount" integer NOT NULL,
	"first_amount" integer NOT NULL,
	"trialEnd" timestamp with time zone,
	"state" text NOT NULL,
	"by" text NOT NULL,
	"step" text,
	"card" jsonb,
	"save_card" boolean DEFAULT false NOT NULL,
	"saved_card" text,
	"secret" text NOT NULL,
	"refused_code" text,
	"refused_message" text,
	"return_url" text NOT NULL,
	"anchorAt" timestamp with time zone,
	"periods" integer DEFAULT 0 NOT NULL,
	"nextAt" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"cancelled" boolean DEFAULT false NOT NULL,
	"endsAt" timestamp with time zone,
	"expiresAt" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "sandbox_subscription_state" CHECK ("sandbox_subscription"."state" in ('waiting', 'paid', 'trialing', 'past_due', 'refused', 'expired', 'ended'))
);
--> statement-breakpoint
ALTER TABLE "cash_refund" ADD CONSTRAINT "cash_refund_reference_cash_payment_reference_fk" FOREIGN KEY ("reference") REFERENCES "public"."cash_payment"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "cash_payment_key" ON "cash_payment" USING btree ("key");--> statement-breakpoint
CREATE INDEX "cash_payment_changed" ON "cash_payment" USING btree ("updatedAt");--> statement-breakpoint
CREATE INDEX "sandbox_card_buyer" ON "sandbox_card" USING btree ("buyer");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_customer_one" ON "sandbox_customer" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "sandbox_event_waiting" ON "sandbox_event" USING btree ("id") WHERE "sandbox_event"."deliveredAt" is null;--> statement-breakpoint
CREATE INDEX "sandbox_ledger_object" ON "sandbox_ledger" USING btree ("object");--> statement-breakpoint
CREATE INDEX "sandbox_ledger_purchase" ON "sandbox_ledger" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_ledger_period" ON "sandbox_ledger" USING btree ("object","periodFrom") WHERE "sandbox_ledger"."kind" = 'charge' and "sandbox_ledger"."periodFrom" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_ledger_key" ON "sandbox_ledger" USING btree ("key") WHERE "sandbox_ledger"."key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_payment_key" ON "sandbox_payment" USING btree ("key");--> statement-breakpoint
CREATE INDEX "sandbox_payment_open" ON "sandbox_payment" USING btree ("expiresAt") WHERE "sandbox_payment"."state" in ('waiting', 'processing');--> statement-breakpoint
CREATE INDEX "sandbox_payment_changed" ON "sandbox_payment" USING btree ("updatedAt");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_subscription_key" ON "sandbox_subscription" USING btree ("key");--> statement-breakpoint
CREATE INDEX "sandbox_subscription_due" ON "sandbox_subscription" USING btree ("nextAt") WHERE "sandbox_subscription"."state" in ('paid', 'trialing', 'past_due');--> statement-breakpoint
CREATE INDEX "sandbox_subscription_changed" ON "sandbox_subscription" USING btree ("updatedAt");