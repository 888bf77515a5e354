-- Counters are short-lived: whoever was over a limit gets it back once, with the update.
DELETE FROM "throttle";--> statement-breakpoint
DROP TABLE "identity_throttle" CASCADE;--> statement-breakpoint
DROP INDEX "throttle_expires";--> statement-breakpoint
ALTER TABLE "throttle" ADD COLUMN "emptyAt" timestamp with time zone NOT NULL;--> statement-breakpoint
CREATE INDEX "throttle_empty" ON "throttle" USING btree ("emptyAt");--> statement-breakpoint
ALTER TABLE "throttle" DROP COLUMN "count";--> statement-breakpoint
ALTER TABLE "throttle" DROP COLUMN "expires_at";