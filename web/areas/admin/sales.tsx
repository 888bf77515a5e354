import '#web/features/admin/sales/sale.css'
import '#web/features/admin/table/data-table.css'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import PurchasesTab from '#web/features/admin/sales/purchases-tab.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { AppLink } from '#web/lib/link.tsx'

export const handle: AdminHandle = { title: 'Ventas' }

const TABS = [
  { key: 'compras', label: 'Compras', right: 'sales.sell', Tab: PurchasesTab },
  { key: 'cargos', label: 'Cargos', right: 'sales.sell', Tab: lazy(() => import('#web/features/admin/sales/charges-tab.tsx')) },
  {
    key: 'suscripciones',
    label: 'Suscripciones',
    right: 'sales.sell',
    Tab: lazy(() => import('#web/features/admin/sales/subscriptions-tab.tsx')),
  },
  {
    key: 'por-cobrar',
    label: 'Por cobrar',
    right: 'sales.sell',
    Tab: lazy(() => import('#web/features/admin/sales/receivables-tab.tsx')),
  },
  {
    key: 'devoluciones',
    label: 'Devoluciones',
    right: 'sales.sell',
    Tab: lazy(() => import('#web/features/admin/sales/refunds-tab.tsx')),
  },
  { key: 'facturas', label: 'Facturas', right: 'sales.invoice', Tab: lazy(() => import('#web/features/admin/sales/fiscal-tab.tsx')) },
  {
    key: 'diferencias',
    label: 'Diferencias',
    right: 'reports.money',
    Tab: lazy(() => import('#web/features/admin/sales/discrepancies-tab.tsx')),
  },
] as const

/** Ventas: purchases, charges, refunds, subscriptions, and what is still to be received. */
export default function Sales() {
  const staff = useStaff()
  const [query] = useSearchParams()
  const tabs = TABS.filter(({ right }) => may(staff, right))
  const shown = tabs.find(({ key }) => key === query.get('ver')) ?? TABS[0]
  return (
    <>
      <ScreenHead title="Ventas" />
      <TabNav label="Ventas" current={shown.key}>
        {tabs.map(({ key, label }) => (
          <AppLink
            key={key}
            to={key === 'compras' ? adminPaths.sales : adminPaths.salesTab(key)}
            aria-current={key === shown.key ? 'page' : undefined}
            preventScrollReset
          >
            {label}
          </AppLink>
        ))}
      </TabNav>
      <Suspense fallback={<ListSkeleton rows={6} />}>
        <shown.Tab key={shown.key} />
      </Suspense>
    </>
  )
}
