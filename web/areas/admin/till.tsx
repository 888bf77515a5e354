import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationChoices, useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CountForm } from '#web/features/admin/till/count-form.tsx'
import { OpenTill } from '#web/features/admin/till/open-till.tsx'
import { TillMovements } from '#web/features/admin/till/till-movements.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { usePreload } from '#web/lib/use-preload.ts'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import '#web/features/admin/till/till.css'

export const handle: AdminHandle = { title: 'Caja' }

const failed = <p role="alert">No pudimos cargarlo. Revisa tu conexión.</p>

/** Loaded at the first pointer, touch or key event. */
const MovementDialog = onDemandPart(() => import('#web/features/admin/till/movement-dialog.tsx'), failed)
/** Loaded when a till is open. */
const BeforeClosing = onDemandPart(() => import('#web/features/admin/today/before-closing.tsx'), failed)
/** Loaded when a till was counted. */
const TillSlip = lazy(async () => ({ default: (await import('#web/features/admin/till/till-slip.tsx')).TillSlip }))

/** Caja: the till of the signed-in staff member: open it, add and remove cash, count and close it. */
export default function Till() {
  const site = useSite()
  const client = useQueryClient()
  const staff = useStaff()
  const studios = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useLocationChoices()
  const locationInAddress = useLocationFilter()
  const [chosen, setChosen] = useState(locationInAddress)
  const location_id = chosen ?? locations[0]?.location_id ?? null
  const [moving, setMoving] = useState<'in' | 'out' | null>(null)
  const [closed, setClosed] = useState<CashSession | null>(null)
  const till = useQuery({
    ...queries.cashSessions.current.queryOptions({ input: { location_id: location_id ?? 0 }, meta: { handled: true } }),
    enabled: location_id !== null,
  })
  const session = till.data?.cash_session ?? null
  const changed = () => void client.invalidateQueries({ queryKey: queries.cashSessions.key() })
  const parts = useRef<HTMLDivElement>(null)
  usePreload(MovementDialog)
  useShortcuts('Caja', [
    session && { keys: 'e', label: 'Entrada', act: () => setMoving('in') },
    session && { keys: 's', label: 'Salida', act: () => setMoving('out') },
    session && { keys: 'c', label: 'Contar y cerrar', act: () => parts.current?.querySelector('input')?.focus() },
  ])
  const about = session
    ? `${session.location.name} · abierta ${formatInstant(new Date(session.openedAt), site.zone, 'class')} con ${formatPesos(session.opening)}`
    : ' '
  return (
    <>
      <ScreenHead title="Caja" about={about}>
        <div className="row gap-8 wraps">
          {session && (
            <>
              <Button variant="outline" size="small" onClick={() => setMoving('in')}>
                Entrada
              </Button>
              <Button variant="outline" size="small" onClick={() => setMoving('out')}>
                Salida
              </Button>
            </>
          )}
          {session?.ways.some(({ expected }) => expected !== null) && (
            <Button variant="outline" size="small" as={AppLink} to={adminPaths.tillCount(session.cash_session_id)}>
              Corte X
            </Button>
          )}
          <Button variant="outline" size="small" as={AppLink} to={adminPaths.tillCounts}>
            Cortes
          </Button>
        </div>
      </ScreenHead>
      {locations.length > 1 && (
        <div className="till-where">
          <Segmented
            label="Estudio"
            options={locations.map((location) => ({ value: String(location.location_id), label: location.name }))}
            value={location_id === null ? '' : String(location_id)}
            onChange={(value) => {
              setChosen(Number(value))
              setClosed(null)
            }}
          />
        </div>
      )}
      {studios.data?.locations.length === 0 ? (
        <EmptyState {...(may(staff, 'catalogue.edit') ? { next: { label: 'Agregar estudio', to: adminPaths.catalogue('estudios') } } : {})}>
          Cada estudio tiene su caja. Todavía no hay ninguno.
        </EmptyState>
      ) : (
        <Loaded
          query={location_id === null ? studios : till}
          skeleton={<ListSkeleton rows={5} />}
          failed="No pudimos cargar tu caja."
          nothing={false}
        >
          {session && may(staff, 'roster.all') && <BeforeClosing location_id={session.location.location_id} />}
          {session ? (
            <div ref={parts} className="till-parts">
              <CountForm
                key={session.cash_session_id}
                session={session}
                onClosed={(session) => {
                  setClosed(session)
                  changed()
                }}
              />
              <TillMovements session={session} />
            </div>
          ) : (
            <div className={closed ? 'till-parts' : 'till-parts till-alone'}>
              {closed && (
                <Suspense>
                  <TillSlip session={closed} />
                </Suspense>
              )}
              <section className="panel-card" aria-labelledby="abrir">
                <div className="panel-head">
                  <h2 id="abrir" className="t3">
                    Abrir caja
                  </h2>
                </div>
                <div className="panel-body stack gap-12">
                  {!closed && <EmptyState>No has abierto caja hoy.</EmptyState>}
                  {till.data?.others.map((session) => (
                    <p key={session.cash_session_id} className="small muted">
                      {session.staff.name} tiene una abierta aquí desde {formatInstant(new Date(session.openedAt), site.zone, 'class')}.
                      {may(staff, 'cash.review') && (
                        <>
                          {' '}
                          <AppLink className="link" to={adminPaths.tillCount(session.cash_session_id)}>
                            Contarla y cerrarla
                          </AppLink>
                        </>
                      )}
                    </p>
                  ))}
                  {location_id !== null && <OpenTill key={location_id} location_id={location_id} onOpened={changed} />}
                </div>
              </section>
            </div>
          )}
        </Loaded>
      )}
      {session && moving && (
        <MovementDialog
          cash_session_id={session.cash_session_id}
          kind={moving}
          onDone={() => {
            setMoving(null)
            changed()
          }}
          onClose={() => setMoving(null)}
        />
      )}
    </>
  )
}
