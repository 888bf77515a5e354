import '#web/features/admin/settings/settings.css'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { isSettingArea } from '#contract/setting-areas.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { SettingsEditor } from '#web/features/admin/settings/settings-editor.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import Missing from './missing.tsx'

export const handle: AdminHandle = { title: 'Ajustes', edits: true }

/** Ajustes: every setting of the studio on the screen of its area, generated from their descriptions. */
export default function SettingsScreen() {
  const { area } = useParams()
  const query = useQuery(queries.content.settings.queryOptions({ meta: { handled: true } }))
  if (area === undefined) return <Navigate to={adminPaths.settings} replace />
  if (!isSettingArea(area)) return <Missing />
  if (query.data) return <SettingsEditor settings={query.data.settings} area={area} />
  return (
    <>
      <ScreenHead title="Ajustes" />
      <Loaded query={query} skeleton={<ListSkeleton rows={8} />} failed="No pudimos cargar los ajustes." nothing={null}>
        {null}
      </Loaded>
    </>
  )
}
