import { IconAlertTriangle } from '@tabler/icons-react'
import type { EditedSetting } from '#contract/content.ts'
import { type Right, rights } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { formatInstant } from '#contract/time.ts'
import { isSameJson } from '#web/lib/same-json.ts'
import { useSite } from '#web/lib/settings.tsx'
import { hasEffect, type Typed, toTyped, valueText } from './setting-draft.ts'
import { SettingField } from './setting-field.tsx'

interface SettingRowProps {
  setting: EditedSetting
  /** all settings, for the name of the one that this one depends on */
  byKey: ReadonlyMap<string, EditedSetting>
  /** the values that the studio would have with what is typed */
  values: Readonly<Record<string, unknown>>
  typed: Typed
  changed: boolean
  problem: string | undefined
  search: string
  mayEdit: boolean
  onChange: (typed: Typed) => void
  onHistory: () => void
}

/** Where the row of a setting is on the page, for links to it. */
export const settingId = (key: string): string => `ajuste-${key}`

/** One setting: its field, its dependencies, its default, and its last change. */
export function SettingRow({ setting, byKey, values, typed, changed, problem, search, mayEdit, onChange, onHistory }: SettingRowProps) {
  const { zone } = useSite()
  const { key, depends_on, danger, changed_at, changed_by, right } = setting
  const isOwn = !isSameJson(values[key], setting.default)
  const needed = depends_on && !hasEffect(setting, values) ? byKey.get(depends_on.key) : undefined
  return (
    <div id={settingId(key)} className={`setting-row ${changed ? 'setting-row-changed' : ''}`}>
      <SettingField
        setting={setting}
        values={values}
        typed={typed}
        problem={problem}
        search={search}
        disabled={!mayEdit}
        onChange={onChange}
      />
      {changed && danger && (
        <p className="setting-danger small">
          <IconAlertTriangle className="icon" aria-hidden="true" />
          {danger}
        </p>
      )}
      {needed && depends_on && (
        <p className="small muted">
          Cuenta cuando “{needed.label}” está en {valueText(needed, depends_on.equals)}.
        </p>
      )}
      {!mayEdit && right && <p className="small muted">Esto lo puede hacer quien tenga el permiso: {rightName(right)}.</p>}
      {(isOwn || changed_at) && (
        <p className="setting-meta small muted">
          {isOwn && (
            <>
              <span className="setting-dot" aria-hidden="true" />
              <span>De inicio: {valueText(setting, setting.default)}</span>
              {mayEdit && (
                <button type="button" className="link link-alone" onClick={() => onChange(toTyped(setting, setting.default))}>
                  Restaurar<span className="sr-only"> {setting.label}</span>
                </button>
              )}
            </>
          )}
          {changed_at && (
            <>
              <span>
                Cambiado {changed_by ? `por ${changed_by} ` : ''}el {formatInstant(new Date(changed_at), zone, 'date')}
              </span>
              <button type="button" className="link link-alone" aria-haspopup="dialog" onClick={onHistory}>
                Historial<span className="sr-only"> de {setting.label}</span>
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

const rightName = (right: string): string => {
  const info = rights[right as Right]
  return `${info.label.toLowerCase()} (${info.roles.map((role) => roleLabels[role]).join(', ')})`
}
