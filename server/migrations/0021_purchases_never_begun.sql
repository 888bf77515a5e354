-- A subscription that was given up before it began was never bought: nothing was charged and nothing was granted for it.
UPDATE "purchase" SET "completedAt" = NULL
WHERE "status" = 'cancelled' AND "completedAt" IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "invoice" i WHERE i."purchase_id" = "purchase"."purchase_id")
  AND NOT EXISTS (SELECT 1 FROM "available_class" a WHERE a."purchase_id" = "purchase"."purchase_id");
