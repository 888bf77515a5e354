CREATE TABLE "processor_call" (
	"gateway" text NOT NULL,
	"purchase_id" integer NOT NULL,
	"step" text NOT NULL,
	"n" integer NOT NULL,
	"request_hash" text NOT NULL,
	"ref_kind" text,
	"ref_id" text,
	"buyer" text,
	"phase" text,
	"phaseAt" timestamp with time zone,
	"memo" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "processor_call_gateway_purchase_id_step_n_pk" PRIMARY KEY("gateway","purchase_id","step","n"),
	CONSTRAINT "processor_call_phase" CHECK (("processor_call"."phase" is null) = ("processor_call"."phaseAt" is null)),
	CONSTRAINT "processor_call_ref_whole" CHECK (("processor_call"."ref_id" is null) = ("processor_call"."ref_kind" is null))
);
--> statement-breakpoint
CREATE TABLE "processor_object" (
	"gateway" text NOT NULL,
	"name" text NOT NULL,
	"id" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL,
	CONSTRAINT "processor_object_gateway_name_pk" PRIMARY KEY("gateway","name")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "processor_call_ref" ON "processor_call" USING btree ("gateway","ref_id") WHERE "processor_call"."ref_id" is not null;--> statement-breakpoint
CREATE INDEX "processor_call_created" ON "processor_call" USING btree ("gateway","createdAt");