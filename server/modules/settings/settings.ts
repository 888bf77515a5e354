/** Settings: typed keys and values, switches, branding. Other modules read them as `ctx.settings`. */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type EditedSetting, type SettingChange, TAKEN_PATHS } from '#contract/content.ts'
import { type Refusal, refuse, type SettingConflict } from '#contract/errors.ts'
import type { FoundSetting } from '#contract/search.ts'
import { SETTING_AREAS, type SettingArea } from '#contract/setting-areas.ts'
import { groupedKeys, PACKAGES_PATH } from '#contract/setting-groups.ts'
import { infoOf, rightsOfSettings } from '#contract/setting-help.ts'
import type { SettingKey, Settings } from '#contract/settings.ts'
import { defaultSettings, isSettingKey, publicKeys, settings, settingsFromPairs } from '#contract/settings.ts'
import { refuseChanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx, Studio } from '#server/modules/ctx.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import type { Log } from '#server/platform/log.ts'
import { searchWords } from '#server/platform/search.ts'
import { findPreview, insertPreview, listChanges, listLatestChanges, listSettings, lockSettings, upsertSetting } from './store.ts'

export { listStoredKeys, storeKeys } from './processor-keys.ts'

export interface CurrentSettings {
  read(): Settings
  refresh(): Promise<void>
  /**
   * Calls the listener after a change was loaded, so that values derived from settings are rebuilt from the new ones. Returns a function
   * that stops it.
   */
  onChange(listener: () => void): () => void
}

