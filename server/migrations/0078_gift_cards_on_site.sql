CREATE TABLE "gift_card_order" (
	"purchase_id" integer PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL,
	"recipient_name" text,
	"recipient_email" text,
	"message" text,
	"deliver_on" date,
	"sentAt" timestamp with time zone,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_card_order_recipient" CHECK (("gift_card_order"."recipient_name" is null) = ("gift_card_order"."recipient_email" is null))
);
--> statement-breakpoint
ALTER TABLE "gift_card_order" ADD CONSTRAINT "gift_card_order_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_order" ADD CONSTRAINT "gift_card_order_customer_id_customer_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_card_order_customer" ON "gift_card_order" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "gift_card_order_due" ON "gift_card_order" USING btree ("deliver_on") WHERE "gift_card_order"."sentAt" is null and "gift_card_order"."deliver_on" is not null;