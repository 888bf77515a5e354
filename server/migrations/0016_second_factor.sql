CREATE TABLE "identity_challenge" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"uid" text NOT NULL,
	"sealed_secret" text,
	"createdAt" timestamp with time zone NOT NULL,
	"expiresAt" timestamp with time zone NOT NULL,
	CONSTRAINT "identity_challenge_kind" CHECK ("identity_challenge"."kind" in ('sign-in', 'enrolment')),
	CONSTRAINT "identity_challenge_secret" CHECK (("identity_challenge"."kind" = 'enrolment') = ("identity_challenge"."sealed_secret" is not null))
);
--> statement-breakpoint
CREATE TABLE "identity_recovery_code" (
	"recovery_code_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "identity_recovery_code_recovery_code_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uid" text NOT NULL,
	"label" text NOT NULL,
	"code_hash" text NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_second_factor" (
	"factor_id" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"display_name" text,
	"enrolledAt" timestamp with time zone NOT NULL,
	"last_step" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identity_session" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity_challenge" ADD CONSTRAINT "identity_challenge_uid_identity_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_account"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_recovery_code" ADD CONSTRAINT "identity_recovery_code_uid_identity_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_account"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_second_factor" ADD CONSTRAINT "identity_second_factor_uid_identity_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."identity_account"("uid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_challenge_uid" ON "identity_challenge" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "identity_challenge_expiry" ON "identity_challenge" USING btree ("expiresAt");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_recovery_code_label" ON "identity_recovery_code" USING btree ("uid","label");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_second_factor_uid" ON "identity_second_factor" USING btree ("uid");