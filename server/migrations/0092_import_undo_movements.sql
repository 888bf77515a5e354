-- The guard of credit movements with both what an erasure changes and what the undoing of an import deletes.
create or replace function guard_credit_movement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'customer_id' = to_jsonb(old) - 'customer_id' and new.customer_id =
      (select a.customer_id from available_class a where a.available_class_id = new.available_class_id) then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.reason is null and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select 1 from import_row r join import i using (import_id)
      where r.customer_id = old.customer_id and r.state = 'done' and i.state = 'undoing'
        and r.undo -> 'granted' @> jsonb_build_array(jsonb_build_object('available_class_id', old.available_class_id))) then
    return old;
  end if;
  raise exception 'credit_movement is written once' using errcode = 'restrict_violation';
end $$;
