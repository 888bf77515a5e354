import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CustomerSummary } from '#contract/people.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { type Site, useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { Column } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Clientes' }

const DIALOGS = ['nuevo'] as const

/** Clientes: find somebody, or write somebody down. */
export default function Customers() {
  const site = useSite()
  const staff = useStaff()
  const navigate = useNavigate()
  const table = useTableQuery([])
  const { asked, ask, close } = useDialogParam(DIALOGS)
  const input = { page: table.page, ...(table.q ? { query: table.q.slice(0, 100) } : {}) }
  const query = useQuery({
    ...queries.people.list.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const total = query.data?.total ?? 0
  const add = may(staff, 'customers.edit') && (
    <Button variant="outline" icon={<IconUserPlus className="icon" aria-hidden="true" />} onClick={() => ask('nuevo', 0)}>
      Agregar cliente
    </Button>
  )
  return (
    <>
      <ScreenHead title="Clientes">{add}</ScreenHead>
      <DataTable
        caption="Clientes"
        query={query}
        table={table}
        searchLabel="Nombre, teléfono o correo"
        columns={columns(site)}
        rows={query.data?.customers ?? []}
        rowKey={(row) => row.customer_id}
        card={(row) => (
          <>
            <Name row={row} />
            <p className="small muted">{[row.phone, row.email].filter(Boolean).join(' · ')}</p>
            <p>
              <Account row={row} />
            </p>
          </>
        )}
        totals={total === 1 ? '1 cliente' : `${total.toLocaleString('es-MX')} clientes`}
        pages={query.data?.pages}
        failed="No pudimos cargar los clientes."
        empty={<EmptyState action={add}>Aún no tienes clientes.</EmptyState>}
      />
      <Dialog open={asked?.name === 'nuevo'} onClose={close} title="Cliente nuevo">
        <NewCustomer onMade={({ customer_id }) => void navigate(adminPaths.customer(customer_id), { replace: true })} onBack={null} />
      </Dialog>
    </>
  )
}

const nameOf = (row: CustomerSummary) => `${row.name} ${row.last_name}`.trim()

function Name({ row }: { row: CustomerSummary }) {
  return (
    <span className="row-person">
      <Avatar name={nameOf(row)} size={38} />
      <AppLink to={adminPaths.customer(row.customer_id)} className="row-link strong">
        {nameOf(row)}
      </AppLink>
    </span>
  )
}

function Account({ row }: { row: CustomerSummary }) {
  return row.has_account ? <Badge tone="ok">Con cuenta</Badge> : <Badge tone="outline">Sin cuenta</Badge>
}

const columns = (site: Site): Column<CustomerSummary>[] => [
  { header: 'Nombre', cell: (row) => <Name row={row} /> },
  { header: 'Teléfono', cell: (row) => <span className="nowrap">{row.phone ?? '—'}</span> },
  { header: 'Correo', cell: (row) => row.email },
  { header: 'Cuenta', cell: (row) => <Account row={row} /> },
  { header: 'Alta', cell: (row) => <span className="nowrap">{formatInstant(new Date(row.createdAt), site.zone, 'date')}</span> },
]
