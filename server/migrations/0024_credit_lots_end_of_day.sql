-- Credits that were granted before they ended with their day keep their day and get all of it, to 23:59:59 in the studio's zone (settled 3).
-- Those that have expired stay expired. A studio without a zone has a fixed offset, which no named zone says: its lots are left alone.
UPDATE "available_class" a SET "expires_at" = (date_trunc('day', a."expires_at" AT TIME ZONE z."zone") + interval '1 day' - interval '1 second') AT TIME ZONE z."zone"
FROM (SELECT coalesce((SELECT "value" #>> '{}' FROM "setting" WHERE "key" = 'timezone'), 'America/Mexico_City') AS "zone") z
WHERE z."zone" <> '' AND a."revokedAt" IS NULL AND a."expires_at" > now();
