ALTER TABLE "gift_card_movement" DROP CONSTRAINT "gift_card_movement_kind";--> statement-breakpoint
ALTER TABLE "gift_card_movement" ADD COLUMN "purchase_id" integer;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "gift_card_id" integer;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "gift_card_centavos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_movement" ADD CONSTRAINT "gift_card_movement_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_card_movement_purchase" ON "gift_card_movement" USING btree ("purchase_id") WHERE "gift_card_movement"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "purchase_gift_card_of" ON "purchase" USING btree ("gift_card_id") WHERE "purchase"."gift_card_id" is not null;--> statement-breakpoint
ALTER TABLE "gift_card_movement" ADD CONSTRAINT "gift_card_movement_kind" CHECK ("gift_card_movement"."kind" in ('sold', 'spent', 'released', 'returned', 'refunded', 'adjusted'));--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_gift_card" CHECK (("purchase"."gift_card_id" is null) = ("purchase"."gift_card_centavos" = 0) and "purchase"."gift_card_centavos" between 0 and "purchase"."total_centavos" and not ("purchase"."is_subscription" and "purchase"."gift_card_centavos" > 0));--> statement-breakpoint
-- The table of gift cards imports that of purchases, so the key cannot be declared there.
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_gift_card_fk" FOREIGN KEY ("gift_card_id") REFERENCES "gift_card"("gift_card_id");
