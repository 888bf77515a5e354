import '#web/features/admin/customers/customer.css'
import '#web/features/admin/table/data-table.css'
import '#web/ui/chip.css'
import { IconBrandWhatsapp, IconCalendarPlus, IconDots, IconGift, IconLock, IconMail, IconPhone } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { Penalty } from '#contract/attendance.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import type { Customer } from '#contract/people.ts'
import { whatsappLink } from '#contract/phone.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { CreditLotList } from '#web/features/admin/customers/credit-lots.tsx'
import { CreditMovements } from '#web/features/admin/customers/credit-movements.tsx'
import { Archive, ArchivedBanner, Forgive, Penalise, RemoveClasses } from '#web/features/admin/customers/customer-dialogs.tsx'
import { CustomerAlerts, CustomerFigures, CustomerStateBadge, HabitText } from '#web/features/admin/customers/customer-facts.tsx'
import { CustomerHistory } from '#web/features/admin/customers/customer-history.tsx'
import { CustomerNotes } from '#web/features/admin/customers/customer-notes.tsx'
import { CustomerReservations } from '#web/features/admin/customers/customer-reservations.tsx'
import { CustomerTags } from '#web/features/admin/customers/customer-tags.tsx'
import { CustomerTimeline } from '#web/features/admin/customers/customer-timeline.tsx'
import { GiveAccess } from '#web/features/admin/customers/give-access.tsx'
import { MergeState } from '#web/features/admin/customers/merge-state.tsx'
import { MessageLog } from '#web/features/admin/customers/message-log.tsx'
import { NextClasses } from '#web/features/admin/customers/next-classes.tsx'
import { PastPurchases } from '#web/features/admin/customers/past-purchases.tsx'
import { inviteLabel, useInvite } from '#web/features/admin/customers/use-invite.ts'
import { useTabPage } from '#web/features/admin/customers/use-tab-page.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import { orderNumber } from '#web/features/admin/sales/sale-text.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { NotLoaded, PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

const PersonalDataDialog = lazy(async () => ({
  default: (await import('#web/features/admin/customers/personal-data-dialog.tsx')).PersonalDataDialog,
}))
const MergeDialog = lazy(async () => ({ default: (await import('#web/features/admin/customers/merge-dialog.tsx')).MergeDialog }))
const EraseDialog = lazy(async () => ({ default: (await import('#web/features/admin/customers/erasure.tsx')).EraseDialog }))
const FreezeCustomer = lazy(async () => ({ default: (await import('#web/features/admin/customers/freeze-customer.tsx')).FreezeCustomer }))
const ErasureBanner = lazy(async () => ({ default: (await import('#web/features/admin/customers/erasure.tsx')).ErasureBanner }))
const CustomerProfile = lazy(async () => ({
  default: (await import('#web/features/admin/customers/customer-profile.tsx')).CustomerProfile,
}))
const PendingSubscriptions = lazy(() => import('#web/features/admin/sales/pending-subscriptions.tsx'))
const ReserveDialog = lazy(async () => ({ default: (await import('#web/features/admin/roster/reserve-dialog.tsx')).ReserveDialog }))
const ExportPersonalData = lazy(async () => ({
  default: (await import('#web/features/admin/customers/export-personal-data.tsx')).ExportPersonalData,
}))

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
  const isGone = found.isError && failureOf(found.error).code === 'NOT_FOUND'
  // A link to a record that was merged into another opens that one.
  const merge = useQuery({
    ...queries.customerMerge.state.queryOptions({ input: { customer_id }, meta: { handled: true } }),
    enabled: isGone,
  })
  const into = merge.data?.merged_into ?? null
  useEffect(() => {
    if (into !== null && isGone) void navigate(adminPaths.customer(into), { replace: true })
  }, [into, isGone, navigate])
  if (found.data) return <Shown customer={found.data.customer} />
  return (
    <>
      <ScreenHead title="Cliente" />
      <Loading loading={found.isPending} skeleton={<ListSkeleton rows={4} />}>
        <NotLoaded query={found}>{failureOf(found.error).message}</NotLoaded>
      </Loading>
    </>
  )
}

type OpenDialog =
  | { verb: 'access' | 'remove' | 'penalise' | 'data' | 'export' | 'merge' | 'erase' | 'archive' }
  | { verb: 'forgive'; penalty: Penalty }
  | { verb: 'freeze'; action: 'credits.freeze' | 'credits.thaw' }
  | { verb: 'reserve'; single_class_id: number | null }

