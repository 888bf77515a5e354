import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { Entering, EnteringFailed, EnteringScreen } from '#web/features/account/entering.tsx'
import { AdminFrame } from '#web/features/admin/frame/admin-frame.tsx'
import { dropStoredRosters } from '#web/features/admin/frame/device-data.ts'
import { StaffProvider, useStaffQuery } from '#web/features/admin/frame/staff.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { addEndpoints, browserQueries } from '#web/lib/api.ts'
import { failureOf, isPassing } from '#web/lib/errors.ts'
import { endSession, openSession, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { endpoints as staffEndpoints } from '#web/lib/staff-endpoints.ts'
import { Button } from '#web/ui/button.tsx'

addEndpoints(staffEndpoints)

/** One document for the whole area, the same for everybody: what is in it is drawn in the browser, once it is known who is there. */
export const handle: PageHandle = { shell: true }

/** The administration: its screens for whoever is of the staff, /entrar for whoever has not logged in. */
export default function AdminShell() {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  const { pathname, search } = useLocation()
  const wasIn = useRef(false)
  if (session.state === 'signed-in') wasIn.current = true

  useEffect(() => {
    if (session.state !== 'signed-out') return
    dropStoredRosters()
    // Who signs out wants to leave; who never was in wanted to come here.
    location.replace(wasIn.current ? paths.login : paths.loginThen(pathname === adminPaths.home ? adminPaths.home : pathname + search))
  }, [session.state, pathname, search])

  if (session.state === 'failed') return <EnteringFailed again={() => void openSession(site.firebaseConfig).catch(() => {})} />
  if (session.state !== 'signed-in') return <Entering />
  return (
    <QueryClientProvider client={browserQueries()}>
      <Inside />
    </QueryClientProvider>
  )
}

function Inside() {
  const { staff, error, again } = useStaffQuery()
  if (error) return isPassing(error) ? <EnteringFailed again={again} /> : <Refused error={error} />
  if (staff === undefined) return <Entering />
  if (staff === null) return <NotStaff />
  return (
    <StaffProvider staff={staff}>
      <AdminFrame>
        <Outlet />
      </AdminFrame>
    </StaffProvider>
  )
}

/** Signed in, and not of the staff: a customer who followed a link that was not meant for them. */
function NotStaff() {
  const site = useSite()
  return (
    <EnteringScreen still>
      <p role="alert">Tu cuenta no es del equipo de {site.business_name}. Si trabajas aquí, pide que te inviten con este correo.</p>
      <Button as="a" href={paths.mystudio.calendar}>
        Ir a mi cuenta
      </Button>
      <Leave />
    </EnteringScreen>
  )
}

/** The server's sentence; where a second factor is missing, the way to it. */
function Refused({ error }: { error: unknown }) {
  const { code, message } = failureOf(error)
  return (
    <EnteringScreen still>
      <p role="alert">{message}</p>
      {code === 'SECOND_FACTOR_REQUIRED' && (
        <Button as="a" href={paths.security}>
          Seguridad de tu cuenta
        </Button>
      )}
      <Leave />
    </EnteringScreen>
  )
}

function Leave() {
  return (
    <button type="button" className="link" onClick={() => void endSession()}>
      Entrar con otra cuenta
    </button>
  )
}
