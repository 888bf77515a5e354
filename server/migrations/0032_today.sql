CREATE TABLE "task_state" (
	"task_id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"snoozed_until" timestamp with time zone,
	"doneAt" timestamp with time zone,
	"reason" text,
	"staff_id" integer NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL,
	CONSTRAINT "task_state_decided" CHECK (("task_state"."snoozed_until" is null) <> ("task_state"."doneAt" is null)),
	CONSTRAINT "task_state_reason" CHECK (("task_state"."doneAt" is null) = ("task_state"."reason" is null))
);
--> statement-breakpoint
ALTER TABLE "task_state" ADD CONSTRAINT "task_state_staff_id_staff_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "available_class_expires" ON "available_class" USING btree ("expires_at") WHERE "available_class"."revokedAt" is null;--> statement-breakpoint
CREATE INDEX "message_failed" ON "message" USING btree ("createdAt") WHERE "message"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "sale_owing" ON "sale" USING btree ("owe_until") WHERE "sale"."owed_centavos" > 0;--> statement-breakpoint
CREATE INDEX "sale_payment_void" ON "sale_payment" USING btree ("sale_id") WHERE "sale_payment"."state" = 'void';--> statement-breakpoint
CREATE INDEX "invoice_purchase" ON "invoice" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "invoice_taken" ON "invoice" USING btree (coalesce("paidAt", "createdAt"));--> statement-breakpoint
CREATE INDEX "invoice_lost" ON "invoice" USING btree ("lostAt") WHERE "invoice"."lostAt" is not null;--> statement-breakpoint
CREATE INDEX "invoice_regained" ON "invoice" USING btree ("regainedAt") WHERE "invoice"."regainedAt" is not null;--> statement-breakpoint
CREATE INDEX "purchase_created" ON "purchase" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "purchase_past_due" ON "purchase" USING btree ("past_due_since") WHERE "purchase"."status" = 'active' and "purchase"."past_due_since" is not null;--> statement-breakpoint
CREATE INDEX "refund_returned" ON "refund" USING btree ("returnedAt") WHERE "refund"."returnedAt" is not null;