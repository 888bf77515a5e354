CREATE TABLE "external_record" (
	"source" text NOT NULL,
	"ref" text NOT NULL,
	"record_id" integer NOT NULL,
	"customer_id" integer,
	"import_id" integer,
	CONSTRAINT "external_record_source_ref_pk" PRIMARY KEY("source","ref")
);
--> statement-breakpoint
ALTER TABLE "import_mapping" DROP CONSTRAINT "import_mapping_pkey";--> statement-breakpoint
ALTER TABLE "import_mapping" ADD COLUMN "kind" text DEFAULT 'customers' NOT NULL;--> statement-breakpoint
ALTER TABLE "import_mapping" ADD CONSTRAINT "import_mapping_source_kind_pk" PRIMARY KEY("source","kind");--> statement-breakpoint
ALTER TABLE "import" ADD COLUMN "kind" text DEFAULT 'customers' NOT NULL;--> statement-breakpoint
ALTER TABLE "import_row" ADD COLUMN "record" jsonb;--> statement-breakpoint
ALTER TABLE "external_record" ADD CONSTRAINT "external_record_import_id_import_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."import"("import_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "external_record_customer" ON "external_record" USING btree ("customer_id") WHERE "external_record"."customer_id" is not null;--> statement-breakpoint
CREATE INDEX "import_row_customer" ON "import_row" USING btree ("customer_id") WHERE "import_row"."customer_id" is not null;--> statement-breakpoint
-- A movement is never rewritten; only its customer follows the lot when two customers become one. It is deleted with its lot while the import that
-- gave the lot is being undone, and then only.
create or replace function guard_credit_movement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'customer_id' = to_jsonb(old) - 'customer_id' and new.customer_id =
      (select a.customer_id from available_class a where a.available_class_id = new.available_class_id) then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select 1 from import_row r join import i using (import_id)
      where r.customer_id = old.customer_id and r.state = 'done' and i.state = 'undoing'
        and r.undo -> 'granted' @> jsonb_build_array(jsonb_build_object('available_class_id', old.available_class_id))) then
    return old;
  end if;
  raise exception 'credit_movement is written once' using errcode = 'restrict_violation';
end $$;
