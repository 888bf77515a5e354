CREATE TABLE "payment_link" (
	"purchase_id" integer PRIMARY KEY NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_purchase_id_purchase_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase"("purchase_id") ON DELETE no action ON UPDATE no action;