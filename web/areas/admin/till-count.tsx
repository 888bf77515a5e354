import { IconBrandWhatsapp, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { CountBadge } from '#web/features/admin/till/count-badge.tsx'
import { CountTable } from '#web/features/admin/till/count-table.tsx'
import { countText } from '#web/features/admin/till/count-text.ts'
import { TillMovements } from '#web/features/admin/till/till-movements.tsx'
import { TillSlip } from '#web/features/admin/till/till-slip.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import '#web/features/admin/till/till.css'

export const handle: AdminHandle = { title: 'Corte de caja', detail: true }

/** One cash session: expected and counted amounts, and who signed. */
export default function TillCount() {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const { cash_session_id = '' } = useParams()
  const [reopening, setReopening] = useState(false)
  const id = /^[1-9]\d{0,8}$/.test(cash_session_id) ? Number(cash_session_id) : 0
  const query = useQuery(queries.cashSessions.one.queryOptions({ input: { cash_session_id: id }, meta: { handled: true } }))
  const session = query.data?.cash_session
  const changed = () => void client.invalidateQueries({ queryKey: queries.cashSessions.key() })
  const approve = useMutation({
    mutationFn: () => api.cashSessions.approve({ cash_session_id: id }),
    onSuccess() {
      showAlert('success', 'Guardado.')
      changed()
    },
  })
  const pdf = useMutation({ mutationFn: () => api.cashSessions.pdf({ cash_session_id: id }), onSuccess: saveFile })
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'class')
  const reviews = may(staff, 'cash.review') && session?.state === 'closed'
  return (
    <>
      <ScreenHead title="Corte de caja" about={session ? `${session.location.name} · ${session.staff.name}` : ' '}>
        {session && session.state !== 'open' && (
          <div className="row gap-8 wraps">
            <Button
              variant="outline"
              size="small"
              loading={pdf.isPending}
              icon={<IconDownload className="icon" aria-hidden="true" />}
              onClick={() => pdf.mutate()}
            >
              PDF
            </Button>
            <Button
              as="a"
              variant="outline"
              size="small"
              href={`https://wa.me/?text=${encodeURIComponent(countText(session, site, location.origin))}`}
              target="_blank"
              rel="noreferrer"
              icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
            >
              Enviar por WhatsApp al dueño
            </Button>
          </div>
        )}
        {reviews && (
          <div className="row gap-8 wraps">
            <Button variant="outline" size="small" onClick={() => setReopening(true)}>
              Abrir de nuevo
            </Button>
            <Button size="small" loading={approve.isPending} onClick={() => approve.mutate()}>
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
                {session.reopen_reason && <p className="small muted">Se abrió de nuevo: {session.reopen_reason}</p>}
              </div>
              {session.state === 'open' && session.ways.some(({ expected }) => expected !== null) && (
                <div className="panel-body">
                  <CountTable session={session} />
                </div>
              )}
            </section>
            <TillMovements session={session} />
            {session.state !== 'open' && <TillSlip session={session} />}
          </div>
        )}
      </Loaded>
      {reopening && (
        <ReasonDialog
          title="Abrir de nuevo"
          yes="Abrir de nuevo"
          no="Dejar cerrado"
          consequence="Quien la abrió puede seguir cobrando en esta caja y vuelve a contar."
          send={(reason, how) => api.cashSessions.reopen({ cash_session_id: id, reason }, how)}
          onDone={() => {
            setReopening(false)
            changed()
          }}
          onClose={() => setReopening(false)}
        />
      )}
    </>
  )
}
