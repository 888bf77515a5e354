import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useMatches } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { Entering, EnteringFailed, EnteringScreen } from '#web/features/account/entering.tsx'
import { AdminFrame, type AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { dropDeviceData } from '#web/features/admin/frame/device-data.ts'
import { StaffProvider, useStaffQuery } from '#web/features/admin/frame/staff.tsx'
import { addEndpoints, browserQueries } from '#web/lib/api.ts'
import { isPassing, toFailure } from '#web/lib/errors.ts'
import { useResumedSession } from '#web/lib/resumed-session.ts'
import { endSession, openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { endpoints as staffEndpoints } from '#web/lib/staff-endpoints.ts'
import { Button } from '#web/ui/button.tsx'

addEndpoints(staffEndpoints)

const Palette = lazy(() => import('#web/features/admin/palette/palette.tsx'))
const LockedDevice = lazy(() => import('#web/features/admin/frame/locked-device.tsx'))
const Kiosk = lazy(() => import('#web/features/admin/checkin/kiosk.tsx'))
const ShortcutList = lazy(() => import('#web/features/admin/palette/shortcut-list.tsx'))

/** One cached document for the whole area; its contents are rendered in the browser once the session is known. */
export const handle: PageHandle = { shell: true }

/** The administration: its screens for staff, a redirect to /entrar for visitors. */
export default function AdminShell() {
  const site = useSite()
  const session = useResumedSession(site.firebaseConfig)
  const { pathname, search } = useLocation()
  const wasIn = useRef(false)
  if (session.state === 'signed-in') wasIn.current = true

  // Installed from here, the app is the administration. The document names the manifest of the site.
  useEffect(() => document.querySelector('link[rel=manifest]')?.setAttribute('href', '/administracion.webmanifest'), [])

  useEffect(() => {
    if (session.state !== 'signed-out') return
    dropDeviceData()
    // After a sign-out go to the plain log-in; a visitor who was never signed in returns to this page after it.
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
  if (error && toFailure(error).code === 'DEVICE_LOCKED')
    return (
      <Suspense fallback={<Entering />}>
        <LockedDevice kiosk={(kiosk) => <Kiosk {...kiosk} />} />
      </Suspense>
    )
  if (error) return isPassing(error) ? <EnteringFailed again={again} /> : <Refused error={error} />
  if (staff === undefined) return <Entering />
  if (staff === null) return <NotStaff />
  return (
    <StaffProvider staff={staff}>
      <Framed />
    </StaffProvider>
  )
}

/** The frame around the screen, with what opens over every screen. */
function Framed() {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null)
  const isBare = useMatches().some((match) => (match.handle as Partial<AdminHandle> | undefined)?.bare)
  const close = () => setShown(null)
  const showShortcuts = () => setShown('shortcuts')
  if (isBare) return <Outlet />
  return (
    <AdminFrame onSearch={() => setShown('palette')} onShortcuts={showShortcuts}>
      <Outlet />
      <Suspense>
        {shown === 'palette' && <Palette onClose={close} onShortcuts={showShortcuts} />}
        {shown === 'shortcuts' && <ShortcutList onClose={close} />}
      </Suspense>
    </AdminFrame>
  )
}

/** For a signed-in customer who is not staff. */
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

/** The server's sentence; if a second factor is missing, with a link to enrol it. */
function Refused({ error }: { error: unknown }) {
  const { code, message } = toFailure(error)
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
