CREATE TABLE "invoice_total" (
	"invoice_total_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invoice_total_invoice_total_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"gateway" text NOT NULL,
	"payment_method_id" integer,
	"status" text NOT NULL,
	"location_id" integer,
	"visible_at" integer,
	"invoices" integer NOT NULL,
	"charged" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"disputed" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "invoice_sums";--> statement-breakpoint
-- Each change of charges appends what it adds to their sums. Rows of the same group never wait for each other.
create function total_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
      select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id), count(*), sum(i.total_centavos), sum(i.tax_centavos),
        sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
      from new_rows i left join purchase p using (purchase_id) group by 1, 2, 3, 4, 5;
  else
    insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
      select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id), -count(*), -sum(i.total_centavos), -sum(i.tax_centavos),
        -sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
      from old_rows i left join purchase p using (purchase_id) group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger total_of_inserted after insert on invoice referencing new table as new_rows for each statement execute function total_invoices();
--> statement-breakpoint
create trigger total_of_deleted after delete on invoice referencing old table as old_rows for each statement execute function total_invoices();
--> statement-breakpoint
-- For each row, because most updates of charges change nothing that is added up.
create function total_changed_invoice() returns trigger language plpgsql as $$
begin
  insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
    select old.gateway, old.payment_method_id, old.status, old.location_id, coalesce(old.location_id, (select location_id from purchase where purchase_id = old.purchase_id)),
      -1, -old.total_centavos, -old.tax_centavos, -(case when old.status = 'disputed' then old.disputed_centavos else old.open_dispute_centavos end)
    union all select new.gateway, new.payment_method_id, new.status, new.location_id, coalesce(new.location_id, (select location_id from purchase where purchase_id = new.purchase_id)),
      1, new.total_centavos, new.tax_centavos, case when new.status = 'disputed' then new.disputed_centavos else new.open_dispute_centavos end;
  return null;
end $$;
--> statement-breakpoint
create trigger total_of_changed after update on invoice for each row
  when ((old.purchase_id, old.gateway, old.payment_method_id, old.status, old.location_id, old.total_centavos, old.tax_centavos, old.disputed_centavos, old.open_dispute_centavos)
    is distinct from (new.purchase_id, new.gateway, new.payment_method_id, new.status, new.location_id, new.total_centavos, new.tax_centavos, new.disputed_centavos, new.open_dispute_centavos))
  execute function total_changed_invoice();
--> statement-breakpoint
-- A charge without a location is visible where its purchase is.
create function total_moved_purchase() returns trigger language plpgsql as $$
begin
  insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
    select i.gateway, i.payment_method_id, i.status, null, side.location_id, side.sign * count(*), side.sign * sum(i.total_centavos), side.sign * sum(i.tax_centavos),
      side.sign * sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
    from invoice i, (values (-1, old.location_id), (1, new.location_id)) as side (sign, location_id)
    where i.purchase_id = new.purchase_id and i.location_id is null group by 1, 2, 3, side.sign, side.location_id;
  return null;
end $$;
--> statement-breakpoint
create trigger total_of_moved_purchase after update of location_id on purchase for each row
  when (old.location_id is distinct from new.location_id) execute function total_moved_purchase();
--> statement-breakpoint
insert into invoice_total (gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed)
  select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id), count(*), sum(i.total_centavos), sum(i.tax_centavos),
    sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end)
  from invoice i join purchase p using (purchase_id) group by 1, 2, 3, 4, 5;
