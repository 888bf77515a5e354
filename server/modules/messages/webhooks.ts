/** Webhook of Meta's delivery reports: `/api/webhooks/whatsapp`. Requests without a valid signature are refused. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { NotFromWhatsApp } from '#server/adapters/whatsapp/port.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { INBOX, rawBody, takeBytes } from '#server/platform/inbox.ts'
import { applyDeliveryReports } from './delivery.ts'

export async function registerWhatsAppWebhook(app: FastifyInstance, studio: Studio): Promise<void> {
  await app.register(async (inbox) => {
    takeBytes(inbox)
    inbox.get<{ Querystring: Record<string, string | undefined> }>('/api/webhooks/whatsapp', async (req, reply) => {
      const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = req.query
      const answer = studio.ports.whatsapp.greet({ mode, token, challenge })
      if (answer === null) throw refuse('INVALID_INPUT')
      return reply.type('text/plain').send(answer)
    })
    inbox.post('/api/webhooks/whatsapp', INBOX, async (req, reply) => {
      const header = req.headers['x-hub-signature-256']
      try {
        const reports = studio.ports.whatsapp.verifyWebhook({
          signature: typeof header === 'string' ? header : undefined,
          body: rawBody(req),
        })
        const ctx = new Ctx(studio, { actor: { kind: 'system', job: 'webhook:whatsapp' }, requestId: req.id })
        for (const report of reports) await applyDeliveryReports(ctx, report)
        return reply.send({ ok: true })
      } catch (error) {
        if (!(error instanceof NotFromWhatsApp) && !(error instanceof SyntaxError)) throw error
        studio.log.warn({ why: error.message }, 'whatsapp.signature_invalid')
        throw refuse('INVALID_INPUT')
      }
    })
  })
}
