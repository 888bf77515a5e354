CREATE TABLE "purchase_paid_elsewhere" (
	"purchase_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	CONSTRAINT "purchase_paid_elsewhere_purchase_id_location_id_pk" PRIMARY KEY("purchase_id","location_id")
);
--> statement-breakpoint
CREATE INDEX "purchase_paid_elsewhere_at" ON "purchase_paid_elsewhere" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "purchase_sums_at" ON "purchase" USING btree ("location_id","gateway","payment_method_id","status","total_centavos");--> statement-breakpoint
-- A charge at another location than that of its purchase, which may have none. Most charges are where their purchase is: nothing is written then.
create function note_paid_elsewhere() returns trigger language plpgsql as $$
begin
  insert into purchase_paid_elsewhere (purchase_id, location_id)
    select p.purchase_id, new.location_id from purchase p where p.purchase_id = new.purchase_id and p.location_id is distinct from new.location_id
    on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger paid_elsewhere_of_inserted after insert on invoice for each row when (new.location_id is not null) execute function note_paid_elsewhere();
--> statement-breakpoint
create trigger paid_elsewhere_of_changed after update of location_id, purchase_id on invoice for each row
  when (new.location_id is not null and (old.location_id, old.purchase_id) is distinct from (new.location_id, new.purchase_id)) execute function note_paid_elsewhere();
--> statement-breakpoint
create function note_moved_purchase() returns trigger language plpgsql as $$
begin
  insert into purchase_paid_elsewhere (purchase_id, location_id)
    select distinct i.purchase_id, i.location_id from invoice i where i.purchase_id = new.purchase_id and i.location_id is distinct from new.location_id and i.location_id is not null
    on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger paid_elsewhere_of_moved after update of location_id on purchase for each row
  when (old.location_id is distinct from new.location_id) execute function note_moved_purchase();
--> statement-breakpoint
insert into purchase_paid_elsewhere (purchase_id, location_id)
  select distinct i.purchase_id, i.location_id from invoice i join purchase p using (purchase_id) where i.location_id is not null and p.location_id is distinct from i.location_id;
