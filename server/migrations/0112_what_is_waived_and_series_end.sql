ALTER TABLE "purchase" DROP CONSTRAINT "purchase_money";--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "waived_centavos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_money" CHECK ("purchase"."amount_centavos" >= 0 and "purchase"."discount_centavos" >= 0 and "purchase"."total_centavos" = "purchase"."amount_centavos" - "purchase"."discount_centavos" and "purchase"."total_centavos" >= 0 and "purchase"."waived_centavos" between 0 and "purchase"."total_centavos");--> statement-breakpoint
-- By hand: what a customer owes depends on what was waived.
drop trigger mark_customer on purchase;--> statement-breakpoint
create trigger mark_customer after insert or delete or update of customer_id, status, total_centavos, waived_centavos, is_subscription, sale_id, past_due_since, paused_since on purchase
  for each row execute function mark_customer();--> statement-breakpoint
-- By hand: the unpaid rest of a sale whose places were all cancelled in time, or by the studio, stayed owed. A transfer that is not confirmed counts as unpaid.
update purchase p set waived_centavos = w.rest from (
    select q.purchase_id, q.total_centavos - coalesce((select sum(i.total_centavos) from invoice i
      where i.purchase_id = q.purchase_id and i.status not in ('pending', 'void')), 0) as rest
    from purchase q where q.sale_id is not null and q.status = 'completed'
      and exists (select 1 from class_reservation r where r.purchase_id = q.purchase_id and r.is_cash)
      and not exists (select 1 from class_reservation r where r.purchase_id = q.purchase_id and (r."deletedAt" is null or r.cancelled_late is not false))) w
  where w.purchase_id = p.purchase_id and w.rest > 0;--> statement-breakpoint
-- By hand: all classes of a series that was made with its last day exist, or were deleted on purpose; only its first day was recorded as created.
update class_series set created_until = repeat_until where created_until = starts_on and repeat_until > created_until;
