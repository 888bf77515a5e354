/**
 * The staff member behind a request, and as whom a job does later what they or their program wrote or started (docs/domain.md LA6, BR5,
 * I2, E15).
 */
import { sql } from 'drizzle-orm'
import type { Right } from '#contract/rights.ts'
import { Ctx, type CustomerPrincipal, type StaffPrincipal } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { findPrincipal } from './store.ts'

/**
 * Customer and staff member of an identity account, in one query; both null for a new account. authentication.ts caches the result for a
 * moment.
 */
export async function findPrincipals(
  db: Reader,
  uid: string,
): Promise<{ customer: CustomerPrincipal | null; staff: StaffPrincipal | null }> {
  return findPrincipal(db, uid)
}

/** What is stored of a caller, to act for them later. */
export interface Authorship {
  /** The rights that they had: of an API key and on a shared device fewer than the person's own. Null: their own. */
  rights: Right[] | null
  api_key_id: number | null
}

export const authorshipOf = ({ actor, staff }: Ctx): Authorship => ({
  rights: staff && [...staff.rights],
  api_key_id: (actor.kind === 'identity' && actor.apiKey?.api_key_id) || null,
})

/** The name of an API key that works; null when it was revoked or has expired. */
async function findWorkingKey(on: Reader, api_key_id: number, now: Date): Promise<string | null> {
  const { rows } = await on.execute<{ name: string }>(sql`
    select name from api_key where api_key_id = ${api_key_id} and "revokedAt" is null
      and ("expiresAt" is null or "expiresAt" > ${now.toISOString()}::timestamptz)`)
  return rows[0]?.name ?? null
}

/**
 * The author as a caller, with the rights that they had and still have now, and the locations of now; without an account or access, or once
 * the API key works no more, with none.
 */
export async function getAuthor(ctx: Ctx, { uid, rights, api_key_id }: Authorship & { uid: string | null }): Promise<Ctx> {
  const key = api_key_id === null ? null : await findWorkingKey(ctx.db, api_key_id, ctx.studio.clock())
  const isOver = api_key_id !== null && key === null
  const now = uid === null || isOver ? null : (await findPrincipals(ctx.db, uid)).staff
  const staff = now && { ...now, rights: new Set([...now.rights].filter((right) => rights?.includes(right) ?? true)) }
  const as = key === null || api_key_id === null ? { uid: uid ?? '' } : { uid: `api_key:${api_key_id}`, apiKey: { api_key_id, name: key } }
  return new Ctx(ctx.studio, {
    actor: { kind: 'identity', email: '', emailVerified: true, customer: null, staff, ...as },
    requestId: ctx.requestId,
  })
}
