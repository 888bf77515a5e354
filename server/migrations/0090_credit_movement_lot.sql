DROP INDEX "credit_movement_lot";--> statement-breakpoint
CREATE INDEX "credit_movement_lot" ON "credit_movement" USING btree ("available_class_id","createdAt","kind","amount","class_reservation_id");