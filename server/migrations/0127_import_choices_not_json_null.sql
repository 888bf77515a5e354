-- JSON null is a value to PostgreSQL but null to the driver (server/platform/json-nulls.test.ts).
update "import_row" set "choices" = '{}' where jsonb_typeof("choices") = 'null';--> statement-breakpoint
alter table "import_row" add constraint "import_row_choices_no_json_null" check (jsonb_typeof("choices") <> 'null');
