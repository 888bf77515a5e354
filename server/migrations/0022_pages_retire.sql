DROP INDEX "page_slug";--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "deletedAt" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "page_slug" ON "page" USING btree ("slug") WHERE "page"."deletedAt" is null;