DROP INDEX "message_created";--> statement-breakpoint
CREATE INDEX "purchase_sold" ON "purchase" USING btree ("completedAt","total_centavos","discount_centavos") WHERE not "purchase"."is_gift";--> statement-breakpoint
CREATE INDEX "message_created" ON "message" USING btree ("createdAt","event","channel","status");