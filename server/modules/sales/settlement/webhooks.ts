/**
 * Receives webhook events: stores them and responds at once (processors resend what is not answered quickly); a job then reads the
 * processor, since the event itself is not trusted (V18).
 */
import type { FastifyInstance } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { BadSignature } from '#server/adapters/payments/port.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { registerSandboxSite } from '#server/adapters/payments/sandbox/site.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { insertEvent } from '#server/modules/sales/store/webhook-event-store.ts'
import { INBOX, rawBody, takeBytes } from '#server/platform/inbox.ts'

/** `POST /api/webhooks/{gateway}`: 200 once stored, 400 when the signature is wrong. Also delivers the sandbox's webhook events. */
export async function registerWebhooks(app: FastifyInstance, studio: Studio): Promise<void> {
  await app.register(async (inbox) => {
    takeBytes(inbox)
    inbox.post<{ Params: { gateway: string } }>('/api/webhooks/:gateway', INBOX, async (req, reply) => {
      const gateway = studio.ports.gateways.get(req.params.gateway)
      if (!gateway) throw refuse('NOT_FOUND')
      try {
        const webhookEvent = await gateway.verifyWebhook({ headers: req.headers, body: rawBody(req) })
        await receive(
          new Ctx(studio, { actor: { kind: 'system', job: `webhook:${gateway.id}` }, requestId: req.id }),
          gateway.id,
          webhookEvent,
        )
        return reply.send({ ok: true })
      } catch (error) {
        if (!(error instanceof BadSignature) && !(error instanceof SyntaxError)) throw error
        studio.log.warn({ gateway: gateway.id, why: error.message }, 'webhook.signature_invalid')
        throw refuse('INVALID_INPUT')
      }
    })
  })
  for (const gateway of studio.ports.gateways.values()) {
    if (!(gateway instanceof Sandbox)) continue
    // Serve the sandbox's pages on our own origin too, for setups in which only one port is reachable.
    await registerSandboxSite(app, { sandbox: gateway, publicUrl: studio.publicUrl, settings: studio.settings })
    let disconnect = () => {}
    app.addHook('onReady', async () => {
      disconnect = gateway.connect(async (webhookEvent) => {
        const { statusCode } = await app.inject({
          method: 'POST',
          url: `/api/webhooks/${gateway.id}`,
          headers: webhookEvent.headers,
          payload: webhookEvent.body,
        })
        return statusCode
      })
    })
    app.addHook('preClose', async () => disconnect())
  }
}

/** Stores a webhook event and its job in one transaction. A duplicate is answered with 200 and dropped. */
async function receive(
  ctx: Ctx,
  gateway: string,
  webhookEvent: { eventId: string; about: { kind: 'payment' | 'subscription'; id: string }[] },
): Promise<void> {
  await ctx.tx(async (tx) => {
    const about = webhookEvent.about.map(({ kind, id }) => ({ kind, id }))
    const id = await insertEvent(tx, { gateway, event_id: webhookEvent.eventId, about, receivedAt: ctx.now })
    if (id !== null) await tx.send({ name: 'sales.event', data: { provider_event_id: id, gateway } })
  })
}
