import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Loading } from '#web/ui/skeleton.tsx'

export const handle: AdminHandle = { title: 'Reservación', detail: true }

/** What the QR code of a reservation opens (S2-2.49): the list of its class, at its place. */
export default function ReservationScreen() {
  const { class_reservation_id = '' } = useParams()
  const found = useQuery(queries.attendance.one.queryOptions({ input: { class_reservation_id }, meta: { handled: true } }))
  if (found.data) {
    const { single_class_id, class_reservation_id: id } = found.data.class_reservation
    return <Navigate to={`${adminPaths.roster(single_class_id)}?lugar=${id}`} replace />
  }
  return (
    <>
      <ScreenHead title="Reservación" />
      <Loading loading={found.isPending} skeleton={<ListSkeleton rows={3} />}>
        <NotLoaded query={found}>{failureOf(found.error).message}</NotLoaded>
      </Loading>
    </>
  )
}
