import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { VIDEO_TYPE_LIST } from '#web/features/admin/videos/video-lists.ts'
import { VideoTabs } from '#web/features/admin/videos/video-tabs.tsx'

export const handle: AdminHandle = { title: 'Tipos de video' }

/** Types of videos. */
export default function VideoTypes() {
  return (
    <ListScreen list={VIDEO_TYPE_LIST}>
      <VideoTabs current="tipos" />
    </ListScreen>
  )
}
