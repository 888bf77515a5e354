import { useParams } from 'react-router'
import { CATALOGUE_LISTS } from '#web/features/admin/catalogue/catalogue-lists.ts'
import { CatalogueTabs } from '#web/features/admin/catalogue/catalogue-tabs.tsx'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import Missing from './missing.tsx'

export const handle: AdminHandle = { title: 'Clases y coaches' }

/** Clases y coaches: the plain lists of the catalogue, one at a time. */
export default function Catalogue() {
  const { lista } = useParams()
  const list = CATALOGUE_LISTS.find(({ slug }) => slug === lista)
  if (!list) return <Missing />
  return (
    <ListScreen key={list.slug} list={list}>
      <CatalogueTabs current={list.slug} />
    </ListScreen>
  )
}
