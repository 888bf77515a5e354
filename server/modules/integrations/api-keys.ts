/** Keys with which programs call the API (docs/domain.md I1 to I5). */
import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { API_KEY_CALLS_PER_MINUTE, API_KEY_PREFIX, API_KEYS_MAX, type ApiKey } from '#contract/api-keys.ts'
import { refuse } from '#contract/errors.ts'
import type { Right } from '#contract/rights.ts'
import { endOfDay, type LocalDate } from '#contract/time.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { throttle } from '#server/platform/throttle.ts'
import {
  type ApiKeyRow,
  countKeysInUse,
  endSecrets,
  type FoundKey,
  findKeyByHash,
  insertApiKey,
  insertSecret,
  listApiKeys,
  locationsOfKey,
  lockApiKey,
  touchLastUse,
  updateApiKey,
} from './api-key-store.ts'

export type { FoundKey }

const SHOWN_CHARACTERS = 10
const HOUR_MS = 3_600_000
const SECRET = new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{43}$`)

/** Whether a bearer token has the form of an API key. */
export const isApiKey = (token: string): boolean => SECRET.test(token)

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** The key of a secret, whose use is recorded; null when it does not work. The caller caches the result for a moment. */
export async function useApiKey(db: Db, secret: string, now: Date): Promise<FoundKey | null> {
  const found = await findKeyByHash(db.read, hashOf(secret))
  if (!found || (found.until && found.until <= now)) return null
  await db.tx((tx) => touchLastUse(tx, found.api_key_id, now))
  return found
}

/** TOO_MANY_REQUESTS: each key has calls of its own, whatever address they come from (I4). */
export function throttleApiKey(db: Db, api_key_id: number, now: Date): Promise<void> {
  return throttle(db, { name: 'api-key', subject: String(api_key_id), max: API_KEY_CALLS_PER_MINUTE, seconds: 60 }, now)
}

function stateOf({ revokedAt, expiresAt, is_orphaned }: ApiKeyRow, now: Date): ApiKey['state'] {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  return is_orphaned ? 'orphaned' : 'active'
}

const serialize = (row: ApiKeyRow, now: Date): ApiKey => ({
  api_key_id: row.api_key_id,
  name: row.name,
  rights: row.rights,
  created_by: row.created_by,
  prefix: row.prefix ?? '',
  old_prefix: row.old_prefix,
  old_until: row.old_until?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
  state: stateOf(row, now),
})

/** GET /admin/api_keys. */
export async function apiKeyList(ctx: Ctx): Promise<{ api_keys: ApiKey[] }> {
  return { api_keys: (await listApiKeys(ctx.db, ctx.now)).map((row) => serialize(row, ctx.now)) }
}

async function readKey(ctx: Ctx, api_key_id: number): Promise<ApiKey> {
  const [row] = await listApiKeys(ctx.db, ctx.now, api_key_id)
  if (!row) throw refuse('NOT_FOUND')
  return serialize(row, ctx.now)
}

/** FORBIDDEN with `needs` for a right that the caller lacks. */
function requireRights(ctx: Ctx, rights: readonly Right[]): void {
  for (const right of rights) ctx.require(right)
}

/**
 * FORBIDDEN, with `needs` for a right of the key that the caller lacks, without it where the key works at a location at which they do
 * not (I2).
 */
async function requireAllOfKey(tx: Tx, ctx: Ctx, api_key_id: number, rights: readonly Right[]): Promise<void> {
  requireRights(ctx, rights)
  if (ctx.locationIds === null) return
  const locations = await locationsOfKey(tx, api_key_id)
  if (!locations?.every((location_id) => ctx.worksAt(location_id))) throw refuse('FORBIDDEN')
}

/** A new secret of a key, stored as its hash. */
async function addSecret(tx: Tx, ctx: Ctx, api_key_id: number): Promise<string> {
  const secret = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  await insertSecret(tx, { api_key_id, hash: hashOf(secret), prefix: secret.slice(0, SHOWN_CHARACTERS), createdAt: ctx.now })
  return secret
}

/** POST /admin/api_keys. RECENT_SIGN_IN_REQUIRED, FORBIDDEN, INVALID_INPUT. */
export async function createApiKey(
  ctx: Ctx,
  input: { name: string; rights: Right[]; expires_on: LocalDate | null },
): Promise<{ api_key: ApiKey; secret: string }> {
  ctx.requireRecentSignIn()
  requireRights(ctx, input.rights)
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  const expiresAt = input.expires_on === null ? null : endOfDay(input.expires_on, ctx.zone)
  if (expiresAt && expiresAt <= ctx.now)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'expires_on', message: 'Elige un día que no haya pasado.' }] })
  const rights = [...new Set(input.rights)]
  const { api_key_id, secret } = await ctx.tx(async (tx) => {
    if ((await countKeysInUse(tx)) >= API_KEYS_MAX)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'name', message: `Caben ${API_KEYS_MAX} llaves: revoca alguna primero.` }] })
    const api_key_id = await insertApiKey(tx, {
      name: input.name,
      rights,
      staff_id: staff.staff_id,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      expiresAt,
    })
    const secret = await addSecret(tx, ctx, api_key_id)
    await ctx.audit(tx, { action: 'api_key.create', entity: 'api_key', entity_id: api_key_id, after: { name: input.name, rights } })
    return { api_key_id, secret }
  })
  return { api_key: await readKey(ctx, api_key_id), secret }
}

/** PUT /admin/api_keys. NOT_FOUND, FORBIDDEN, CHANGED_MEANWHILE; RECENT_SIGN_IN_REQUIRED where rights are added. */
export async function changeApiKey(
  ctx: Ctx,
  {
    api_key_id,
    name,
    rights,
    if_updatedAt,
  }: { api_key_id: number; name?: string | undefined; rights?: Right[] | undefined; if_updatedAt?: string | null | undefined },
): Promise<{ api_key: ApiKey }> {
  await ctx.tx(async (tx) => {
    const before = await lockApiKey(tx, api_key_id)
    if (!before) throw refuse('NOT_FOUND')
    await assertUnchanged(tx, ctx, { entity: 'api_key', id: api_key_id, updatedAt: before.updatedAt }, if_updatedAt)
    const added = (rights ?? []).filter((right) => !before.rights.includes(right))
    if (added.length > 0) ctx.requireRecentSignIn()
    if (added.length > 0) await requireAllOfKey(tx, ctx, api_key_id, added)
    const after = { name: name ?? before.name, rights: rights ? [...new Set(rights)] : before.rights }
    const was = { name: before.name, rights: before.rights }
    // What changes nothing is no version (K19).
    if (isDeepStrictEqual(after, was)) return
    await updateApiKey(tx, api_key_id, { ...after, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'api_key.change', entity: 'api_key', entity_id: api_key_id, before: was, after })
    tx.notify({ topic: 'api_key' })
  })
  return { api_key: await readKey(ctx, api_key_id) }
}

/**
 * POST /admin/api_keys/{id}/rotate. NOT_FOUND, RECENT_SIGN_IN_REQUIRED; FORBIDDEN when the caller lacks a right of the key, because they
 * see its new secret.
 */
export async function rotateApiKey(
  ctx: Ctx,
  { api_key_id, overlap_hours }: { api_key_id: number; overlap_hours: number },
): Promise<{ api_key: ApiKey; secret: string }> {
  ctx.requireRecentSignIn()
  const secret = await ctx.tx(async (tx) => {
    const before = await lockApiKey(tx, api_key_id)
    if (!before) throw refuse('NOT_FOUND')
    await requireAllOfKey(tx, ctx, api_key_id, before.rights)
    await endSecrets(tx, api_key_id, { now: ctx.now, until: new Date(ctx.now.getTime() + overlap_hours * HOUR_MS) })
    const secret = await addSecret(tx, ctx, api_key_id)
    const after = { name: before.name, overlap_hours }
    await ctx.audit(tx, { action: 'api_key.rotate', entity: 'api_key', entity_id: api_key_id, after })
    tx.notify({ topic: 'api_key' })
    return secret
  })
  return { api_key: await readKey(ctx, api_key_id), secret }
}

/** DELETE /admin/api_keys/{id}. NOT_FOUND. */
export async function revokeApiKey(ctx: Ctx, { api_key_id }: { api_key_id: number }): Promise<{ api_key: ApiKey }> {
  await ctx.tx(async (tx) => {
    const before = await lockApiKey(tx, api_key_id)
    if (!before) throw refuse('NOT_FOUND')
    await updateApiKey(tx, api_key_id, { revokedAt: ctx.now, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'api_key.revoke', entity: 'api_key', entity_id: api_key_id, before: { name: before.name } })
    tx.notify({ topic: 'api_key' })
  })
  return { api_key: await readKey(ctx, api_key_id) }
}
