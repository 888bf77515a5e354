import { capitalize } from '#contract/text.ts'
import '#web/features/admin/table/data-table.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Duplicate, MergeRecord } from '#contract/customer-merge.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import { MergeDialog } from '#web/features/admin/customers/merge-dialog.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useRowOrder } from '#web/features/admin/table/row-order.ts'
import SortCards from '#web/features/admin/table/sort-cards.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { type Column, Table, useWide } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Clientes repetidos', detail: true }

const REASONS: Readonly<Record<Duplicate['reasons'][number], string>> = {
  name: 'mismo nombre',
  birthday: 'mismo cumpleaños',
  email: 'correo que cambia en una letra',
}
const reasonText = ({ reasons }: Duplicate) => capitalize(reasons.map((reason) => REASONS[reason]).join(', '))
const fullName = ({ name, last_name }: MergeRecord) => `${name} ${last_name}`.trim()

const nameIn = (record: MergeRecord | undefined) => (record ? fullName(record) : null)

/** What the pairs can be sorted by; without one the likeliest come first. */
const PAIR_VALUES = {
  nombre: ({ customers }: Duplicate) => nameIn(customers[0]),
  otro: ({ customers }: Duplicate) => nameIn(customers[1]),
  'por-que': reasonText,
}

/** Clientes repetidos: pairs of records that are probably one person, to be merged or marked as different. */
export default function Duplicates() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [pair, setPair] = useState<Duplicate | null>(null)
  const list = useQuery(queries.customerMerge.duplicates.queryOptions({ meta: { handled: true } }))
  const markingApart = useMutation({
    mutationFn: ({ customers }: Duplicate) =>
      api.customerMerge.distinct({ customer_ids: customers.map((customer) => customer.customer_id) }),
    onSuccess: () => client.invalidateQueries({ queryKey: queries.customerMerge.duplicates.key() }),
  })
  const rows = list.data?.duplicates ?? []
  const order = useRowOrder<Duplicate>(PAIR_VALUES)
  const isWide = useWide()
  const verbs = (row: Duplicate) => (
    <span className="row gap-8 wraps">
      <Button variant="outline" size="small" onClick={() => setPair(row)}>
        Combinar
        <span className="sr-only"> a {row.customers.map(fullName).join(' y ')}</span>
      </Button>
      <Button
        variant="quiet"
        size="small"
        loading={markingApart.isPending && markingApart.variables === row}
        onClick={() => !markingApart.isPending && markingApart.mutate(row)}
      >
        Son distintas
        <span className="sr-only"> personas: {row.customers.map(fullName).join(' y ')}</span>
      </Button>
    </span>
  )
  const columns: readonly Column<Duplicate>[] = [
    { ...order.head('Un registro', 'nombre'), cell: (row) => <Person record={row.customers[0]} /> },
    { ...order.head('El otro', 'otro'), cell: (row) => <Person record={row.customers[1]} /> },
    { ...order.head('Por qué', 'por-que'), cell: reasonText },
    { header: 'Qué hacer', cell: verbs },
  ]
  const total = list.data?.total ?? 0
  return (
    <>
      <ScreenHead
        title="Clientes repetidos"
        about={
          total > 0
            ? total === 1
              ? '1 par que parece la misma persona'
              : `${total.toLocaleString('es-MX')} pares que parecen la misma persona`
            : ' '
        }
      >
        <Button as={AppLink} to={adminPaths.customers} variant="outline">
          Todos los clientes
        </Button>
      </ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={6} />}
        failed="No pudimos buscar clientes repetidos."
        nothing={rows.length === 0 && <EmptyState>Nadie parece estar dos veces.</EmptyState>}
      >
        <div className="data-table">
          {!isWide && <SortCards columns={columns} />}
          <Table
            caption="Clientes repetidos"
            columns={columns}
            rows={order.sorted(rows)}
            rowKey={({ customers }) => customers.map((customer) => customer.customer_id).join('-')}
            card={(row) => (
              <div className="stack gap-8">
                <Person record={row.customers[0]} />
                <Person record={row.customers[1]} />
                <p className="small muted">{reasonText(row)}</p>
                {verbs(row)}
              </div>
            )}
          />
        </div>
        {total > rows.length && <p className="small muted">Aquí están los {rows.length} más claros; al combinarlos aparecen los demás.</p>}
      </Loaded>
      {pair && (
        <MergeDialog
          customer_id={pair.customers[0]?.customer_id ?? 0}
          other_id={pair.customers[1]?.customer_id ?? null}
          onDone={(keep_id) => void navigate(adminPaths.customer(keep_id))}
          onClose={() => setPair(null)}
        />
      )}
    </>
  )
}

function Person({ record }: { record: MergeRecord | undefined }) {
  const { zone } = useSite()
  if (!record) return null
  return (
    <span className="stack">
      <AppLink className="row-link strong" to={adminPaths.customer(record.customer_id)}>
        {fullName(record)}
      </AppLink>
      <span className="small muted">
        {[record.phone && formatPhone(record.phone), record.email].filter(Boolean).join(' · ') || 'Sin teléfono ni correo'}
      </span>
      <span className="small muted">Desde el {formatInstant(new Date(record.createdAt), zone, 'date')}</span>
    </span>
  )
}
