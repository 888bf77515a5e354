import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { type SettingKey, type Settings, settingKeys, settingsFromPairs } from '#contract/settings.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { setting, settingsPreview } from './tables.ts'

/** All settings, with defaults for those not stored. */
export async function listSettings(db: Reader): Promise<Settings> {
  // Read as text: the driver parses JSON and Drizzle would parse the result once more, so that "5548217390" became a number.
  const rows = await db
    .select({ key: setting.key, json: sql<string>`${setting.value}::text` })
    .from(setting)
    .where(inArray(setting.key, settingKeys))
  return settingsFromPairs(rows.map(({ key, json }) => ({ key, value: JSON.parse(json) })))
}

/** Serializes changes of settings until the transaction ends. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'))`)
}

export async function upsertSetting(tx: Tx, key: SettingKey, value: unknown, now: Date): Promise<void> {
  // "Not set" is stored too, as JSON null.
  const stored = value === null ? sql`'null'::jsonb` : value
  await tx
    .insert(setting)
    .values({ key, value: stored, updatedAt: now })
    .onConflictDoUpdate({ target: setting.key, set: { value: stored, updatedAt: now } })
}

export interface SettingChangeRow extends Record<string, unknown> {
  audit_id: number
  at: string
  /** Name of the staff member; null: not by staff. */
  by: string | null
  before: unknown
  after: unknown
}

const CHANGE = sql`a.audit_id::float8 as audit_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, s.name as by`
const BY_STAFF = sql`left join staff s on a.actor like 'staff:%' and s.staff_id = a.actor_id`

/** The changes of one setting, newest first. */
export async function listChanges(on: Reader, key: SettingKey, limit: number): Promise<SettingChangeRow[]> {
  const { rows } = await on.execute<SettingChangeRow>(sql`
    select ${CHANGE}, a.before, a.after from audit a ${BY_STAFF}
    where a.entity = 'setting' and a.entity_id = ${key} and a.action = 'setting.change' order by a.audit_id desc limit ${limit}`)
  return rows
}

/** When and by whom each of these settings was changed last; unchanged ones are missing. */
export async function listLatestChanges(
  on: Reader,
  keys: readonly SettingKey[],
): Promise<{ key: string; at: string; by: string | null }[]> {
  const { rows } = await on.execute<{ key: string; at: string; by: string | null }>(sql`
    select k.key, ${CHANGE} from unnest(array[${sql.join(
      keys.map((key) => sql`${key}`),
      sql`, `,
    )}]::text[]) as k (key)
      cross join lateral (select * from audit a where a.entity = 'setting' and a.entity_id = k.key and a.action = 'setting.change'
        order by a.audit_id desc limit 1) a ${BY_STAFF}`)
  return rows
}

/** Stores the values of a preview, and removes those that have expired. */
export async function insertPreview(tx: Tx, row: { id: string; values: Partial<Settings>; expiresAt: Date }, now: Date): Promise<void> {
  await tx.delete(settingsPreview).where(lte(settingsPreview.expiresAt, now))
  await tx.insert(settingsPreview).values({ settings_preview_id: row.id, values: row.values, expiresAt: row.expiresAt })
}

/** The values of a preview that has not expired. */
export async function findPreview(on: Reader, id: string, now: Date): Promise<Record<string, unknown> | null> {
  const [row] = await on
    .select({ values: settingsPreview.values })
    .from(settingsPreview)
    .where(and(eq(settingsPreview.settings_preview_id, id), gt(settingsPreview.expiresAt, now)))
  return row ? (row.values as Record<string, unknown>) : null
}
