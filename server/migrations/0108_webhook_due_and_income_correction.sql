CREATE INDEX "income_day_correction" ON "income_day" USING btree ("purchase_id","period") WHERE "income_day"."paid" < 0 or "income_day"."back" < 0 or "income_day"."recognised" < 0;--> statement-breakpoint
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" USING btree ("webhook_endpoint_id",coalesce("nextAttemptAt", '-infinity'::timestamptz),"webhook_delivery_id") WHERE "webhook_delivery"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_test" ON "webhook_delivery" USING btree ("webhook_endpoint_id") WHERE "webhook_delivery"."state" = 'waiting' and "webhook_delivery"."type" = 'webhook.test';--> statement-breakpoint
-- By hand: what is recorded behind a delivery that waits for its next attempt waits as long, so that nothing looks at it before.
create or replace function record_webhook(event text, about text, at timestamptz, data jsonb) returns void language sql as $$
  insert into webhook_delivery (webhook_endpoint_id, message_id, type, object, payload, "nextAttemptAt")
    select e.webhook_endpoint_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), event, about,
      jsonb_build_object('type', event, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data),
      -- The last one of the object, in the order of the index.
      (select case when d.webhook_endpoint_id = e.webhook_endpoint_id and d.object = about then d."nextAttemptAt" end from webhook_delivery d
        where d.state = 'waiting' and (d.webhook_endpoint_id, d.object) <= (e.webhook_endpoint_id, about)
        order by d.webhook_endpoint_id desc, d.object desc, d.webhook_delivery_id desc limit 1)
    from webhook_endpoint e where e.is_active and event = any (e.event_types)
$$;--> statement-breakpoint
-- By hand: until now the amount that a customer owes was short of what others had paid; all summaries with a sale are derived again.
insert into customer_change (customer_id) select distinct customer_id from purchase where sale_id is not null;
