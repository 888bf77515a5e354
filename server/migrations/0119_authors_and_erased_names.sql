ALTER TABLE "automation" ADD COLUMN "rights" text[];--> statement-breakpoint
ALTER TABLE "automation" ADD COLUMN "api_key_id" integer;--> statement-breakpoint
ALTER TABLE "broadcast" ADD COLUMN "rights" text[];--> statement-breakpoint
ALTER TABLE "broadcast" ADD COLUMN "api_key_id" integer;--> statement-breakpoint
ALTER TABLE "shared_device" ADD COLUMN "unlock_hash" text;--> statement-breakpoint
-- Any entry of the trail may name a customer, in a filter, a title or a reason: it may be emptied, as those of the customer are, and changed in no other way.
create or replace function guard_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.before is null and new.after is null and new.reason is null
     and to_jsonb(new) - array['before', 'after', 'reason'] = to_jsonb(old) - array['before', 'after', 'reason'] then
    return new;
  end if;
  raise exception 'audit is written once' using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
-- The money of a closed till never changes; the words of a movement may, where they name somebody whose data are erased.
drop trigger guard_cash_session on cash_movement;
--> statement-breakpoint
create trigger guard_cash_session before insert or delete or update of cash_movement_id, cash_session_id, kind, amount_centavos, staff_id, "createdAt" on cash_movement
  for each row execute function guard_cash_session_rows();
--> statement-breakpoint
-- A count that was closed may be approved once, or opened again with a reason while nobody approved it; and its words may change, as above. Nothing else of it changes.
create or replace function guard_closed_cash_session() returns trigger language plpgsql as $$
declare
  approval constant text[] := array['approvedAt', 'approved_by', 'approval_note'];
  words constant text[] := array['note', 'approval_note', 'reopen_reason'];
begin
  if old."closedAt" is null then return coalesce(new, old); end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - words = to_jsonb(old) - words then return new; end if;
  if tg_op = 'UPDATE' and old."approvedAt" is null then
    if new."closedAt" is null and new."reopenedAt" is distinct from old."reopenedAt" then return new; end if;
    if to_jsonb(new) - approval = to_jsonb(old) - approval then return new; end if;
  end if;
  raise exception 'The cash session % is closed.', old.cash_session_id using errcode = 'check_violation', constraint = 'cash_session_is_closed';
end $$;
