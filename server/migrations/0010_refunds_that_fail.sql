ALTER TABLE "money_difference" DROP CONSTRAINT "money_difference_kind";--> statement-breakpoint
ALTER TABLE "sandbox_ledger" ADD COLUMN "failedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "discount_code" text;--> statement-breakpoint
ALTER TABLE "money_difference" ADD CONSTRAINT "money_difference_kind" CHECK ("money_difference"."kind" in ('paid_no_grant', 'grant_no_money', 'amount_differs', 'unknown_object', 'refund_failed'));
--> statement-breakpoint
update "purchase" p set "discount_code" = d."code" from "discount" d where d."discount_id" = p."discount_id";
