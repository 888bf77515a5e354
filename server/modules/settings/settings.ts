/** Settings: typed key/value, switches, branding. Every other module reads them as `ctx.settings`. */
import type { SettingKey, Settings } from '#contract/settings.ts'
import { defaultSettings, publicKeys, settings } from '#contract/settings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Db } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import type { Log } from '#server/platform/log.ts'
import { listSettings, putSetting } from './store.ts'

/** A studio's settings in memory, read again whenever somebody changes one. */
export async function openSettings(db: Db, events: Events, log: Log): Promise<{ read(): Settings; refresh(): Promise<void> }> {
  let present = defaultSettings
  async function refresh() {
    present = Object.freeze(await listSettings(db.read))
  }
  events.listen((event) => {
    if (event.topic === 'settings') refresh().catch((error) => log.error({ error }, 'settings could not be read again'))
  })
  await refresh()
  return { read: () => present, refresh }
}

/** What `GET /appconfig` answers: public keys only (decision 28). */
export function publicSettings(ctx: Ctx): { key: string; value: never }[] {
  return publicKeys.map((key) => ({ key, value: ctx.settings[key] as never }))
}

/** Settings whose text is HTML that visitors are shown; it is made safe again when a page reads it. */
const HTML_SETTINGS: readonly SettingKey[] = ['about_text', 'mission_text']

/** Changes settings; each value must fit its schema. Staff only: the caller has checked. */
export async function changeSettings(ctx: Ctx, changes: Partial<Settings>): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const [key, value] of Object.entries(changes) as [SettingKey, unknown][]) {
      const typed = settings[key].schema.parse(value)
      const fits = HTML_SETTINGS.includes(key) && typeof typed === 'string' ? await sanitizeHtml(typed) : typed
      await putSetting(tx, key, fits, ctx.now)
      await ctx.audit(tx, { action: 'setting.change', entity: 'setting', entity_id: key, before: ctx.settings[key], after: fits })
    }
    tx.notify({ topic: 'settings' })
  })
}
