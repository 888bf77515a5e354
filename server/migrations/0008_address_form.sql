-- Form 6 is the address form (S1-9.13). City, state and country are required, the rest is not (S2-5.01 to S2-5.04).
INSERT INTO "form" ("form_id", "name") VALUES (6, 'Dirección') ON CONFLICT DO NOTHING;
--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('form', 'form_id'), greatest(6, (SELECT max("form_id") FROM "form")));
--> statement-breakpoint
INSERT INTO "form_field" ("form_id", "key", "label", "type", "required", "step", "order") VALUES
	(6, 'street', 'Calle', 'text', false, 1, 1),
	(6, 'number', 'Número exterior', 'text', false, 1, 2),
	(6, 'interior_number', 'Número interior', 'text', false, 1, 3),
	(6, 'neighborhood', 'Colonia', 'text', false, 1, 4),
	(6, 'zip_code', 'Código postal', 'text', false, 1, 5),
	(6, 'city', 'Ciudad', 'text', true, 1, 6),
	(6, 'state', 'Estado', 'text', true, 1, 7),
	(6, 'country', 'País', 'text', true, 1, 8)
ON CONFLICT DO NOTHING;
