import { lazy, Suspense } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import type { Right } from '#contract/rights.ts'
import { SETTING_AREAS, type SettingArea } from '#contract/setting-areas.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import BrandColours from './brand-fields.tsx'
import { pageName } from './page-names.ts'
import { ruleSentence } from './rule-sentences.ts'
import { SectionList } from './section-list.tsx'
import { isFound, type SettingsDraft, type Typed, toTyped, valuesWith } from './setting-draft.ts'
import { SettingRow } from './setting-row.tsx'

const ProcessorCards = lazy(() => import('./processor-cards.tsx'))
const CertificateCard = lazy(() => import('./certificate-card.tsx'))
const WalletCards = lazy(() => import('./wallet-cards.tsx'))

/** The group that the state of the processors belongs to. */
const PROCESSORS = 'Procesadores'

/** Areas with rules that the tester explains for one person in one class. */
const TESTED: readonly SettingArea[] = ['reservas', 'espera']

interface SettingsFormProps {
  settings: readonly EditedSetting[]
  area: SettingArea
  /** what is searched in all areas; empty: the area is shown */
  search: string
  draft: SettingsDraft
  problems: Readonly<Record<string, string>>
  onChange: (setting: EditedSetting, typed: Typed) => void
  onHistory: (setting: EditedSetting) => void
  onClearSearch: () => void
  /** chooses a class and a person, and shows the result of the rules */
  onTest: () => void
}

interface Group {
  area: SettingArea
  title: string
  settings: EditedSetting[]
}

/** The settings in their groups, in the order of the API. */
function inGroups(settings: readonly EditedSetting[]): Group[] {
  const groups: Group[] = []
  for (const setting of settings) {
    const last = groups.at(-1)
    if (last?.area === setting.area && last.title === setting.group) last.settings.push(setting)
    else groups.push({ area: setting.area as SettingArea, title: setting.group, settings: [setting] })
  }
  return groups
}

/** The settings of an area, or those that a search finds in all areas, in their groups; each group with the rule that it makes. */
export function SettingsForm({ settings, area, search, draft, problems, onChange, onHistory, onClearSearch, onTest }: SettingsFormProps) {
  const staff = useStaff()
  const values = valuesWith(settings, draft)
  const byKey = new Map(settings.map((setting) => [setting.key, setting]))
  const shown = search ? settings.filter((setting) => isFound(setting, search)) : settings.filter((setting) => setting.area === area)
  if (shown.length === 0)
    return (
      <EmptyState>
        Nada coincide con tu búsqueda.{' '}
        <button type="button" className="link" onClick={onClearSearch}>
          Limpiar la búsqueda
        </button>
      </EmptyState>
    )
  return inGroups(shown).map((group) => {
    const rule = ruleSentence(group.area, group.title, values)
    const pages = group.settings[0]?.shown_on ?? []
    const isColours = !search && group.settings.some(({ type }) => type === 'colour')
    const isSections = !search && group.settings.some(({ key }) => key === 'hero_order')
    const title = search ? `${SETTING_AREAS[group.area]} · ${group.title}` : group.title
    return (
      <section key={title} className={`setting-group panel-card ${isColours ? 'setting-group-colours' : ''}`} aria-label={title}>
        <div className="panel-head">
          <h2 className="t3">{title}</h2>
          {pages.length > 0 && (
            <p className="small muted">
              Se nota en{' '}
              {pages.map((path, at) => (
                <span key={path}>
                  {at > 0 && ', '}
                  <a className="link" href={path} target="_blank" rel="noreferrer">
                    {pageName(path)}
                  </a>
                </span>
              ))}
            </p>
          )}
        </div>
        {rule && (
          <p className="setting-rule" role="status">
            {rule}
          </p>
        )}
        {!search && rule && TESTED.includes(group.area) && may(staff, 'roster.all') && (
          <p className="setting-test">
            <button type="button" className="link link-alone" onClick={onTest}>
              Probar con una clase y una persona
            </button>
          </p>
        )}
        {!search && group.title === PROCESSORS && (
          <Suspense fallback={<Skeleton height="180px" />}>
            <ProcessorCards labelOf={(key) => byKey.get(key)?.label} />
          </Suspense>
        )}
        {!search && group.settings.some(({ key }) => key === 'qrcode_enabled') && (
          <Suspense fallback={<Skeleton height="180px" />}>
            <WalletCards />
          </Suspense>
        )}
        {!search && group.settings.some(({ key }) => key === 'invoice_series') && (
          <Suspense fallback={<Skeleton height="180px" />}>
            <CertificateCard />
          </Suspense>
        )}
        {isColours && <BrandColours values={values} byKey={byKey} disabled={false} onChange={onChange} />}
        {isSections && <SectionList values={values} byKey={byKey} onChange={onChange} />}
        {(isSections ? [] : group.settings).map((setting) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            byKey={byKey}
            values={values}
            typed={draft[setting.key]?.typed ?? toTyped(setting, setting.value)}
            changed={draft[setting.key] !== undefined}
            problem={problems[setting.key]}
            search={search}
            mayEdit={setting.right === null || may(staff, setting.right as Right)}
            onChange={(typed) => onChange(setting, typed)}
            onHistory={() => onHistory(setting)}
          />
        ))}
      </section>
    )
  })
}
