import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignedInSession } from '#contract/people.ts'
import { formatInstant } from '#contract/time.ts'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './sessions-card.css'

/** The user's sessions, with a button that ends all others (docs/domain.md P16). Nothing if the identity service does not list them. */
export function SessionsCard() {
  const client = useQueryClient()
  const query = useQuery(queries.people.sessions.list.queryOptions({ meta: { handled: true } }))
  const close = useMutation({
    mutationFn: () => api.people.sessions.endOthers(),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.people.sessions.key() })
      showAlert('success', 'Cerramos tus demás sesiones.')
    },
  })
  const sessions = query.data?.sessions
  if (sessions?.length === 0) return null
  return (
    <section className="card padded sessions" aria-labelledby="sesiones">
      <h2 id="sesiones" className="t3">
        Sesiones abiertas
      </h2>
      {query.isError && !sessions ? (
        <NotLoaded query={query}>No pudimos cargar tus sesiones.</NotLoaded>
      ) : !sessions ? (
        <Skeleton height="96px" />
      ) : (
        <>
          <ul className="sessions-list">
            {sessions.map((session) => (
              <SessionRow key={session.session_id} session={session} />
            ))}
          </ul>
          {sessions.length > 1 && (
            <div className="stack gap-8">
              <p className="small muted">
                ¿No reconoces alguna? Ciérralas y cambia tu contraseña. La dirección de tu calendario también cambia.
              </p>
              <div>
                <Button variant="outline" loading={close.isPending} onClick={() => close.mutate()}>
                  Cerrar las demás
                </Button>
              </div>
            </div>
          )}
        </>
      )}
    </section>
  )
}

function SessionRow({ session }: { session: SignedInSession }) {
  const site = useSite()
  const Device = /Android|iPhone|iPad/.test(session.device) ? IconDeviceMobile : IconDeviceLaptop
  return (
    <li>
      <Device className="icon" aria-hidden="true" />
      <div>
        <p className="strong">{session.device}</p>
        <p className="small muted">Último uso: {formatInstant(new Date(session.last_used_at), site.zone, 'class')}</p>
        {session.gets_push && <p className="small muted">Recibe notificaciones</p>}
      </div>
      {session.is_current && <Badge tone="ok">Esta sesión</Badge>}
    </li>
  )
}
