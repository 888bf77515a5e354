/** Queries of API keys. */
import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { Right } from '#contract/rights.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { apiKey, apiKeySecret } from './tables.ts'

export interface ApiKeyRow extends Record<string, unknown> {
  api_key_id: number
  name: string
  rights: Right[]
  createdAt: Date
  updatedAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  created_by: string
  is_orphaned: boolean
  prefix: string | null
  old_prefix: string | null
  old_until: Date | null
}

/** Keys with their current secret and, during a rotation, the previous one; those in use first. */
export async function listApiKeys(on: Reader, now: Date, api_key_id: number | null = null): Promise<ApiKeyRow[]> {
  const { rows } = await on.execute<ApiKeyRow>(sql`
    select k.api_key_id, k.name, k.rights, k."createdAt", k."updatedAt", k."lastUsedAt", k."expiresAt", k."revokedAt", s.name as created_by,
      s."disabledAt" is not null as is_orphaned, fresh.prefix, old.prefix as old_prefix, old."expiresAt" as old_until
    from api_key k join staff s using (staff_id)
      left join api_key_secret fresh on fresh.api_key_id = k.api_key_id and fresh."expiresAt" is null
      left join lateral (select prefix, "expiresAt" from api_key_secret x where x.api_key_id = k.api_key_id
        and x."expiresAt" > ${now.toISOString()}::timestamptz order by x."expiresAt" desc limit 1) old on true
    where ${api_key_id}::integer is null or k.api_key_id = ${api_key_id}::integer
    order by k."revokedAt" nulls first, k.api_key_id desc`)
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    lastUsedAt: row.lastUsedAt && new Date(row.lastUsedAt),
    expiresAt: row.expiresAt && new Date(row.expiresAt),
    revokedAt: row.revokedAt && new Date(row.revokedAt),
    old_until: row.old_until && new Date(row.old_until),
  }))
}

export interface FoundKey extends Record<string, unknown> {
  api_key_id: number
  name: string
  rights: Right[]
  /** The account of the person who created it. */
  uid: string
  /** The first instant at which this secret does not work; null = it has none. */
  until: Date | null
}

/** The key of a secret's hash; null when it is unknown, revoked, or its creator has no access. */
export async function findKeyByHash(on: Reader, hash: string): Promise<FoundKey | null> {
  const { rows } = await on.execute<FoundKey>(sql`
    select k.api_key_id, k.name, k.rights, s.uid, least(k."expiresAt", x."expiresAt") as until
    from api_key_secret x join api_key k using (api_key_id) join staff s using (staff_id)
    where x.hash = ${hash} and k."revokedAt" is null and s."disabledAt" is null and s.uid is not null`)
  const [found] = rows
  return found ? { ...found, until: found.until && new Date(found.until) } : null
}

export async function touchLastUse(tx: Tx, api_key_id: number, at: Date): Promise<void> {
  await tx.update(apiKey).set({ lastUsedAt: at }).where(eq(apiKey.api_key_id, api_key_id))
}

export const countKeysInUse = async (on: Reader): Promise<number> =>
  singleRow(await on.select({ n: count() }).from(apiKey).where(isNull(apiKey.revokedAt))).n

export async function insertApiKey(tx: Tx, values: typeof apiKey.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(apiKey).values(values).returning({ id: apiKey.api_key_id })).id
}

export async function insertSecret(tx: Tx, values: typeof apiKeySecret.$inferInsert): Promise<void> {
  await tx.insert(apiKeySecret).values(values)
}

/** A key that was not revoked, locked. */
export async function lockApiKey(tx: Tx, api_key_id: number): Promise<typeof apiKey.$inferSelect | null> {
  const [row] = await tx
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.api_key_id, api_key_id), isNull(apiKey.revokedAt)))
    .for('update')
  return row ?? null
}

/** The locations of the person who created a key; null = all. */
export async function locationsOfKey(tx: Tx, api_key_id: number): Promise<number[] | null> {
  const { rows } = await tx.execute<{ location_ids: number[] | null }>(sql`
    select (select array_agg(l.location_id) from staff_location l where l.staff_id = k.staff_id) as location_ids
    from api_key k where k.api_key_id = ${api_key_id}`)
  return rows[0]?.location_ids ?? null
}

export async function updateApiKey(tx: Tx, api_key_id: number, change: Partial<typeof apiKey.$inferInsert>): Promise<void> {
  await tx.update(apiKey).set(change).where(eq(apiKey.api_key_id, api_key_id))
}

/** Ends the current secret at an instant, and earlier ones at once: at most two work at the same time. */
export async function endSecrets(tx: Tx, api_key_id: number, at: { now: Date; until: Date }): Promise<void> {
  await tx.execute(sql`delete from api_key_secret where api_key_id = ${api_key_id} and "expiresAt" is not null`)
  if (at.until <= at.now) await tx.execute(sql`delete from api_key_secret where api_key_id = ${api_key_id}`)
  else await tx.update(apiKeySecret).set({ expiresAt: at.until }).where(eq(apiKeySecret.api_key_id, api_key_id))
}
