-- Refunds: what is asked for and what went back are never more than what was charged, however many ask at once.
create function guard_refund() returns trigger language plpgsql as $$
declare
  charged integer;
  back integer;
  asked integer;
begin
  select total_centavos, refunded_centavos into charged, back from invoice where invoice_id = new.invoice_id for update;
  select coalesce(sum(amount_centavos), 0) into asked from refund where invoice_id = new.invoice_id and state = 'asked' and refund_id <> new.refund_id;
  if back + asked + new.amount_centavos > charged then
    raise exception 'charge % has % left', new.invoice_id, charged - back - asked using errcode = 'check_violation', constraint = 'refund_total';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger guard_refund before insert on refund for each row execute function guard_refund();
