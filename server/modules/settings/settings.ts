/** Settings: typed key/value, switches, branding. Every other module reads them as `ctx.settings`. */
import { isDeepStrictEqual } from 'node:util'
import { TAKEN_PATHS } from '#contract/content.ts'
import { refuse } from '#contract/errors.ts'
import { infoOf } from '#contract/setting-help.ts'
import type { SettingKey, Settings } from '#contract/settings.ts'
import { defaultSettings, isSettingKey, publicKeys, settingKeys, settings } from '#contract/settings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Db } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import type { Log } from '#server/platform/log.ts'
import { listSettings, putSetting } from './store.ts'

export interface CurrentSettings {
  read(): Settings
  refresh(): Promise<void>
  /** Calls back once a change has been read: only from then on is what is made of settings new. Answers how to stop. */
  onChange(hear: () => void): () => void
}

/** A studio's settings in memory, read again whenever somebody changes one. */
export async function openSettings(db: Db, events: Events, log: Log): Promise<CurrentSettings> {
  let present = defaultSettings
  const ears = new Set<() => void>()
  let reading: Promise<void> = Promise.resolve()
  /** One reading after the other: an older one never has the last word. */
  function refresh(): Promise<void> {
    const read = async () => {
      present = Object.freeze(await listSettings(db.read))
      for (const hear of ears) hear()
    }
    const mine = reading.then(read)
    reading = mine.catch(() => {})
    return mine
  }
  events.listen((event) => {
    if (event.topic === 'settings' || event.topic === 'missed') refresh().catch((error) => log.error({ error }, 'settings.reload_failed'))
  })
  await refresh()
  return {
    read: () => present,
    refresh,
    onChange(hear) {
      ears.add(hear)
      return () => ears.delete(hear)
    },
  }
}

/** What `GET /appconfig` answers: public keys only (settled 28). */
export function publicSettings(ctx: Ctx) {
  return publicKeys.map((key) => ({ key, value: ctx.settings[key] }))
}

/** Every setting for its editor: `GET /appconfig/admin/all`. `present`: what was just saved, before the news of it is around. */
export function editedSettings(ctx: Ctx, present: Partial<Settings> = {}) {
  const read: Settings = { ...ctx.settings, ...present }
  return settingKeys.map((key) => ({
    key,
    value: read[key],
    default: settings[key].default,
    public: settings[key].public,
    ...infoOf(key),
  }))
}

interface Issue {
  path: string
  message: string
}

/** What somebody typed into the editor, as settings; INVALID_INPUT names each key that does not exist and each value that does not fit. */
export function readSettings(pairs: readonly { key: string; value?: unknown }[]): Partial<Settings> {
  const read: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const { key, value } of pairs) {
    if (!isSettingKey(key)) {
      issues.push({ path: key, message: 'Ese ajuste no existe.' })
      continue
    }
    const fits = settings[key].schema.safeParse(value)
    if (fits.success) read[key] = fits.data
    else issues.push({ path: key, message: fits.error.issues[0]?.message ?? 'Ese valor no se puede usar.' })
  }
  const changes = read as Partial<Settings>
  if (TAKEN_PATHS.includes(changes.class_packages_path?.slice(1) ?? ''))
    issues.push({ path: 'class_packages_path', message: 'Esa dirección ya es de otra pantalla.' })
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
  return changes
}

/** Settings whose text is HTML that visitors are shown; it is made safe again when a page reads it. */
const HTML_SETTINGS: readonly SettingKey[] = ['about_text', 'mission_text']

/** Changes settings and answers them as they were kept; each value must fit its schema. Staff only: the caller has checked. */
export async function changeSettings(ctx: Ctx, changes: Partial<Settings>): Promise<Partial<Settings>> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(changes) as [SettingKey, unknown][]) {
    const typed = settings[key].schema.parse(value)
    kept[key] = HTML_SETTINGS.includes(key) && typeof typed === 'string' ? await sanitizeHtml(typed) : typed
  }
  return ctx.tx(async (tx) => {
    for (const [key, fits] of Object.entries(kept) as [SettingKey, unknown][]) {
      await putSetting(tx, key, fits, ctx.now)
      const before = ctx.settings[key]
      // A value that stays leaves no trace.
      if (!isDeepStrictEqual(fits, before))
        await ctx.audit(tx, { action: 'setting.change', entity: 'setting', entity_id: key, before, after: fits })
    }
    tx.notify({ topic: 'settings' })
    return kept as Partial<Settings>
  })
}
