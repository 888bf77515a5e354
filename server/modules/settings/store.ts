import { inArray, sql } from 'drizzle-orm'
import { type SettingKey, settingKeys, type Settings, settingsFromPairs } from '#contract/settings.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { setting } from './tables.ts'

/** Every setting, defaults filled in. */
export async function listSettings(db: Reader): Promise<Settings> {
  return settingsFromPairs(await db.select({ key: setting.key, value: setting.value }).from(setting).where(inArray(setting.key, settingKeys)))
}

export async function putSetting(tx: Tx, key: SettingKey, value: unknown, now: Date): Promise<void> {
  // "Not set" is a value too: null as JSON, not the absence of one.
  const stored = value === null ? sql`'null'::jsonb` : value
  await tx.insert(setting).values({ key, value: stored, updatedAt: now }).onConflictDoUpdate({ target: setting.key, set: { value: stored, updatedAt: now } })
}
