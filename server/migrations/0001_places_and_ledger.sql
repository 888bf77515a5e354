-- The two counters that must never drift are kept by the database itself, whoever writes.

-- Places: `single_class.taken` is the number of active reservations of the class. More than the capacity violates
-- single_class_places, so overbooking is impossible whatever the program does.
create function count_place() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') and old."deletedAt" is null
     and (tg_op = 'DELETE' or new."deletedAt" is not null or new.single_class_id <> old.single_class_id) then
    update single_class set taken = taken - 1 where single_class_id = old.single_class_id;
  end if;
  if tg_op in ('INSERT', 'UPDATE') and new."deletedAt" is null
     and (tg_op = 'INSERT' or old."deletedAt" is not null or new.single_class_id <> old.single_class_id) then
    update single_class set taken = taken + 1 where single_class_id = new.single_class_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger count_place after insert or delete or update of "deletedAt", single_class_id on class_reservation
  for each row execute function count_place();
--> statement-breakpoint
-- Credits: a counted lot's balance is the sum of its movements, and a movement is never rewritten.
create function apply_movement() returns trigger language plpgsql as $$
begin
  update available_class set balance = balance + new.amount where available_class_id = new.available_class_id and not unlimited;
  return null;
end $$;
--> statement-breakpoint
create trigger apply_movement after insert on credit_movement for each row execute function apply_movement();
--> statement-breakpoint
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once', tg_table_name using errcode = 'restrict_violation';
end $$;
--> statement-breakpoint
create trigger credit_movement_written_once before update or delete on credit_movement for each row execute function refuse_change();
--> statement-breakpoint
create trigger audit_written_once before update or delete on audit for each row execute function refuse_change();
--> statement-breakpoint
-- Purchases: money that came in is never un-said. What was paid ends only as cancelled or revoked; what came to nothing stays so,
-- except that money may still arrive late.
create function guard_purchase_status() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (
       (old.status = 'pending')
    or (old.status in ('active', 'completed') and new.status in ('cancelled', 'revoked'))
    or (old.status = 'cancelled' and new.status in ('revoked', 'completed', 'active'))
    or (old.status = 'failed' and new.status in ('completed', 'active', 'revoked'))) then
    raise exception 'a purchase cannot go from % to %', old.status, new.status using errcode = 'check_violation', constraint = 'purchase_status_path';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger guard_purchase_status before update of status on purchase for each row execute function guard_purchase_status();
