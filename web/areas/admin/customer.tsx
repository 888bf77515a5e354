import '#web/features/admin/customers/customer.css'
import '#web/features/admin/table/data-table.css'
import '#web/ui/chip.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Customer } from '#contract/people.ts'
import { CreditLotList } from '#web/features/admin/customers/credit-lots.tsx'
import { CreditMovements } from '#web/features/admin/customers/credit-movements.tsx'
import { ArchivedBanner } from '#web/features/admin/customers/customer-dialogs.tsx'
import { CustomerAlerts } from '#web/features/admin/customers/customer-facts.tsx'
import { ContactRow, CustomerHead } from '#web/features/admin/customers/customer-head.tsx'
import { CustomerHistory } from '#web/features/admin/customers/customer-history.tsx'
import { CustomerPart } from '#web/features/admin/customers/customer-part.tsx'
import { CustomerPurchases } from '#web/features/admin/customers/customer-purchases.tsx'
import { CustomerReservations } from '#web/features/admin/customers/customer-reservations.tsx'
import { MergeState } from '#web/features/admin/customers/merge-state.tsx'
import { MessageLog } from '#web/features/admin/customers/message-log.tsx'
import { type CustomerDialog, OpenCustomerDialog } from '#web/features/admin/customers/open-customer-dialog.tsx'
import { PastPurchases } from '#web/features/admin/customers/past-purchases.tsx'
import { PenaltyAlert } from '#web/features/admin/customers/penalty-alert.tsx'
import { SummaryTab } from '#web/features/admin/customers/summary-tab.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

const ErasureBanner = lazy(async () => ({ default: (await import('#web/features/admin/customers/erasure.tsx')).ErasureBanner }))
const CustomerProfile = lazy(async () => ({
  default: (await import('#web/features/admin/customers/customer-profile.tsx')).CustomerProfile,
}))
const PendingSubscriptions = lazy(() => import('#web/features/admin/sales/pending-subscriptions.tsx'))

export const handle: AdminHandle = { title: 'Cliente', detail: true, edits: true }

const TABS = [
  { key: 'resumen', label: 'Resumen' },
  { key: 'reservaciones', label: 'Reservaciones' },
  { key: 'compras', label: 'Compras' },
  { key: 'creditos', label: 'Créditos' },
  { key: 'mensajes', label: 'Mensajes' },
  { key: 'perfil', label: 'Perfil' },
  { key: 'historial', label: 'Historial' },
] as const
type Tab = (typeof TABS)[number]['key']

