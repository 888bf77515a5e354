import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { PROGRAM_LIST } from '#web/features/admin/videos/video-lists.ts'
import { VideoTabs } from '#web/features/admin/videos/video-tabs.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import '#web/features/admin/videos/videos.css'

export const handle: AdminHandle = { title: 'Programas' }

/** Programs: series of videos in an order. */
export default function Programs() {
  const programs = useQuery(queries.videos.admin.programs.all.queryOptions({ meta: { handled: true } })).data?.programs ?? []
  return (
    <ListScreen list={PROGRAM_LIST}>
      <VideoTabs current="programas" />
      {programs.length > 0 && (
        <nav className="program-orders" aria-label="Orden de los videos de cada programa">
          <span className="small muted">Ordenar los videos de</span>
          {programs.map(({ program_id, name }) => (
            <AppLink key={program_id} to={adminPaths.program(program_id)} className="link link-alone">
              {name}
            </AppLink>
          ))}
        </nav>
      )}
    </ListScreen>
  )
}
