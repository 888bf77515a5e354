ALTER TABLE "import" ADD COLUMN "remember" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "import_row" ADD COLUMN "choices" jsonb DEFAULT '{}'::jsonb NOT NULL;