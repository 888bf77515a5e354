import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import { productList } from '#web/features/admin/catalogue/product-list.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'

export const handle: AdminHandle = { title: 'Productos' }

/** Productos: the things that the counter sells, with their pieces at each location. */
export default function Products() {
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const list = useMemo(() => productList(locations.data?.locations ?? []), [locations.data])
  return (
    <Loaded query={locations} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar los productos." nothing={null}>
      <ListScreen list={list} />
    </Loaded>
  )
}
