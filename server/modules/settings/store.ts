import { inArray, sql } from 'drizzle-orm'
import { type SettingKey, type Settings, settingKeys, settingsFromPairs } from '#contract/settings.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { setting } from './tables.ts'

/** Every setting, defaults filled in. */
export async function listSettings(db: Reader): Promise<Settings> {
  // The driver reads JSON and Drizzle would read a text once more: "5548217390" came back as a number.
  const rows = await db
    .select({ key: setting.key, json: sql<string>`${setting.value}::text` })
    .from(setting)
    .where(inArray(setting.key, settingKeys))
  return settingsFromPairs(rows.map(({ key, json }) => ({ key, value: JSON.parse(json) })))
}

export async function putSetting(tx: Tx, key: SettingKey, value: unknown, now: Date): Promise<void> {
  // "Not set" is a value too: null as JSON, not the absence of one.
  const stored = value === null ? sql`'null'::jsonb` : value
  await tx
    .insert(setting)
    .values({ key, value: stored, updatedAt: now })
    .onConflictDoUpdate({ target: setting.key, set: { value: stored, updatedAt: now } })
}
