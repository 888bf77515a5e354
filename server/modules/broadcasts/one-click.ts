/**
 * The address of the `List-Unsubscribe` header (RFC 8058): a mail program sends one POST of a form, without cookies, and nothing else is
 * needed. Opened in a browser it redirects to a page with a confirmation, because programs that scan mails open every link.
 */
import type { FastifyInstance } from 'fastify'
import { messagePaths } from '#contract/paths.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { takeBytes } from '#server/platform/inbox.ts'
import { changeSubscription } from './broadcasts.ts'

interface Named {
  Params: { token: string }
}

export async function registerOneClick(app: FastifyInstance, studio: Studio): Promise<void> {
  await app.register(async (scope) => {
    takeBytes(scope)
    scope.post<Named>('/api/one_click_unsubscribe/:token', async (req, reply) => {
      const ctx = new Ctx(studio, { actor: { kind: 'visitor' }, requestId: req.id, ip: req.ip })
      await changeSubscription(ctx, { token: req.params.token, subscribed: false })
      return reply.send({ ok: true })
    })
    scope.get<Named>('/api/one_click_unsubscribe/:token', async (req, reply) =>
      reply.redirect(messagePaths.unsubscribe(req.params.token), 303),
    )
  })
}
