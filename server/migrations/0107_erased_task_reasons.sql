-- An entry is never rewritten; only the values of an erased person are emptied. Entries about a task of Hoy name no customer, also where the task is about one.
create or replace function guard_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.customer_id is not null or old.entity = 'task') and new.before is null and new.after is null and new.reason is null
     and to_jsonb(new) - array['before', 'after', 'reason'] = to_jsonb(old) - array['before', 'after', 'reason'] then
    return new;
  end if;
  raise exception 'audit is written once' using errcode = 'restrict_violation';
end $$;
