import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '#contract/paths.ts'
import { SecondFactorCard } from '#web/features/account/second-factor-card.tsx'
import { SessionsCard } from '#web/features/account/sessions-card.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { browserQueries } from '#web/lib/api.ts'
import { openSession, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'

export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu cuenta, solo tuya', background: 'bg_login' },
  shell: true,
}

/** /seguridad: second factor and sessions of the signed-in user; also for staff without a customer record (docs/domain.md P16, P17). */
export default function Security() {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  useEffect(() => {
    if (session.state === 'signed-out') location.replace(paths.loginThen(paths.security))
  }, [session.state])
  return (
    <>
      <PageTitle>Seguridad</PageTitle>
      <meta name="robots" content="noindex" />
      <h1 className="t1">Seguridad</h1>
      {session.state === 'failed' ? (
        <>
          <p role="alert">No pudimos cargar tu cuenta. Revisa tu conexión.</p>
          <Button variant="outline" onClick={() => void openSession(site.firebaseConfig).catch(() => {})}>
            Intentar de nuevo
          </Button>
        </>
      ) : session.state !== 'signed-in' ? (
        <Skeleton height="220px" />
      ) : (
        <QueryClientProvider client={browserQueries()}>
          <p className="muted">{session.email}</p>
          <SecondFactorCard />
          <SessionsCard />
        </QueryClientProvider>
      )}
    </>
  )
}
