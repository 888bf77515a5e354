import { type Right, rolesText } from '#contract/rights.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { homePath, visibleScreens } from './menu.ts'
import { useStaff } from './staff.tsx'

/** Instead of a screen whose right the staff member lacks: the roles with the right, and a link to their own first screen. */
export default function NoRight({ title, right }: { title: string; right: Right }) {
  const site = useSite()
  const staff = useStaff()
  const home = homePath(staff)
  const label = visibleScreens(staff).find(({ path }) => path === home)?.label
  return (
    <>
      <header className="screen-head">
        <title>{`${title} · ${site.business_name}`}</title>
        <h1 className="t1">{title}</h1>
      </header>
      <EmptyState {...(label ? { next: { label: `Ir a ${label}`, to: home } } : {})}>Esto lo puede hacer {rolesText(right)}.</EmptyState>
    </>
  )
}
