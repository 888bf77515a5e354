ALTER TABLE "fiscal_line" DROP CONSTRAINT "fiscal_line_money";--> statement-breakpoint
DROP INDEX "fiscal_line_loss";--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD COLUMN "lost_before_centavos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "fiscal_line" ADD CONSTRAINT "fiscal_line_money" CHECK ("fiscal_line"."base_centavos" >= 0 and "fiscal_line"."tax_centavos" >= 0 and "fiscal_line"."lost_before_centavos" >= 0);