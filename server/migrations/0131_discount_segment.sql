ALTER TABLE "discount" ADD COLUMN "segment_id" integer;--> statement-breakpoint
CREATE INDEX "discount_segment_id" ON "discount" USING btree ("segment_id") WHERE "discount"."segment_id" is not null;--> statement-breakpoint
-- By hand: the table of segments belongs to a module above the one of discounts.
ALTER TABLE "discount" ADD CONSTRAINT "discount_segment" FOREIGN KEY ("segment_id") REFERENCES "segment"("segment_id");
