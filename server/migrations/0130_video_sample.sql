ALTER TABLE "video" ADD COLUMN "sample_file_id" integer;--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_sample_file_id_file_file_id_fk" FOREIGN KEY ("sample_file_id") REFERENCES "public"."file"("file_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "video_sample_file" ON "video" USING btree ("sample_file_id");--> statement-breakpoint
ALTER TABLE "video" ADD CONSTRAINT "video_sample" CHECK ("video"."sample_file_id" <> "video"."file_id");