ALTER TABLE "fiscal_document" ADD COLUMN "pac_account" text;--> statement-breakpoint
ALTER TABLE "fiscal_document" ADD COLUMN "cancelAskedAt" timestamp with time zone;--> statement-breakpoint
-- What was sent has no account of then; without one it would be sent again after a change of keys.
update fiscal_document set pac_account = 'unknown' where state = 'stamping' and pac <> 'sandbox';
