import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AuditAction } from '#contract/copy/audit.ts'
import { type AuditEntity, auditEntities } from '#contract/copy/audit-entities.ts'
import { isLocalDate } from '#contract/time.ts'
import { EntryCard, entryColumns } from '#web/features/admin/audit/entry-columns.tsx'
import { EntryPanel } from '#web/features/admin/audit/entry-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { ChipOff, ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Bitácora' }

const ENTITIES = Object.entries(auditEntities).map(([value, label]) => ({ value, label }))
const isEntity = (text: string): text is AuditEntity => Object.hasOwn(auditEntities, text)

/** Bitácora: actions with author, and values before and after. */
export default function AuditScreen() {
  const { zone } = useSite()
  const table = useTableQuery(['quien', 'que', 'accion', 'cual', 'desde', 'hasta', 'orden'])
  const panel = useDialogParam(['entrada'] as const)
  const { quien, que, accion, cual, desde, hasta } = table.filters
  const head = tableOrder(table, ['at', '-at'], '-at')
  const input = {
    page: table.page,
    sort: head.sort,
    ...(table.q ? { query: table.q.slice(0, 100) } : {}),
    staff_id: idInText(quien) ?? undefined,
    ...(isEntity(que) ? { entity: que } : {}),
    ...(/^[a-z_]+(\.[a-z_]+)+$/.test(accion) ? { action: accion as AuditAction } : {}),
    ...(isEntity(que) && cual ? { entity_id: cual.slice(0, 100) } : {}),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const { page: _, ...all } = input
  const query = useQuery({
    ...queries.auditLog.list.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { entries = [], total = 0, has_more = false, people = [], actions = [] } = query.data ?? {}
  const open = (audit_id: number) => panel.show('entrada', audit_id)
  return (
    <>
      <ScreenHead title="Bitácora" about="Lo que se hizo en el estudio, quién y cuándo." />
      <DataTable
        caption="Bitácora"
        list="bitacora"
        query={query}
        table={table}
        searchLabel="Cliente o número"
        filters={
          <>
            <ChipSelect
              label="Quién"
              all="Todo el equipo"
              options={people.map(({ staff_id, name }) => ({ value: String(staff_id), label: name }))}
              value={quien}
              onChange={(value) => table.setFilter('quien', value)}
            />
            <ChipSelect
              label="Qué"
              all="Todo"
              options={ENTITIES}
              value={que}
              onChange={(value) => table.setFilters({ que: value, accion: '', cual: '' })}
            />
            <ChipSelect
              label="Acción"
              all="Cualquier acción"
              options={actions
                .filter(({ action, entity }) => que === '' || entity === que || action === accion)
                .map(({ action, label }) => ({ value: action, label }))}
              value={accion}
              onChange={(value) => table.setFilter('accion', value)}
            />
            {isEntity(que) && cual && (
              <span className="chip chip-on chip-fit">
                Solo el número {cual}
                <ChipOff of={`número ${cual}`} onClick={() => table.setFilter('cual', '')} />
              </span>
            )}
            <DayFilter label="Desde" value={desde} onChange={(value) => table.setFilter('desde', value)} />
            <DayFilter label="Hasta" value={hasta} onChange={(value) => table.setFilter('hasta', value)} />
            <ExportMenu load={(format) => api.listExports.audit({ ...all, format })} />
          </>
        }
        columns={entryColumns(zone, open, sortHead({ header: 'Cuándo', by: 'at', first: 'down', ...head }))}
        rows={entries}
        rowKey={(row) => row.audit_id}
        card={(row) => <EntryCard row={row} zone={zone} onOpen={open} />}
        totals={total === 1 ? '1 movimiento' : `${has_more ? 'Más de ' : ''}${total.toLocaleString('es-MX')} movimientos`}
        pages={query.data?.pages}
        failed="No pudimos cargar la bitácora."
        empty={<EmptyState>Todavía no hay movimientos.</EmptyState>}
        nothingFound="Sin movimientos con estos filtros."
      />
      {panel.open && (
        <EntryPanel audit_id={panel.open.id} shown={entries.find(({ audit_id }) => audit_id === panel.open?.id)} onClose={panel.close} />
      )}
    </>
  )
}
