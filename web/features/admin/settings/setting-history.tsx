import { useQuery } from '@tanstack/react-query'
import type { EditedSetting } from '#contract/content.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { isSameJson } from '#web/lib/same-json.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { valueText } from './setting-draft.ts'

interface SettingHistoryProps {
  setting: EditedSetting
  mayEdit: boolean
  /** puts a former value into the field; it is saved like any other change */
  onRestore: (value: EditedSetting['value']) => void
  onClose: () => void
}

/** The changes of one setting, each former value with a button that puts it back. */
export default function SettingHistory({ setting, mayEdit, onRestore, onClose }: SettingHistoryProps) {
  const { zone } = useSite()
  const query = useQuery(queries.content.settingHistory.queryOptions({ input: { key: setting.key }, meta: { handled: true } }))
  const changes = query.data?.changes ?? []
  return (
    <Drawer
      open
      side="right"
      label={`Historial de ${setting.label}`}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{setting.label}</h2>}
    >
      <div className="record-panel">
        <p>
          <span className="small muted">Ahora</span>
          <br />
          <span className="strong setting-value">{valueText(setting, setting.value)}</span>
        </p>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={3} />}
          failed="No pudimos cargar el historial."
          nothing={changes.length === 0 && <EmptyState>Nadie lo ha cambiado.</EmptyState>}
        >
          <ol className="setting-history">
            {changes.map(({ audit_id, at, by, before, after }) => (
              <li key={audit_id}>
                <p className="small muted">
                  {by}, {formatInstant(new Date(at), zone, 'date')}, {formatInstant(new Date(at), zone, 'hour')}
                </p>
                <p className="setting-value">
                  De {valueText(setting, before)} a <span className="strong">{valueText(setting, after)}</span>
                </p>
                {mayEdit && !isSameJson(before, setting.value) && (
                  <Button variant="outline" size="small" onClick={() => onRestore(before)}>
                    Volver a {valueText(setting, before).slice(0, 40)}
                  </Button>
                )}
              </li>
            ))}
          </ol>
        </Loaded>
      </div>
    </Drawer>
  )
}
