CREATE TABLE "whatsapp_outbox_template" (
	"name" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_template" (
	"event" text NOT NULL,
	"channel" text NOT NULL,
	"subject" text,
	"text" text,
	"updatedAt" timestamp with time zone NOT NULL,
	"updated_by" integer,
	CONSTRAINT "message_template_event_channel_pk" PRIMARY KEY("event","channel"),
	CONSTRAINT "message_template_channel" CHECK ("message_template"."channel" in ('mail', 'whatsapp', 'app'))
);
--> statement-breakpoint
CREATE TABLE "whatsapp_template" (
	"name" text PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"is_own" boolean NOT NULL,
	"body" text NOT NULL,
	"keys" jsonb NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"createdAt" timestamp with time zone NOT NULL,
	"submittedAt" timestamp with time zone,
	"retiredAt" timestamp with time zone,
	CONSTRAINT "whatsapp_template_status" CHECK ("whatsapp_template"."status" in ('pending', 'approved', 'rejected', 'paused'))
);
--> statement-breakpoint
ALTER TABLE "message_template" ADD CONSTRAINT "message_template_updated_by_staff_staff_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "whatsapp_template_event" ON "whatsapp_template" USING btree ("event","createdAt");