ALTER TABLE "customer" ADD COLUMN "archivedAt" timestamp with time zone;--> statement-breakpoint
-- The summary of a customer depends on it. A trigger's columns cannot be altered.
drop trigger mark_customer on customer;--> statement-breakpoint
create trigger mark_customer after insert or delete or update of name, last_name, email, phone, birthdate, uid, "createdAt", "deletedAt", "archivedAt" on customer
  for each row execute function mark_customer();
