import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { PROGRAM_LIST } from '#web/features/admin/videos/video-lists.ts'
import { VideoTabs } from '#web/features/admin/videos/video-tabs.tsx'

export const handle: AdminHandle = { title: 'Programas' }

/** Programs: series of videos in an order. */
export default function Programs() {
  return (
    <ListScreen list={PROGRAM_LIST}>
      <VideoTabs current="programas" />
    </ListScreen>
  )
}
