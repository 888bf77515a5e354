import { useQuery } from '@tanstack/react-query'
import { CatalogueTabs } from '#web/features/admin/catalogue/catalogue-tabs.tsx'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import { roomList } from '#web/features/admin/catalogue/room-list.tsx'
import '#web/features/admin/catalogue/room.css'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { queries } from '#web/lib/api.ts'

export const handle: AdminHandle = { title: 'Clases y coaches' }

/** Salas: the rooms of the locations. */
export default function Rooms() {
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return (
    <ListScreen list={roomList(locations.data?.locations ?? [])}>
      <CatalogueTabs current="salas" />
    </ListScreen>
  )
}
