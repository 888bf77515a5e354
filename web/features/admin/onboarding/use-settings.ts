/** The settings that the first steps read and change. */
import { useQuery } from '@tanstack/react-query'
import { api, queries } from '#web/lib/api.ts'

export type SettingValues = Readonly<Record<string, unknown>>

/** Every setting by its key; undefined while it loads. Needs `settings.edit`. */
export function useSettingValues(): SettingValues | undefined {
  const { data } = useQuery(queries.content.settings.queryOptions())
  return data && Object.fromEntries(data.settings.map(({ key, value }) => [key, value]))
}

/** Saves settings; keys that already have the value are left out. */
export async function saveSettings(current: SettingValues, changes: SettingValues): Promise<void> {
  const settings = Object.entries(changes)
    .filter(([key, value]) => JSON.stringify(current[key]) !== JSON.stringify(value))
    .map(([key, value]) => ({ key, value }))
  if (settings.length > 0) await api.content.changeSettings({ settings })
}
