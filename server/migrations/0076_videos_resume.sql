ALTER TABLE "file" ADD COLUMN "preview_bytes" integer;--> statement-breakpoint
ALTER TABLE "playback" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "playback" ADD COLUMN "length" integer;--> statement-breakpoint
CREATE INDEX "playback_unfinished" ON "playback" USING btree ("customer_id","lastAt") WHERE "playback"."position" is not null;--> statement-breakpoint
ALTER TABLE "playback" ADD CONSTRAINT "playback_position" CHECK (("playback"."position" is null) = ("playback"."length" is null) and "playback"."position" between 0 and "playback"."length");