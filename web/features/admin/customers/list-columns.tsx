/** The columns of the list of customers: which there are, and what each shows. */

import { IconTag } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CustomerRow } from '#contract/customer-list.ts'
import { formatPesos } from '#contract/money.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import type { KeyedColumn } from '#web/features/admin/table/columns.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { StateBadge } from './customer-facts.tsx'

export const customerName = (row: CustomerRow) => `${row.name} ${row.last_name}`.trim()

const NOTHING = <span className="muted">—</span>

export function NameCell({ row }: { row: CustomerRow }) {
  return (
    <span className="row-person">
      <Avatar name={customerName(row)} size={38} src={row.photo} />
      <span>
        <AppLink to={adminPaths.customer(row.customer_id)} className="row-link strong">
          {customerName(row)}
        </AppLink>
        {row.phone && <span className="small muted nowrap customer-phone">{formatPhone(row.phone)}</span>}
      </span>
    </span>
  )
}

/** What the customer can reserve with: "Diez" over "3 clases". */
export function HasText({ row }: { row: CustomerRow }) {
  const { titles, has_unlimited, available } = row.has
  if (titles.length === 0) return NOTHING
  return (
    <>
      {titles.slice(0, 2).join(', ')}
      {titles.length > 2 && ` y ${titles.length - 2} más`}{' '}
      <span className="small muted nowrap">{has_unlimited ? 'sin límite' : available === 1 ? '1 clase' : `${available} clases`}</span>
    </>
  )
}

export const expiryText = (row: CustomerRow, zone: string): string | null =>
  row.has.next_expiration && formatInstant(new Date(row.has.next_expiration), zone, 'date')

function Expires({ row, zone }: { row: CustomerRow; zone: string }) {
  if (row.renewal_refused) return <span className="customer-refused">Renovación rechazada</span>
  const text = expiryText(row, zone)
  return text ? <span className="nowrap">{text}</span> : NOTHING
}

function Instant({ at, zone, style }: { at: string | null; zone: string; style: 'class' | 'date' }) {
  return at ? <span className="nowrap">{formatInstant(new Date(at), zone, style)}</span> : NOTHING
}

export function Tags({ row }: { row: CustomerRow }) {
  return row.tags.length === 0 ? (
    NOTHING
  ) : (
    <span className="customer-row-tags">
      {row.tags.map((tag) => (
        <span key={tag.tag_id} className="small nowrap">
          <IconTag className="icon" aria-hidden="true" /> {tag.name}
        </span>
      ))}
    </span>
  )
}

/** The chosen columns, with heads that sort. `sort`: the order of the table. */
export function customerColumns({
  zone,
  sort,
  onSort,
}: {
  zone: string
  sort: string
  onSort: (sort: string) => void
}): KeyedColumn<CustomerRow>[] {
  const sorts = (header: string, by: string, first: 'up' | 'down' = 'up') => sortHead<CustomerRow>({ header, by, sort, onSort, first })
  return [
    { key: 'nombre', ...sorts('Nombre', 'name'), cell: (row) => <NameCell row={row} /> },
    {
      key: 'telefono',
      isExtra: true,
      header: 'Teléfono',
      cell: (row) => <span className="nowrap">{row.phone ? formatPhone(row.phone) : '—'}</span>,
    },
    { key: 'correo', isExtra: true, header: 'Correo', cell: (row) => row.email },
    {
      key: 'estado',
      ...sorts('Estado', 'state'),
      cell: (row) => (
        <span className="nowrap">
          <StateBadge state={row.state} />
        </span>
      ),
    },
    { key: 'tiene', header: 'Tiene', cell: (row) => <HasText row={row} /> },
    { key: 'vence', ...sorts('Vence', 'expires'), cell: (row) => <Expires row={row} zone={zone} /> },
    {
      key: 'ultima',
      ...sorts('Última clase', 'last_class', 'down'),
      cell: (row) => <Instant at={row.last_class} zone={zone} style="date" />,
    },
    { key: 'proxima', ...sorts('Próxima clase', 'next_class'), cell: (row) => <Instant at={row.next_class} zone={zone} style="class" /> },
    {
      key: 'dias30',
      ...sorts('30 días', 'visits_30', 'down'),
      align: 'right',
      cell: (row) => <span className="row-money">{row.visits_30}</span>,
    },
    {
      key: 'gastado',
      ...sorts('Gastado', 'spent', 'down'),
      align: 'right',
      cell: (row) => <span className="row-money">{formatPesos(row.spent)}</span>,
    },
    {
      key: 'debe',
      ...sorts('Debe', 'owed', 'down'),
      align: 'right',
      cell: (row) => (row.owed === '0.00' ? NOTHING : <span className="row-money customer-owes">{formatPesos(row.owed)}</span>),
    },
    { key: 'etiquetas', isExtra: true, header: 'Etiquetas', cell: (row) => <Tags row={row} /> },
    { key: 'estudio', isExtra: true, header: 'Estudio habitual', cell: (row) => row.home_location?.name ?? NOTHING },
    { key: 'cuenta', isExtra: true, header: 'Cuenta', cell: (row) => (row.has_account ? 'Con cuenta' : 'Sin cuenta') },
    {
      key: 'alta',
      isExtra: true,
      ...sorts('Alta', 'created', 'down'),
      cell: (row) => <Instant at={row.createdAt} zone={zone} style="date" />,
    },
  ]
}
