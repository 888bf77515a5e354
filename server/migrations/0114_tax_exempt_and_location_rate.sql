ALTER TABLE "class_package" ADD COLUMN "tax_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "location" ADD COLUMN "tax_rate" integer;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "tax_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sale_line" ADD COLUMN "tax_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invoice" ADD COLUMN "tax_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "class_package" ADD CONSTRAINT "class_package_exempt" CHECK (not "class_package"."tax_exempt" or "class_package"."tax_rate" is null);--> statement-breakpoint
ALTER TABLE "location" ADD CONSTRAINT "location_tax" CHECK ("location"."tax_rate" between 0 and 10000);--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_exempt" CHECK (not "product"."tax_exempt" or "product"."tax_rate" is null);--> statement-breakpoint
ALTER TABLE "sale_line" ADD CONSTRAINT "sale_line_exempt" CHECK (not "sale_line"."tax_exempt" or "sale_line"."tax_rate" = 0);--> statement-breakpoint
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_exempt" CHECK (not "invoice"."tax_exempt" or "invoice"."tax_rate" = 0);