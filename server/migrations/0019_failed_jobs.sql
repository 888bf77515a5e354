CREATE TABLE "failed_job" (
	"failed_job_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "failed_job_failed_job_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"job_id" uuid NOT NULL,
	"queue" text NOT NULL,
	"job" text NOT NULL,
	"data" jsonb NOT NULL,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"failedAt" timestamp with time zone DEFAULT now() NOT NULL,
	"closedAt" timestamp with time zone,
	"closed_by" text,
	CONSTRAINT "failed_job_closed" CHECK (("failed_job"."closedAt" is null) = ("failed_job"."closed_by" is null)),
	CONSTRAINT "failed_job_closed_by" CHECK ("failed_job"."closed_by" in ('retry', 'staff'))
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "claimed_by" text;--> statement-breakpoint
CREATE UNIQUE INDEX "failed_job_once" ON "failed_job" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "failed_job_open" ON "failed_job" USING btree ("failedAt") WHERE "failed_job"."closedAt" is null;