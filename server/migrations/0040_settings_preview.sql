CREATE TABLE "settings_preview" (
	"settings_preview_id" text PRIMARY KEY NOT NULL,
	"values" jsonb NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "settings_preview_expires" ON "settings_preview" USING btree ("expiresAt");