function Shown({ customer }: { customer: Customer }) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
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
  const invite = useInvite()
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
  const hasCreditLots = (state: 'alive' | 'frozen') => creditLots.data?.available_classes.some((creditLot) => creditLot.state === state)
  const close = () => setDialog(null)
  return (
    <>
      <header className="customer-head">
        <title>{`${name} · ${site.business_name}`}</title>
        <Avatar name={name} size={64} />
        <div className="grow">
          <div className="row gap-12 wraps">
            <h1 className="t1">{name}</h1>
            <CustomerStateBadge customer_id={customer_id} />
          </div>
          <p className="muted">Cliente desde el {formatInstant(new Date(customer.createdAt), site.zone, 'date')}</p>
        </div>
        <div className="row gap-8 wraps">
          {may(staff, 'sales.sell') && (
            <Button as={AppLink} to={adminPaths.newSaleWith({ cliente: customer_id })} variant="outline">
              Vender
            </Button>
          )}
          {canBook && (
            <Button
              variant="outline"
              icon={<IconCalendarPlus className="icon" aria-hidden="true" />}
              onClick={() => setDialog({ verb: 'reserve', single_class_id: null })}
            >
              Reservar
            </Button>
          )}
          {canEdit && (
            <Button icon={<IconGift className="icon" aria-hidden="true" />} onClick={() => setDialog({ verb: 'access' })}>
              Dar acceso
            </Button>
          )}
          {(canEdit || canExport || canMerge || may(staff, 'customers.edit')) && (
            <Menu label="Más acciones" buttonClass="icon-btn" button={<IconDots className="icon" aria-hidden="true" />}>
              {may(staff, 'customers.edit') && <MenuItem onClick={() => setDialog({ verb: 'data' })}>Cambiar sus datos</MenuItem>}
              {canEdit && <MenuItem onClick={() => setDialog({ verb: 'remove' })}>Restar clases</MenuItem>}
              {canEdit && hasCreditLots('alive') && (
                <MenuItem onClick={() => setDialog({ verb: 'freeze', action: 'credits.freeze' })}>Congelar</MenuItem>
              )}
              {canEdit && hasCreditLots('frozen') && (
                <MenuItem onClick={() => setDialog({ verb: 'freeze', action: 'credits.thaw' })}>Descongelar</MenuItem>
              )}
              {canEdit && <MenuItem onClick={() => setDialog({ verb: 'penalise' })}>Penalizar</MenuItem>}
              {canMerge && <MenuItem onClick={() => setDialog({ verb: 'merge' })}>Combinar con otro registro</MenuItem>}
              {may(staff, 'customers.edit') && customer.email && (
                <MenuItem onClick={() => invite.mutate({ customer_id })}>{inviteLabel(customer.uid !== '')}</MenuItem>
              )}
              {may(staff, 'customers.edit') && <MenuItem onClick={() => setDialog({ verb: 'archive' })}>Dar de baja</MenuItem>}
              {canExport && <MenuItem onClick={() => setDialog({ verb: 'export' })}>Descargar sus datos</MenuItem>}
              {canExport && <MenuItem onClick={() => setDialog({ verb: 'erase' })}>Borrar sus datos</MenuItem>}
            </Menu>
          )}
        </div>
      </header>
      <div className="contact-row">
        {customer.phone && (
          <>
            <a className="chip" href={`tel:${customer.phone}`}>
              <IconPhone className="icon" aria-hidden="true" /> {customer.phone}
            </a>
            <a className="chip" href={whatsappLink(customer.phone)} target="_blank" rel="noopener">
              <IconBrandWhatsapp className="icon" aria-hidden="true" /> WhatsApp
            </a>
          </>
        )}
        {customer.email ? (
          <a className="chip" href={`mailto:${customer.email}`}>
            <IconMail className="icon" aria-hidden="true" /> {customer.email}
          </a>
        ) : (
          may(staff, 'customers.edit') && (
            <button type="button" className="chip" onClick={() => setDialog({ verb: 'data' })}>
              <IconMail className="icon" aria-hidden="true" /> Agregar su correo
            </button>
          )
        )}
        <CustomerTags customer_id={customer_id} name={name} />
      </div>
      {canExport && (
        <Suspense>
          <ErasureBanner customer_id={customer_id} />
        </Suspense>
      )}
      <ArchivedBanner customer_id={customer_id} onDone={changed} />
      {canMerge && <MergeState customer_id={customer_id} />}
      <CustomerAlerts customer_id={customer_id} />
      {penalty && (
        <div className="alert-row" role="note">
          <IconLock className="icon" aria-hidden="true" />
          <p className="grow">
            <b>No puede reservar hasta el {formatWall(penalty.resumes_at, 'long')}.</b> {penalty.reason}
          </p>
          {canEdit && (
            <Button variant="outline" size="small" onClick={() => setDialog({ verb: 'forgive', penalty })}>
              Perdonar
            </Button>
          )}
        </div>
      )}
      <TabNav label={`Ficha de ${name}`} current={tab}>
        {tabs.map(({ key, label }) => (
          <AppLink key={key} to={tabPath(customer_id, key)} aria-current={key === tab ? 'page' : undefined} preventScrollReset replace>
            {label}
          </AppLink>
        ))}
      </TabNav>
      {tab === 'resumen' && (
        <div className="customer-parts">
          <div className="stack gap-16">
            <Part id="lo-que-tiene" title="Lo que tiene" aside="En el orden en que se gasta">
              {creditLots.isError && !creditLots.data ? (
                <div className="panel-body">
                  <PartNotLoaded query={creditLots}>No pudimos cargar sus créditos.</PartNotLoaded>
                </div>
              ) : creditLots.data ? (
                <Has data={creditLots.data} canEdit={canEdit} onChanged={changed} />
              ) : (
                <Skeleton height="120px" />
              )}
            </Part>
            <Part id="proximas-clases" title="Próximas clases">
              <NextClasses reservations={customer.class_reservations} />
              <HabitText
                customer_id={customer_id}
                onReserve={canBook ? (single_class_id) => setDialog({ verb: 'reserve', single_class_id }) : null}
              />
            </Part>
            <CustomerTimeline customer_id={customer_id} />
          </div>
          <div className="stack gap-16">
            <CustomerFigures customer_id={customer_id} />
            <Part id="notas" title="Notas">
              <CustomerNotes customer_id={customer_id} />
            </Part>
            <Part id="datos" title="Datos">
              <div className="panel-body">
                <Facts customer={customer} />
              </div>
            </Part>
          </div>
        </div>
      )}
      {tab === 'reservaciones' && <CustomerReservations customer_id={customer_id} />}
      {tab === 'compras' && (
        <div className="stack gap-16">
          {may(staff, 'sales.sell') && (
            <Suspense>
              <PendingSubscriptions customer_id={customer_id} />
            </Suspense>
          )}
          <Purchases customer_id={customer_id} />
          {may(staff, 'sales.sell') && <PastPurchases customer_id={customer_id} />}
        </div>
      )}
      {tab === 'creditos' && (
        <div className="stack gap-16">
          <Part id="creditos" title="Créditos">
            <Loaded
              query={creditLots}
              skeleton={<Skeleton height="200px" />}
              failed="No pudimos cargar sus créditos."
              nothing={creditLots.data?.available_classes.length === 0 && <EmptyState>Todavía no ha tenido créditos.</EmptyState>}
            >
              <CreditLotList lots={creditLots.data?.available_classes ?? []} canEdit={canEdit} onChanged={changed} />
            </Loaded>
          </Part>
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
      {dialog?.verb === 'access' && <GiveAccess customer_id={customer_id} name={name} onDone={changed} onClose={close} />}
      {dialog?.verb === 'remove' && (
        <RemoveClasses customer_id={customer_id} available={creditLots.data?.summary.available ?? 0} onDone={changed} onClose={close} />
      )}
      {dialog?.verb === 'data' && (
        <Suspense>
          <PersonalDataDialog customer={customer} onDone={changed} onClose={close} />
        </Suspense>
      )}
      {dialog?.verb === 'reserve' && (
        <Suspense>
          <ReserveDialog
            customer={{ customer_id, name: customer.name, last_name: customer.last_name, email: customer.email, phone: customer.phone }}
            single_class_id={dialog.single_class_id}
            onClose={changed}
          />
        </Suspense>
      )}
      {dialog?.verb === 'archive' && <Archive customer_id={customer_id} onDone={changed} onClose={close} />}
      {dialog?.verb === 'penalise' && <Penalise customer_id={customer_id} onDone={changed} onClose={close} />}
      {dialog?.verb === 'freeze' && (
        <Suspense>
          <FreezeCustomer customer_id={customer_id} action={dialog.action} onDone={changed} onClose={close} />
        </Suspense>
      )}
      {dialog?.verb === 'erase' && (
        <Suspense>
          <EraseDialog
            customer_id={customer_id}
            name={name}
            unused={creditLots.data?.summary.has_unlimited ? null : (creditLots.data?.summary.available ?? 0)}
            onClose={close}
          />
        </Suspense>
      )}
      {dialog?.verb === 'merge' && (
        <Suspense>
          <MergeDialog
            customer_id={customer_id}
            onDone={(keep_id) => {
              changed()
              if (keep_id !== customer_id) void navigate(adminPaths.customer(keep_id), { replace: true })
            }}
            onClose={close}
          />
        </Suspense>
      )}
      {dialog?.verb === 'export' && (
        <Suspense>
          <ExportPersonalData customer_id={customer_id} name={name} onClose={close} />
        </Suspense>
      )}
      {dialog?.verb === 'forgive' && <Forgive penalty={dialog.penalty} onDone={changed} onClose={close} />}
    </>
  )
}

const tabPath = (customer_id: number, key: Tab): string =>
  key === 'resumen' ? adminPaths.customer(customer_id) : `${adminPaths.customer(customer_id)}?ver=${key}`

function Part({ id, title, aside, children }: { id: string; title: string; aside?: string; children: ReactNode }) {
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {aside && <span className="small muted">{aside}</span>}
      </div>
      {children}
    </section>
  )
}

