import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { EntryCard, entryColumns } from '#web/features/admin/audit/entry-columns.tsx'
import { EntryPanel } from '#web/features/admin/audit/entry-panel.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { useLastPage } from '#web/lib/list-page.ts'
import { useQueryChange } from '#web/lib/query-change.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Table } from '#web/ui/table.tsx'
import { useTabPage } from './use-tab-page.ts'

/** What was done to a customer, their purchases, reservations and credits, newest first. */
export function CustomerHistory({ customer_id }: { customer_id: number }) {
  const { zone } = useSite()
  const [page, turnTo] = useTabPage()
  // Not useDialogParam: it drops `ver`, which is the tab here.
  const [address] = useSearchParams()
  const changeQuery = useQueryChange()
  const opened = idInText(address.get('entrada'))
  const show = (audit_id: number | null) =>
    changeQuery({ entrada: audit_id === null ? null : String(audit_id) }, { replace: audit_id === null })
  const query = useQuery({
    ...queries.auditLog.list.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { entries = [], pages } = query.data ?? {}
  useLastPage(page, pages)
  return (
    <div className="data-table">
      <Loaded
        query={query}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar su historial."
        nothing={entries.length === 0 && <EmptyState>Todavía no hay movimientos.</EmptyState>}
      >
        <Table
          caption="Historial"
          columns={entryColumns(zone, show)}
          rows={entries}
          rowKey={(row) => row.audit_id}
          card={(row) => <EntryCard row={row} zone={zone} onOpen={show} />}
        />
        <div className="table-foot">
          <Pager page={page} pages={pages ?? 1} onPage={turnTo} />
        </div>
      </Loaded>
      {opened !== null && (
        <EntryPanel audit_id={opened} shown={entries.find(({ audit_id }) => audit_id === opened)} onClose={() => show(null)} />
      )}
    </div>
  )
}
