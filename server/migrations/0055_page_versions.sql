CREATE TABLE "page_version" (
	"page_id" integer NOT NULL,
	"version" integer NOT NULL,
	"title" text NOT NULL,
	"source" text,
	"content" text,
	"createdAt" timestamp with time zone NOT NULL,
	"staff_id" integer,
	CONSTRAINT "page_version_page_id_version_pk" PRIMARY KEY("page_id","version")
);
--> statement-breakpoint
ALTER TABLE "announcement" ADD COLUMN "from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "announcement" ADD COLUMN "until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "announcement" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "announcement" ADD COLUMN "location_ids" integer[];--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "published" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "sort" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "seo_title" text;--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "seo_description" text;--> statement-breakpoint
ALTER TABLE "page" ADD COLUMN "updated_by" integer;--> statement-breakpoint
ALTER TABLE "page_version" ADD CONSTRAINT "page_version_page_id_page_page_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."page"("page_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_version" ADD CONSTRAINT "page_version_staff_id_staff_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page" ADD CONSTRAINT "page_updated_by_staff_staff_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."staff"("staff_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement" ADD CONSTRAINT "announcement_dates" CHECK ("announcement"."until" > "announcement"."from");
--> statement-breakpoint
-- The texts of the versions that are on the site. Earlier ones are in the audit trail only.
insert into page_version (page_id, version, title, source, content, "createdAt")
  select page_id, version, title, source, content, "updatedAt" from page;
--> statement-breakpoint
-- Each new version of a page is stored, whatever made it: it is what customers agree to.
create function store_page_version() returns trigger language plpgsql as $$
begin
  insert into page_version (page_id, version, title, source, content, "createdAt", staff_id)
    values (new.page_id, new.version, new.title, new.source, new.content, new."updatedAt", new.updated_by)
    on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger store_page_version after insert or update of version on page for each row execute function store_page_version();