function Facts({ customer }: { customer: Customer }) {
  const facts = [
    ['Nacimiento', customer.birthdate && formatWall(`${customer.birthdate}T00:00:00.000Z`, 'date')],
    ['Instagram', customer.instagram],
    ['Llegó por', customer.signup_reason_other || customer.signup_reason],
    ['Le falta en su perfil', customer.missing.map(({ label }) => label).join(', ')],
    ['Trabaja aquí', customer.role ? 'Sí' : null],
  ] as const
  return facts.some(([, value]) => value) ? <DefinitionList items={facts} /> : <p className="muted">No ha dado más datos.</p>
}

type CreditLots = NonNullable<Parameters<typeof CreditLotList>[0]['lots']>

function Has({
  data,
  canEdit,
  onChanged,
}: {
  data: { available_classes: CreditLots; summary: { has_unlimited: boolean; available: number } }
  canEdit: boolean
  onChanged: () => void
}) {
  const live = data.available_classes.filter(({ state }) => state === 'alive' || state === 'frozen')
  if (live.length === 0) return <p className="panel-body muted">No tiene clases.</p>
  const { has_unlimited, available } = data.summary
  return (
    <div className="has-summary">
      <p className="has-count">
        <span className="figure">{has_unlimited ? '∞' : available}</span>
        <span className="strong">{has_unlimited ? 'Ilimitadas' : available === 1 ? 'clase' : 'clases'}</span>
        <span className="small muted">para reservar</span>
      </p>
      <CreditLotList lots={live} canEdit={canEdit} onChanged={onChanged} />
    </div>
  )
}