/** A studio's settings in memory, reloaded after every change. */
export async function openSettings(db: Db, events: Events, log: Log): Promise<CurrentSettings> {
  let current = defaultSettings
  const listeners = new Set<() => void>()
  let reading: Promise<void> = Promise.resolve()
  /** Loads one after the other, so that an older result never replaces a newer one. */
  function refresh(): Promise<void> {
    const read = async () => {
      current = Object.freeze(await listSettings(db.read))
      for (const listener of listeners) listener()
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
    read: () => current,
    refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The response of `GET /appconfig`: public keys only (settled 28). */
export function publicSettings(ctx: Ctx) {
  return publicKeys.map((key) => ({ key, value: ctx.settings[key] }))
}

/**
 * All settings for the editor: `GET /appconfig/admin/all`. `current`: values just saved, before the event of the change has reloaded the
 * cache.
 */
export async function editedSettings(ctx: Ctx, current: Partial<Settings> = {}): Promise<EditedSetting[]> {
  const read: Settings = { ...ctx.settings, ...current }
  const changes = new Map((await listLatestChanges(ctx.db, groupedKeys)).map((change) => [change.key, change]))
  return groupedKeys.map((key) => {
    const info = infoOf(key)
    const changed = changes.get(key)
    return {
      key,
      value: read[key] as EditedSetting['value'],
      default: settings[key].default as EditedSetting['default'],
      public: settings[key].public,
      ...info,
      shown_on: info.shown_on.map((path) => (path === PACKAGES_PATH ? read.class_packages_path : path)),
      changed_at: changed?.at ?? null,
      changed_by: changed?.by ?? null,
    }
  })
}

/** The changes of one setting, newest first, from the audit trail. NOT_FOUND. */
export async function settingHistory(ctx: Ctx, { key }: { key: string }): Promise<{ changes: SettingChange[] }> {
  if (!isSettingKey(key)) throw refuse('NOT_FOUND')
  const rows = await listChanges(ctx.db, key, HISTORY_LIMIT)
  const json = (value: unknown) => (value ?? null) as SettingChange['before']
  return { changes: rows.map((row) => ({ ...row, before: json(row.before), after: json(row.after), by: row.by ?? 'El sistema' })) }
}

/** Changes of one setting that its history shows. */
const HISTORY_LIMIT = 50

const splitWords = (text: string): string[] => searchWords(text.replace(/[^\p{L}\p{N}]+/gu, ' '))

/** What is searched of each setting: the label alone, and with its area, group and help, as lower-case words without accents. */
const searched = groupedKeys.map((key) => {
  const { area, group, label, help } = infoOf(key)
  return { key, named: splitWords(label), words: splitWords(`${label} ${group} ${SETTING_AREAS[area as SettingArea]} ${help}`) }
})

/** The settings in whose label, group, area or help every word of a text begins a word; those that the label alone fits come first. */
export function findSettings(query: string, limit: number): FoundSetting[] {
  const typed = splitWords(query)
  if (typed.join('').length < 3) return []
  const fits = (words: readonly string[]) => typed.every((word) => words.some((term) => term.startsWith(word)))
  const found = searched.filter(({ words }) => fits(words)).sort((a, b) => Number(fits(b.named)) - Number(fits(a.named)))
  return found.slice(0, limit).map(({ key }) => {
    const { label, area, group } = infoOf(key)
    return { key, label, area, group }
  })
}

interface Issue {
  path: string
  message: string
}

/** Parses the editor's values; INVALID_INPUT names each unknown key and each invalid value. */
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

/** Own code and the identity configuration need a right of their own (E3). FORBIDDEN. */
export function requireSettingRights(ctx: Ctx, changes: Partial<Settings>): void {
  for (const { key, right } of rightsOfSettings) if (changes[key] !== undefined) ctx.require(right)
}

/** Settings about the sign-in (P15). */
const SIGN_IN_SETTINGS: readonly SettingKey[] = ['firebaseConfig', 'staff_second_factor_required']

/** A change of how people sign in requires a recent sign-in (E18). RECENT_SIGN_IN_REQUIRED. */
export function requireRecentSignInFor(ctx: Ctx, changes: Partial<Settings>): void {
  if (SIGN_IN_SETTINGS.some((key) => key in changes && !isDeepStrictEqual(changes[key], ctx.settings[key]))) ctx.requireRecentSignIn()
}

/** Settings with HTML for visitors, sanitised when saved and again when a page reads it. */
const HTML_SETTINGS: readonly SettingKey[] = ['about_text', 'mission_text']

/** The values that changes were made from, by key. */
export type ReadValues = Partial<Record<SettingKey, unknown>>

/** The stored versions of settings that were changed since they were read, unless to the same value. */
async function conflictsOf(tx: Tx, stored: Settings, changes: Record<string, unknown>, read: ReadValues): Promise<SettingConflict[]> {
  const keys = (Object.keys(read) as SettingKey[]).filter(
    (key) => !isDeepStrictEqual(stored[key], read[key]) && !isDeepStrictEqual(stored[key], changes[key]),
  )
  if (keys.length === 0) return []
  const latest = new Map((await listLatestChanges(tx, keys)).map((change) => [change.key, change]))
  return keys.map((key) => ({ key, value: stored[key], at: latest.get(key)?.at ?? null, by: latest.get(key)?.by ?? null }))
}

/** The refusal for settings that others changed meanwhile: with the last of them whose change is known. */
function refuseSettings(ctx: Ctx, conflicts: SettingConflict[]): Refusal {
  const [last] = conflicts.filter(({ by, at }) => by && at).sort((a, b) => Date.parse(b.at ?? '') - Date.parse(a.at ?? ''))
  return refuseChanged(ctx, last?.by, last?.at ? new Date(last.at) : null, { conflicts })
}

/**
 * Changes settings and returns the stored values; each must match its schema. Staff only: the caller has checked. `read`: the values that
 * the changes were made from, where the caller knows them. CHANGED_MEANWHILE with both names and values: nothing is changed.
 */
export async function changeSettings(ctx: Ctx, changes: Partial<Settings>, read: ReadValues = {}): Promise<Partial<Settings>> {
  const sanitized: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(changes) as [SettingKey, unknown][]) {
    const typed = settings[key].schema.parse(value)
    sanitized[key] = HTML_SETTINGS.includes(key) && typeof typed === 'string' ? await sanitizeHtml(typed) : typed
  }
  return ctx.tx(async (tx) => {
    // Concurrent changes are applied one after the other, each with the stored value, not the cached one, as its audited "before".
    await lockSettings(tx)
    const stored = await listSettings(tx)
    const conflicts = await conflictsOf(tx, stored, sanitized, read)
    if (conflicts.length) throw refuseSettings(ctx, conflicts)
    for (const [key, fits] of Object.entries(sanitized) as [SettingKey, unknown][]) {
      await upsertSetting(tx, key, fits, ctx.now)
      const before = stored[key]
      // Unchanged values are not audited.
      if (!isDeepStrictEqual(fits, before))
        await ctx.audit(tx, { action: 'setting.change', entity: 'setting', entity_id: key, before, after: fits })
    }
    tx.notify({ topic: 'settings' })
    return sanitized as Partial<Settings>
  })
}

/** Changes one setting in a transaction of the caller, from its stored value, and audits it. */
export async function changeSetting<K extends SettingKey>(
  tx: Tx,
  ctx: Ctx,
  key: K,
  change: (stored: Settings[K]) => Settings[K],
): Promise<void> {
  await lockSettings(tx)
  const before = (await listSettings(tx))[key]
  const after = change(before)
  if (isDeepStrictEqual(before, after)) return
  settings[key].schema.parse(after)
  await upsertSetting(tx, key, after, ctx.now)
  await ctx.audit(tx, { action: 'setting.change', entity: 'setting', entity_id: key, before, after })
  tx.notify({ topic: 'settings' })
}

/**
 * The preview of the public pages with unsaved settings (G10): stored for some minutes under a random id, reached by a signed token that is
 * part of an address. The pages are rendered by server/documents; nothing else accepts the token.
 */
const PREVIEW_USE = 'settings-preview'
const PREVIEW_MS = 15 * 60_000

/**
 * POST /admin/settings/preview. INVALID_INPUT names the keys as for a change. FORBIDDEN: own code without `settings.code`. Nothing of the
 * studio changes.
 */
export async function openPreview(
  ctx: Ctx,
  input: { settings: readonly { key: string; value?: unknown }[] },
): Promise<{ token: string; until: string }> {
  const values = readSettings(input.settings)
  requireSettingRights(ctx, values)
  const id = randomBytes(16).toString('hex')
  const expiresAt = new Date(ctx.now.getTime() + PREVIEW_MS)
  await ctx.tx((tx) => insertPreview(tx, { id, values, expiresAt }, ctx.now))
  return { token: ctx.studio.signer.sign(PREVIEW_USE, id), until: expiresAt.toISOString() }
}

/**
 * The settings that a preview is rendered with; null for a token that is not ours or has expired. Without `head` and `body`: codes that
 * count visits or show windows have no place in a preview.
 */
export async function previewSettings(
  studio: Pick<Studio, 'db' | 'signer' | 'clock' | 'settings'>,
  token: string,
): Promise<Settings | null> {
  const id = studio.signer.read(PREVIEW_USE, token)
  const values = id && (await findPreview(studio.db.read, id, studio.clock()))
  if (!values) return null
  const pairs = Object.entries({ ...studio.settings(), ...values, head: '', body: '' })
  return settingsFromPairs(pairs.map(([key, value]) => ({ key, value })))
}
