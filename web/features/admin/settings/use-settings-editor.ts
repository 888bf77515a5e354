import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import type { SettingConflict } from '#contract/errors.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure, type Failure, toFailure } from '#web/lib/errors.ts'
import { type Change, type SettingsDraft, type Typed, validateChanges, withoutSetting, withTyped } from './setting-draft.ts'

/** A switch is confirmed when it is turned to its dangerous position, other dangerous settings with every change. */
const isDangerous = ({ danger, type, default: initial }: EditedSetting, { value }: Change): boolean =>
  danger !== null && !(type === 'boolean' && value === initial)

/** One draft over all settings, and saving it. */
export interface SettingsEdits {
  byKey: ReadonlyMap<string, EditedSetting>
  draft: SettingsDraft
  /** the keys that are changed */
  changed: readonly string[]
  /** the changes as they are sent */
  changes: readonly Change[]
  /** problems found by saving, as sentences by key */
  refused: Readonly<Record<string, string>>
  setTyped: (setting: EditedSetting, typed: Typed) => void
  discard: () => void
  /** Saves, or first shows problems or the confirmation of dangerous changes. */
  submit: () => void
  isSaving: boolean
  failure: Failure | null
  /** the changed settings that need a confirmation; null while none is awaited */
  toConfirm: readonly EditedSetting[] | null
  confirm: () => void
  cancelConfirm: () => void
  /** settings that another person changed since they were loaded */
  conflicts: readonly SettingConflict[]
  closeConflicts: () => void
  /** For settings in conflict: keeps the own changes of the given ones, drops those of the others, and saves the remaining changes. */
  resolveConflicts: (mine: ReadonlySet<string>) => void
  /** the password form, where saving needs a recent sign-in */
  proof: ReactNode
}

/** `goTo` shows the field of a setting. */
export function useSettingsEditor(settings: readonly EditedSetting[], goTo: (setting: EditedSetting) => void): SettingsEdits {
  const [draft, setDraft] = useState<SettingsDraft>({})
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [conflicts, setConflicts] = useState<readonly SettingConflict[]>([])
  const [confirming, setConfirming] = useState(false)
  const byKey = useMemo(() => new Map(settings.map((setting) => [setting.key, setting])), [settings])
  const { changes, problems } = validateChanges(byKey, draft)
  const changed = Object.keys(draft)
  const dangerous = changes.flatMap((change) => {
    const setting = byKey.get(change.key)
    return setting && isDangerous(setting, change) ? [setting] : []
  })
  /** Marks fields and goes to the first of them. */
  const showProblems = (byField: Readonly<Record<string, string>>) => {
    setRefused(byField)
    const [first = ''] = Object.keys(byField)
    const setting = byKey.get(first)
    if (setting) goTo(setting)
  }
  const { save, proof } = useSettingsSaving({
    onSaved(saved) {
      setDraft((current) => saved.reduce((left, { key }) => withoutSetting(left, key), current))
      setRefused({})
    },
    onConflicts: setConflicts,
    onRefused: showProblems,
    onFinished: () => setConfirming(false),
  })
  return {
    byKey,
    draft,
    changed,
    changes,
    refused,
    conflicts,
    proof,
    isSaving: save.isPending,
    failure: save.error ? toFailure(save.error) : null,
    setTyped(setting, typed) {
      setDraft((current) => withTyped(current, setting, typed))
      setRefused(({ [setting.key]: _, ...others }) => others)
    },
    discard() {
      setDraft({})
      setRefused({})
      save.reset()
    },
    submit() {
      if (changed.length === 0 || save.isPending) return
      if (Object.keys(problems).length > 0) {
        showProblems(problems)
        showAlert('alert', 'Revisa los campos marcados.')
      } else if (dangerous.length > 0) setConfirming(true)
      else save.mutate(changes)
    },
    toConfirm: confirming ? dangerous : null,
    confirm: () => save.mutate(changes),
    cancelConfirm: () => setConfirming(false),
    closeConflicts: () => setConflicts([]),
    resolveConflicts(mine) {
      let next = draft
      for (const { key, value } of conflicts) {
        const entry = draft[key]
        if (!entry) continue
        next = mine.has(key) ? { ...next, [key]: { ...entry, base: value as EditedSetting['value'] } } : withoutSetting(next, key)
      }
      setDraft(next)
      setConflicts([])
      save.reset()
      const left = validateChanges(byKey, next).changes
      if (left.length > 0) save.mutate(left)
    },
  }
}

interface SavingListeners {
  onSaved: (saved: readonly Change[]) => void
  onConflicts: (conflicts: readonly SettingConflict[]) => void
  /** with the sentences by field, perhaps none */
  onRefused: (issues: Readonly<Record<string, string>>) => void
  onFinished: () => void
}

/** Saves changes, after the password where the server requires a recent sign-in, and offers to undo them. */
function useSettingsSaving({ onSaved, onConflicts, onRefused, onFinished }: SavingListeners) {
  const client = useQueryClient()
  const { run, proof } = useProven()
  const cacheKey = queries.content.settings.queryKey()
  async function send(pairs: readonly Change[]): Promise<readonly EditedSetting[]> {
    const answer = await api.content.changeSettings({ settings: [...pairs] })
    client.setQueryData(cacheKey, answer)
    return answer.settings
  }
  const undo = useMutation({
    meta: { handled: true },
    mutationFn: (pairs: readonly Change[]) =>
      run(async () => {
        await send(pairs)
        showAlert('success', 'Deshecho.')
      }),
    onError: alertFailure,
  })
  async function saveChanges(saved: readonly Change[]) {
    const settings = await send(saved)
    onSaved(saved)
    const stored = new Map(settings.map(({ key, value }) => [key, value]))
    offerUndo('Guardado.', () =>
      undo.mutate(saved.map(({ key, if_value }) => ({ key, value: if_value, if_value: stored.get(key) ?? null }))),
    )
    // Other screens follow settings too.
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== cacheKey[0] })
  }
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (saved: readonly Change[]) => run(() => saveChanges(saved)),
    onError(error) {
      const failure = toFailure(error)
      if (failure.code === 'CHANGED_MEANWHILE') {
        onConflicts((failure.data.conflicts as SettingConflict[] | undefined) ?? [])
        void client.refetchQueries({ queryKey: cacheKey })
      }
      onRefused(fieldErrors(failure))
    },
    onSettled: onFinished,
  })
  return { save, proof }
}
