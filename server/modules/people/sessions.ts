/** The caller's sessions, and signing out of them (docs/domain.md, "People", P16). The identity service stores the sessions. */

import { refuse } from '#contract/errors.ts'
import type { SignedInSession } from '#contract/people.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { deviceName } from './devices.ts'
import { endPushOfSession, listSessionsWithPush } from './push-devices.ts'

function signedIn(ctx: Ctx): { uid: string; session: string | null } {
  if (ctx.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  return { uid: ctx.actor.uid, session: ctx.actor.session ?? null }
}

/** The caller's open sessions, last used first. */
export async function mySessions(ctx: Ctx): Promise<{ sessions: SignedInSession[] }> {
  ctx.requireOwnDevice()
  const { uid, session } = signedIn(ctx)
  const [devices, withPush] = await Promise.all([ctx.ports.identity.listSessions(uid), listSessionsWithPush(ctx.db, uid)])
  return {
    sessions: devices.map((device) => ({
      session_id: device.session,
      device: deviceName(device.userAgent),
      createdAt: device.createdAt.toISOString(),
      last_used_at: device.lastUsedAt.toISOString(),
      is_current: device.session === session,
      gets_push: withPush.has(device.session),
    })),
  }
}

/** Ends all other sessions of the caller. A token without a session id ends none. */
export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  ctx.requireOwnDevice()
  const { uid, session } = signedIn(ctx)
  return { ended: session === null ? 0 : await ctx.ports.identity.endOtherSessions(uid, session) }
}

/** Signs out: ends the session of the token. */
export async function endMySession(ctx: Ctx): Promise<{ ok: true }> {
  const { uid, session } = signedIn(ctx)
  if (session !== null) await ctx.ports.identity.endSession(uid, session)
  await ctx.tx((tx) => endPushOfSession(tx, uid, session))
  return { ok: true }
}
