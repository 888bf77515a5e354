ALTER TABLE "discount" ADD COLUMN "series" text;--> statement-breakpoint
CREATE INDEX "discount_series" ON "discount" USING btree ("series") WHERE "discount"."series" is not null;--> statement-breakpoint
ALTER TABLE "discount" ADD CONSTRAINT "discount_series_single_use" CHECK ("discount"."series" is null or "discount"."max_uses" = 1);