CREATE TABLE "onboarding_example" (
	"entity" text NOT NULL,
	"entity_id" integer NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "onboarding_example_entity_entity_id_pk" PRIMARY KEY("entity","entity_id"),
	CONSTRAINT "onboarding_example_entity" CHECK ("onboarding_example"."entity" in ('class_type', 'class_package', 'page', 'customer'))
);
--> statement-breakpoint
CREATE TABLE "onboarding_step" (
	"key" text PRIMARY KEY NOT NULL,
	"skippedAt" timestamp with time zone,
	"draft" jsonb,
	"updatedAt" timestamp with time zone NOT NULL
);
