import { IconDeviceMobile, IconSearch } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { EditedSetting } from '#contract/content.ts'
import type { SettingConflict } from '#contract/errors.ts'
import type { Right } from '#contract/rights.ts'
import { isSettingArea, SETTING_AREAS, type SettingArea } from '#contract/setting-areas.ts'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { issuesOf } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure, failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Change, changesOf, type SettingsDraft, typedOf, valuesWith, withoutSetting, withTyped } from './setting-draft.ts'
import { settingId } from './setting-row.tsx'
import { SettingsForm } from './settings-form.tsx'

const DangerDialog = lazy(() => import('./save-dialogs.tsx').then(({ DangerDialog }) => ({ default: DangerDialog })))
const ConflictDialog = lazy(() => import('./save-dialogs.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })))
const PreviewPane = lazy(() => import('./preview-pane.tsx'))
const RuleTestClass = lazy(() => import('./rule-test-class.tsx'))
const SettingHistory = lazy(() => import('./setting-history.tsx'))

const AREAS = Object.entries(SETTING_AREAS) as [SettingArea, string][]
/** The query keys of the screen: what is searched, and the setting that a link leads to. */
const SEARCH = 'q'
const TARGET = 'ajuste'

/** The areas whose settings show on public pages. */
const PREVIEWED: readonly SettingArea[] = ['marca', 'portada', 'contacto', 'avanzado']
/** From this width on the preview stands beside the form; below it opens over it. */
const WIDE = '(min-width: 1281px)'

/** A switch is confirmed where it is turned to what can do harm, other dangerous settings with every change. */
const isDangerous = ({ danger, type, default: initial }: EditedSetting, { value }: Change): boolean =>
  danger !== null && !(type === 'boolean' && value === initial)

/** The editor of all settings: one draft over the areas, saved together. */
export function SettingsEditor({ settings, area }: { settings: readonly EditedSetting[]; area: SettingArea }) {
  const client = useQueryClient()
  const staff = useStaff()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const [search, setSearch] = useState(query.get(SEARCH) ?? '')
  const [draft, setDraft] = useState<SettingsDraft>({})
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [conflicts, setConflicts] = useState<readonly SettingConflict[]>([])
  const [confirming, setConfirming] = useState(false)
  const [history, setHistory] = useState<string | null>(null)
  const byKey = useMemo(() => new Map(settings.map((setting) => [setting.key, setting])), [settings])
  const { changes, problems } = changesOf(byKey, draft)
  const values = valuesWith(settings, draft)
  const changed = Object.keys(draft)
  const dangerous = changes.flatMap((change) => {
    const setting = byKey.get(change.key)
    return setting && isDangerous(setting, change) ? [setting] : []
  })
  useTarget(settings)
  const areas = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the row of areas is scrolled to the one that is shown
  useEffect(() => {
    areas.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [area])
  const isWide = useMedia(WIDE)
  const [isPreviewing, setIsPreviewing] = useState(false)
  const [isTesting, setIsTesting] = useState(false)
  const hasPreview = PREVIEWED.includes(area) && search === ''
  const preview = (
    <Suspense fallback={<Skeleton height="480px" />}>
      <PreviewPane
        changes={changes}
        packagesPath={String(values.class_packages_path)}
        pick={{
          settings,
          values,
          onPick(key) {
            setIsPreviewing(false)
            goTo(key)
          },
        }}
      />
    </Suspense>
  )

  /** Searches in all areas; the text is in the address too. */
  function find(text: string) {
    setSearch(text)
    setQuery(text ? { [SEARCH]: text } : {}, { replace: true, preventScrollReset: true })
  }
  /** Opens the area of a setting and goes to its field. */
  function goTo(key: string) {
    const setting = byKey.get(key)
    if (!setting || !isSettingArea(setting.area)) return
    setSearch('')
    void navigate(adminPaths.setting(setting.area, key), { replace: true, preventScrollReset: true })
  }
  const storeAnswer = (answer: { settings: EditedSetting[] }) => client.setQueryData(queries.content.settings.queryKey(), answer)
  const put = (pairs: readonly Change[]) => api.content.changeSettings({ settings: [...pairs] })
  const { run, proof } = useProven()
  const undo = useMutation({
    meta: { handled: true },
    mutationFn: (pairs: readonly Change[]) =>
      run(async () => {
        storeAnswer(await put(pairs))
        showAlert('success', 'Deshecho.')
      }),
    onError: alertFailure,
  })
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (saved: readonly Change[]) => run(() => saveChanges(saved)),
    onError(error) {
      const failure = failureOf(error)
      const { code, data } = failure
      if (code === 'CHANGED_MEANWHILE') {
        setConflicts((data.conflicts as SettingConflict[] | undefined) ?? [])
        void client.refetchQueries({ queryKey: queries.content.settings.queryKey() })
      }
      const issues = issuesOf(failure)
      setRefused(issues)
      const [first] = Object.keys(issues)
      if (first) goTo(first)
    },
    onSettled: () => setConfirming(false),
  })
  async function saveChanges(saved: readonly Change[]) {
    const answer = await put(saved)
    storeAnswer(answer)
    setDraft((present) => saved.reduce((left, { key }) => withoutSetting(left, key), present))
    setRefused({})
    const stored = new Map(answer.settings.map(({ key, value }) => [key, value]))
    offerUndo('Guardado.', () =>
      undo.mutate(saved.map(({ key, if_value }) => ({ key, value: if_value, if_value: stored.get(key) ?? null }))),
    )
    // Other screens follow settings too.
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queries.content.settings.queryKey()[0] })
  }
  const failure = save.error ? failureOf(save.error) : null

  function submit() {
    if (changed.length === 0 || save.isPending) return
    const [first] = Object.keys(problems)
    if (first) {
      setRefused(problems)
      showAlert('alert', 'Revisa los campos marcados.')
      goTo(first)
    } else if (dangerous.length > 0) setConfirming(true)
    else save.mutate(changes)
  }
  useShortcuts('En Ajustes', [{ keys: 'Mod+s', label: 'Guardar', act: submit }])

  function resolve(mine: ReadonlySet<string>) {
    let next = draft
    for (const { key, value } of conflicts) {
      const entry = draft[key]
      if (!entry) continue
      next = mine.has(key) ? { ...next, [key]: { ...entry, base: value as EditedSetting['value'] } } : withoutSetting(next, key)
    }
    setDraft(next)
    setConflicts([])
    save.reset()
    const left = changesOf(byKey, next).changes
    if (left.length > 0) save.mutate(left)
  }

  const opened = history === null ? undefined : byKey.get(history)
  const mayEdit = ({ right }: EditedSetting) => right === null || may(staff, right as Right)
  const names = changed.map((key) => byKey.get(key)?.label ?? key)
  return (
    <div className={`settings-screen ${hasPreview ? 'settings-previewed' : ''}`}>
      <nav ref={areas} className="settings-areas" aria-label="Áreas de los ajustes">
        {AREAS.map(([key, label]) => (
          <AppLink
            key={key}
            to={adminPaths.settingsArea(key)}
            aria-current={key === area && search === '' ? 'page' : undefined}
            onClick={() => setSearch('')}
          >
            {label}
            {changed.some((one) => byKey.get(one)?.area === key) && <span className="setting-dot" title="Con cambios sin guardar" />}
          </AppLink>
        ))}
      </nav>
      <div className="settings-main">
        <ScreenHead title={search ? 'Buscar en Ajustes' : SETTING_AREAS[area]}>
          <label className="control settings-search">
            <IconSearch className="icon" aria-hidden="true" />
            <input
              type="search"
              aria-label="Buscar en todos los ajustes"
              placeholder="Buscar en todos los ajustes"
              value={search}
              onChange={(event) => find(event.currentTarget.value)}
            />
          </label>
        </ScreenHead>
        {failure && failure.code !== 'CHANGED_MEANWHILE' && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        {hasPreview && !isWide && (
          <Button
            variant="outline"
            full
            icon={<IconDeviceMobile className="icon" aria-hidden="true" />}
            onClick={() => setIsPreviewing(true)}
          >
            Ver cómo queda
          </Button>
        )}
        <SettingsForm
          settings={settings}
          area={area}
          search={search.trim()}
          draft={draft}
          problems={refused}
          onChange={(setting, typed) => {
            setDraft((present) => withTyped(present, setting, typed))
            setRefused(({ [setting.key]: _, ...others }) => others)
          }}
          onHistory={(setting) => setHistory(setting.key)}
          onClearSearch={() => find('')}
          onTest={() => setIsTesting(true)}
        />
        {changed.length > 0 && (
          <div className="settings-save">
            <p role="status">
              <span className="strong">{changed.length === 1 ? '1 cambio sin guardar' : `${changed.length} cambios sin guardar`}</span>
              <span className="small muted">{names.join(', ')}</span>
            </p>
            <Button
              variant="outline"
              onClick={() => {
                setDraft({})
                setRefused({})
                save.reset()
              }}
            >
              Descartar
            </Button>
            <Button loading={save.isPending} onClick={submit}>
              Guardar
            </Button>
          </div>
        )}
      </div>
      {hasPreview && isWide && <aside className="settings-preview">{preview}</aside>}
      <Dialog open={isPreviewing && !isWide} onClose={() => setIsPreviewing(false)} width="middle" title="Cómo queda">
        {preview}
      </Dialog>
      <LeaveGuard
        when={changed.length > 0 && !save.isPending}
        within={(path) => AREAS.some(([key]) => path === adminPaths.settingsArea(key))}
      />
      <Dialog open={proof !== null} onClose={null} title="Confirma que eres tú">
        {proof}
      </Dialog>
      <Suspense>
        {isTesting && <RuleTestClass onClose={() => setIsTesting(false)} />}
        {confirming && (
          <DangerDialog
            settings={dangerous}
            saving={save.isPending}
            onConfirm={() => save.mutate(changes)}
            onClose={() => setConfirming(false)}
          />
        )}
        {conflicts.length > 0 && (
          <ConflictDialog conflicts={conflicts} settings={byKey} changes={changes} onResolve={resolve} onClose={() => setConflicts([])} />
        )}
        {opened && (
          <SettingHistory
            setting={opened}
            mayEdit={mayEdit(opened)}
            onRestore={(value) => {
              setDraft((present) => withTyped(present, opened, typedOf(opened, value)))
              setHistory(null)
            }}
            onClose={() => setHistory(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Goes to the field of the setting in the address (`?ajuste=`), each time that a link leads to one. */
function useTarget(settings: readonly EditedSetting[]): void {
  const { search, key } = useLocation()
  const target = new URLSearchParams(search).get(TARGET)
  const isKnown = settings.some((setting) => setting.key === target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of the history entry repeats it for the same setting
  useEffect(() => {
    if (!target || !isKnown) return
    // After the frame has moved the focus to the new screen, and the palette has given it back.
    const timer = setTimeout(() => {
      const row = document.getElementById(settingId(target))
      row?.scrollIntoView({ block: 'center' })
      row?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
    }, 0)
    return () => clearTimeout(timer)
  }, [target, isKnown, key])
}
