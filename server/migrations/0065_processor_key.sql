CREATE TABLE "processor_key" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_value" text NOT NULL,
	"ending" text NOT NULL,
	"updatedAt" timestamp with time zone NOT NULL
);
