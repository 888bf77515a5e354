import { IconDeviceMobile, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { EditedSetting } from '#contract/content.ts'
import type { Right } from '#contract/rights.ts'
import { isSettingArea, SETTING_AREAS, type SettingArea } from '#contract/setting-areas.ts'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toTyped, valuesWith } from './setting-draft.ts'
import { settingId } from './setting-row.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type SettingsEdits, useSettingsEditor } from './use-settings-editor.ts'

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
/** From this width on the preview is beside the form; below it opens over it. */
const WIDE = '(min-width: 1281px)'

/** The editor of all settings: one draft over the areas, saved together. */
export function SettingsEditor({ settings, area }: { settings: readonly EditedSetting[]; area: SettingArea }) {
  const staff = useStaff()
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const [search, setSearch] = useState(query.get(SEARCH) ?? '')
  const [history, setHistory] = useState<string | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const isWide = useMedia(WIDE)
  const [isPreviewing, setIsPreviewing] = useState(false)
  useTarget(settings)

  /** Searches in all areas; the text is in the address too. */
  function find(text: string) {
    setSearch(text)
    setQuery(text ? { [SEARCH]: text } : {}, { replace: true, preventScrollReset: true })
  }
  /** Opens the area of a setting and goes to its field. */
  function goTo(setting: EditedSetting) {
    if (!isSettingArea(setting.area)) return
    setSearch('')
    void navigate(adminPaths.setting(setting.area, setting.key), { replace: true, preventScrollReset: true })
  }
  const edits = useSettingsEditor(settings, goTo)
  const { byKey, draft, changed, failure } = edits
  useShortcuts('En Ajustes', [{ keys: 'Mod+s', label: 'Guardar', act: edits.submit }])
  const hasPreview = PREVIEWED.includes(area) && search === ''
  const opened = history === null ? undefined : byKey.get(history)
  const preview = (
    <Suspense fallback={<Skeleton height="480px" />}>
      <SettingsPreview
        settings={settings}
        edits={edits}
        onPick={(setting) => {
          setIsPreviewing(false)
          goTo(setting)
        }}
      />
    </Suspense>
  )
  return (
    <div className={`settings-screen ${hasPreview ? 'settings-previewed' : ''}`}>
      <AreaLinks
        area={search === '' ? area : null}
        changed={new Set(changed.map((key) => byKey.get(key)?.area))}
        onOpen={() => setSearch('')}
      />
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
          problems={edits.refused}
          onChange={edits.setTyped}
          onHistory={(setting) => setHistory(setting.key)}
          onClearSearch={() => find('')}
          onTest={() => setIsTesting(true)}
        />
        <UnsavedBar edits={edits} />
      </div>
      {hasPreview && isWide && <aside className="settings-preview">{preview}</aside>}
      <Dialog open={isPreviewing && !isWide} onClose={() => setIsPreviewing(false)} width="middle" title="Cómo queda">
        {preview}
      </Dialog>
      <LeaveGuard
        when={changed.length > 0 && !edits.isSaving}
        within={(path) => AREAS.some(([key]) => path === adminPaths.settingsArea(key))}
      />
      <Dialog open={edits.proof !== null} onClose={null} title="Confirma que eres tú">
        {edits.proof}
      </Dialog>
      <Suspense>
        {isTesting && <RuleTestClass onClose={() => setIsTesting(false)} />}
        <SavingDialogs edits={edits} />
        {opened && (
          <SettingHistory
            setting={opened}
            mayEdit={opened.right === null || may(staff, opened.right as Right)}
            onRestore={(value) => {
              edits.setTyped(opened, toTyped(opened, value))
              setHistory(null)
            }}
            onClose={() => setHistory(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

interface AreaLinksProps {
  /** null while settings of all areas are searched */
  area: SettingArea | null
  /** the areas with unsaved changes */
  changed: ReadonlySet<string | undefined>
  onOpen: () => void
}

function AreaLinks({ area, changed, onOpen }: AreaLinksProps) {
  const areas = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the row of areas is scrolled to the one that is shown
  useEffect(() => {
    areas.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [area])
  return (
    <nav ref={areas} className="settings-areas" aria-label="Áreas de los ajustes">
      {AREAS.map(([key, label]) => (
        <AppLink key={key} to={adminPaths.settingsArea(key)} aria-current={key === area ? 'page' : undefined} onClick={onOpen}>
          {label}
          {changed.has(key) && <span className="setting-dot" title="Con cambios sin guardar" />}
        </AppLink>
      ))}
    </nav>
  )
}

interface SettingsPreviewProps {
  settings: readonly EditedSetting[]
  edits: SettingsEdits
  onPick: (setting: EditedSetting) => void
}

/** The public pages with the unsaved values; a click on one leads to its field. */
function SettingsPreview({ settings, edits: { byKey, draft, changes }, onPick }: SettingsPreviewProps) {
  const values = valuesWith(settings, draft)
  return (
    <PreviewPane
      changes={changes}
      packagesPath={String(values.class_packages_path)}
      pick={{
        settings,
        values,
        onPick(key) {
          const setting = byKey.get(key)
          if (setting) onPick(setting)
        },
      }}
    />
  )
}

/** How many changes are not saved, in sight while there are any. */
function UnsavedBar({ edits: { byKey, changed, isSaving, discard, submit } }: { edits: SettingsEdits }) {
  if (changed.length === 0) return null
  return (
    <div className="settings-save">
      <p role="status">
        <span className="strong">{changed.length === 1 ? '1 cambio sin guardar' : `${changed.length} cambios sin guardar`}</span>
        <span className="small muted">{changed.map((key) => byKey.get(key)?.label ?? key).join(', ')}</span>
      </p>
      <Button variant="outline" onClick={discard}>
        Descartar
      </Button>
      <Button loading={isSaving} onClick={submit}>
        Guardar
      </Button>
    </div>
  )
}

/** The dialogs before saving: the confirmation of a dangerous change, and the choice between two versions of a setting. */
function SavingDialogs({ edits }: { edits: SettingsEdits }) {
  const { toConfirm, conflicts } = edits
  return (
    <>
      {toConfirm && <DangerDialog settings={toConfirm} saving={edits.isSaving} onConfirm={edits.confirm} onClose={edits.cancelConfirm} />}
      {conflicts.length > 0 && (
        <ConflictDialog
          conflicts={conflicts}
          settings={edits.byKey}
          changes={edits.changes}
          onResolve={edits.resolveConflicts}
          onClose={edits.closeConflicts}
        />
      )}
    </>
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
