import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import type { MoneyDiscrepancy } from '#contract/money-discrepancies.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { OrderLink } from './sales-parts.tsx'

const KINDS: Readonly<Record<MoneyDiscrepancy['kind'], { title: string; about: string }>> = {
  paid_no_grant: { title: 'Se cobró y no se dio nada', about: 'El procesador recibió dinero de una compra que no dio nada.' },
  grant_no_money: { title: 'Se dio y no se cobró', about: 'La compra dio algo y el procesador no recibió su dinero.' },
  amount_differs: { title: 'La cantidad no coincide', about: 'Lo cobrado o devuelto no es lo mismo en el estudio y en el procesador.' },
  unknown_object: { title: 'Cobro desconocido', about: 'El procesador tiene un cobro que no es de ninguna compra.' },
  refund_failed: { title: 'Una devolución no llegó', about: 'El dinero regresó al estudio y se le debe a la persona.' },
  refund_due: { title: 'Falta devolver', about: 'Se canceló algo que estaba pagado y falta devolver su dinero.' },
  unclaimed_money: { title: 'Dinero sin compra', about: 'Llegó dinero de otra cantidad o demasiado tarde.' },
}

/** Diferencias: where the studio's books and a processor's do not agree. */
export default function DiscrepanciesTab() {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const [closing, setClosing] = useState<MoneyDiscrepancy | null>(null)
  const found = useQuery(queries.differences.list.queryOptions({ meta: { handled: true } }))
  const rows = found.data?.money_differences ?? []
  return (
    <>
      <Loaded
        query={found}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar las diferencias."
        nothing={rows.length === 0 && <EmptyState>Los libros del estudio y de los procesadores coinciden.</EmptyState>}
      >
        <ul className="panel-card charge-list" aria-label="Diferencias">
          {rows.map((row) => (
            <li key={row.money_difference_id} className="receivable">
              <span className="grow">
                <span className="row gap-8 wraps">
                  {row.purchase_id !== null && <OrderLink purchase_id={row.purchase_id} alone />}
                  <span className="strong">{KINDS[row.kind].title}</span>
                  {row.closedAt && <Badge tone="outline">{row.closed_by === 'mended' ? 'Se corrigió' : 'Cerrada'}</Badge>}
                </span>
                <span>{KINDS[row.kind].about}</span>
                <span className="small muted">{[formatInstant(new Date(row.foundAt), site.zone, 'class'), row.about].join(' · ')}</span>
              </span>
              {typeof row.details.amount === 'number' && <span className="row-money">{formatMoney(row.details.amount)}</span>}
              {!row.closedAt && may(staff, 'sales.refund') && (
                <Button size="small" variant="outline" onClick={() => setClosing(row)}>
                  Cerrar
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Loaded>
      {closing && (
        <ReasonDialog
          title={`Cerrar: ${KINDS[closing.kind].title}`}
          yes="Sí, cerrar"
          no="Dejarla abierta"
          consequence="Ya no se avisa de ella. No mueve dinero."
          send={(reason) => api.differences.close({ money_difference_id: closing.money_difference_id, reason })}
          onDone={() => {
            setClosing(null)
            showAlert('success', 'Guardado.')
            void client.invalidateQueries({ queryKey: queries.differences.key() })
            void client.invalidateQueries({ queryKey: queries.today.key() })
          }}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  )
}