const columns: readonly Column<StudioPurchase>[] = [
  { header: 'Orden', cell: (row) => <Order row={row} /> },
  { header: 'Qué compró', cell: (row) => row.title },
  { header: 'Cómo pagó', cell: (row) => row.payment_method?.name ?? (row.is_gift ? 'Regalo' : '—') },
  { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span> },
  { header: 'Total', align: 'right', cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span> },
  { header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
]

function Order({ row }: { row: StudioPurchase }) {
  return (
    <AppLink to={adminPaths.sale(row.purchase_id)} className="row-link strong">
      {orderNumber(row.purchase_id)}
    </AppLink>
  )
}

function Purchases({ customer_id }: { customer_id: number }) {
  const [page, turnTo] = useTabPage()
  const list = useQuery({
    ...queries.studioSales.purchases.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.purchases ?? []
  const pages = list.data && pageCount(list.data.total, STUDIO_SALES_PER_PAGE)
  useLastPage(page, pages)
  return (
    <div className="data-table">
      <Loaded
        query={list}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar sus compras."
        nothing={rows.length === 0 && <EmptyState>No ha hecho ninguna compra.</EmptyState>}
      >
        <Table
          caption="Compras"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.purchase_id}
          card={(row) => (
            <>
              <span className="row spread">
                <Order row={row} />
                <span className="row-money">{formatPesos(row.total_payment)}</span>
              </span>
              <p>{row.title}</p>
              <p className="small muted">{formatWall(row.created_date, 'class')}</p>
              <p>
                <PurchaseBadge purchase={row} />
              </p>
            </>
          )}
        />
        <div className="table-foot">
          <Pager page={page} pages={pages ?? 1} onPage={turnTo} />
        </div>
      </Loaded>
    </div>
  )
}