/** Ficha: everything about a customer on one screen. */
export default function CustomerScreen() {
  const customer_id = Number(useParams().customer_id)
  const navigate = useNavigate()
  const found = useQuery(queries.people.find.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const isGone = found.isError && toFailure(found.error).code === 'NOT_FOUND'
  // A link to a record that was merged into another opens that one.
  const merge = useQuery({
    ...queries.customerMerge.state.queryOptions({ input: { customer_id }, meta: { handled: true } }),
    enabled: isGone,
  })
  const into = merge.data?.merged_into ?? null
  useEffect(() => {
    if (into !== null && isGone) void navigate(adminPaths.customer(into), { replace: true })
  }, [into, isGone, navigate])
  if (found.data) return <CustomerFile customer={found.data.customer} />
  return (
    <>
      <ScreenHead title="Cliente" />
      <Loading loading={found.isPending} skeleton={<ListSkeleton rows={4} />}>
        <NotLoaded query={found}>{toFailure(found.error).message}</NotLoaded>
      </Loading>
    </>
  )
}

function CustomerFile({ customer }: { customer: Customer }) {
  const staff = useStaff()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<CustomerDialog | null>(null)
  const [query] = useSearchParams()
  const tabs = TABS.filter(
    ({ key }) => (key !== 'reservaciones' || may(staff, 'roster.all')) && (key !== 'historial' || may(staff, 'audit.read')),
  )
  const tab: Tab = tabs.find(({ key }) => key === query.get('ver'))?.key ?? 'resumen'
  const { customer_id } = customer
  const name = `${customer.name} ${customer.last_name}`.trim()
  const creditLots = useQuery(queries.credits.ofCustomer.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const penalties = useQuery(queries.penalties.list.queryOptions({ input: { customer_id, filter: 'active' }, meta: { handled: true } }))
  const changed = () => {
    setDialog(null)
    for (const queryKey of [
      queries.people.find.key(),
      queries.credits.key(),
      queries.penalties.key(),
      queries.studioSales.key(),
      queries.customerFile.key(),
      queries.customerRecords.key(),
      queries.frontDesk.key(),
    ])
      void client.invalidateQueries({ queryKey })
  }
  const canEdit = may(staff, 'credits.edit')
  const canExport = may(staff, 'customers.erase')
  const canMerge = may(staff, 'customers.merge')
  const canBook = may(staff, 'roster.all')
  // A link of the palette begins with the dialog; afterwards the address is that of the customer alone.
  const givesAccess = query.get('hacer') === 'acceso'
  useEffect(() => {
    if (!givesAccess) return
    if (canEdit) setDialog({ verb: 'access' })
    void navigate(adminPaths.customer(customer_id), { replace: true, preventScrollReset: true })
  }, [givesAccess, canEdit, customer_id, navigate])
  useShortcuts('Cliente', [
    may(staff, 'sales.sell') && { keys: 'v', label: 'Vender', act: () => void navigate(adminPaths.newSaleWith({ cliente: customer_id })) },
    canBook && { keys: 'r', label: 'Reservar', act: () => setDialog({ verb: 'reserve', single_class_id: null }) },
    ...tabs.map(({ key, label }, at) => ({
      keys: String(at + 1),
      label,
      act: () => void navigate(tabPath(customer_id, key), { replace: true, preventScrollReset: true }),
    })),
  ])
  const penalty = penalties.data?.class_reservation_penaltys[0]
  return (
    <>
      <CustomerHead customer={customer} creditLots={creditLots.data?.available_classes} onOpen={setDialog} />
      <ContactRow customer={customer} onChange={may(staff, 'customers.edit') ? () => setDialog({ verb: 'data' }) : null} />
      {canExport && (
        <Suspense>
          <ErasureBanner customer_id={customer_id} />
        </Suspense>
      )}
      <ArchivedBanner customer_id={customer_id} onDone={changed} />
      {canMerge && <MergeState customer_id={customer_id} />}
      <CustomerAlerts customer_id={customer_id} onReceive={() => setDialog({ verb: 'debts' })} />
      {penalty && <PenaltyAlert penalty={penalty} onForgive={canBook ? () => setDialog({ verb: 'forgive', penalty }) : null} />}
      <TabNav label={`Ficha de ${name}`} current={tab}>
        {tabs.map(({ key, label }) => (
          <AppLink key={key} to={tabPath(customer_id, key)} aria-current={key === tab ? 'page' : undefined} preventScrollReset replace>
            {label}
          </AppLink>
        ))}
      </TabNav>
      {tab === 'resumen' && <SummaryTab customer={customer} creditLots={creditLots} onOpen={setDialog} onChanged={changed} />}
      {tab === 'reservaciones' && <CustomerReservations customer_id={customer_id} />}
      {tab === 'compras' && (
        <div className="stack gap-16">
          {may(staff, 'sales.sell') && (
            <Suspense>
              <PendingSubscriptions customer_id={customer_id} />
            </Suspense>
          )}
          <CustomerPurchases customer_id={customer_id} />
          {may(staff, 'sales.sell') && <PastPurchases customer_id={customer_id} />}
        </div>
      )}
      {tab === 'creditos' && (
        <div className="stack gap-16">
          <CustomerPart
            id="creditos"
            title="Créditos"
            verb={
              canEdit && (
                <Button size="small" variant="outline" onClick={() => setDialog({ verb: 'credits', action: 'credits.give' })}>
                  Dar clases
                </Button>
              )
            }
          >
            <Loaded
              query={creditLots}
              skeleton={<Skeleton height="200px" />}
              failed="No pudimos cargar sus créditos."
              nothing={creditLots.data?.available_classes.length === 0 && <EmptyState>Todavía no ha tenido créditos.</EmptyState>}
            >
              <CreditLotList creditLots={creditLots.data?.available_classes ?? []} canEdit={canEdit} onChanged={changed} />
            </Loaded>
          </CustomerPart>
          <CreditMovements customer_id={customer_id} />
        </div>
      )}
      {tab === 'mensajes' && <MessageLog customer_id={customer_id} />}
      {tab === 'perfil' && (
        <Suspense fallback={<ListSkeleton rows={4} />}>
          <CustomerProfile customer={customer} onChange={() => setDialog({ verb: 'data' })} />
        </Suspense>
      )}
      {tab === 'historial' && <CustomerHistory customer_id={customer_id} />}
      {dialog && (
        <OpenCustomerDialog
          dialog={dialog}
          customer={customer}
          summary={creditLots.data?.summary}
          onOpen={setDialog}
          onDone={changed}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

const tabPath = (customer_id: number, key: Tab): string =>
  key === 'resumen' ? adminPaths.customer(customer_id) : `${adminPaths.customer(customer_id)}?ver=${key}`
