import { useEffect } from 'react'
import { LoginForm } from '#web/features/account/login-form.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { returnDestination } from '#web/lib/return-path.ts'
import { useSessionOfForm } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import type { AccessHandle } from './layout.tsx'
import { WantedClass } from './wanted-class.tsx'

export const handle: AccessHandle = { stage: { title: 'Tu lugar te está esperando', background: 'bg_login' } }

/** /entrar (S1-2.03, S1-2.35 to S1-2.42). A visitor who is already signed in is redirected at once. */
export default function Login() {
  const site = useSite()
  const session = useSessionOfForm(site.firebaseConfig)
  useEffect(() => {
    if (session.state === 'signed-in') location.replace(returnDestination())
  }, [session.state])
  return (
    <>
      <PageTitle>Entrar</PageTitle>
      <meta name="robots" content="noindex" />
      <h1 className="t1">Entrar Ahora</h1>
      <WantedClass />
      <div className="card padded">
        {/* Signing in changes the session, and the effect above redirects: here and in every other tab that shows this page. */}
        <LoginForm onDone={() => {}} />
      </div>
    </>
  )
}
