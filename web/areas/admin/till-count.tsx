import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { CountBadge } from '#web/features/admin/till/count-badge.tsx'
import { CountTable } from '#web/features/admin/till/count-table.tsx'
import { TillMovements } from '#web/features/admin/till/till-movements.tsx'
import { TillSlip } from '#web/features/admin/till/till-slip.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import '#web/features/admin/till/till.css'

const ApproveCount = lazy(async () => ({ default: (await import('#web/features/admin/till/approve-count.tsx')).ApproveCount }))
const CountForm = lazy(async () => ({ default: (await import('#web/features/admin/till/count-form.tsx')).CountForm }))

export const handle: AdminHandle = { title: 'Corte de caja', detail: true }

/** One cash session: expected and counted amounts, and the signatures. */
export default function TillCount() {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const { cash_session_id = '' } = useParams()
  const [asking, setAsking] = useState<'approve' | 'reopen' | null>(null)
  const id = idInText(cash_session_id) ?? 0
  const query = useQuery(queries.cashSessions.one.queryOptions({ input: { cash_session_id: id }, meta: { handled: true } }))
  const session = query.data?.cash_session
  // Whoever counts blind does not see what is expected until the till is closed.
  const hasSums = session?.ways.some(({ expected }) => expected !== null)
  const changed = () => void client.invalidateQueries({ queryKey: queries.cashSessions.key() })
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'class')
  const reviews = may(staff, 'cash.review') && session?.state === 'closed'
  return (
    <>
      <ScreenHead title="Corte de caja" about={session ? `${session.location.name} · ${session.staff.name}` : ' '}>
        {reviews && (
          <div className="row gap-8 wraps">
            <Button variant="outline" size="small" onClick={() => setAsking('reopen')}>
              Abrir de nuevo
            </Button>
            <Button size="small" onClick={() => setAsking('approve')}>
              Aprobar
            </Button>
          </div>
        )}
      </ScreenHead>
      <Loaded query={query} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar este corte." nothing={false}>
        {session && (
          <div className="till-parts">
            <section className="panel-card" aria-label="Datos">
              <div className="panel-body">
                <p>
                  <CountBadge session={session} />
                </p>
                <dl className="count-list">
                  <div>
                    <dt>Abrió {session.staff.name}</dt>
                    <dd>{at(session.openedAt)}</dd>
                  </div>
                  {session.closedAt && (
                    <div>
                      <dt>Cerró {session.closed_by?.name}</dt>
                      <dd>{at(session.closedAt)}</dd>
                    </div>
                  )}
                  {session.approvedAt && (
                    <div>
                      <dt>Aprobó {session.approved_by?.name}</dt>
                      <dd>{at(session.approvedAt)}</dd>
                    </div>
                  )}
                </dl>
                {session.note && <p className="small">{session.note}</p>}
                {session.approval_note && <p className="small">Al aprobar: {session.approval_note}</p>}
                {session.reopen_reason && <p className="small muted">Se abrió de nuevo: {session.reopen_reason}</p>}
              </div>
              {session.state === 'open' && hasSums && (
                <div className="panel-body">
                  <CountTable session={session} />
                </div>
              )}
            </section>
            {session.state === 'open' && (
              <Suspense>
                <CountForm session={session} onClosed={changed} />
              </Suspense>
            )}
            <TillMovements session={session} />
            {(session.state !== 'open' || hasSums) && <TillSlip session={session} />}
          </div>
        )}
      </Loaded>
      {asking === 'approve' && (
        <Suspense>
          <ApproveCount
            cash_session_id={id}
            onDone={() => {
              setAsking(null)
              showAlert('success', 'Guardado.')
              changed()
            }}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
      {asking === 'reopen' && (
        <ReasonDialog
          title="Abrir de nuevo"
          yes="Abrir de nuevo"
          no="Dejar cerrado"
          consequence="Quien la abrió puede seguir cobrando en esta caja y vuelve a contar."
          send={(reason, how) => api.cashSessions.reopen({ cash_session_id: id, reason }, how)}
          onDone={() => {
            setAsking(null)
            changed()
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}
