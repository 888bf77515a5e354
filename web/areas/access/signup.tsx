import { useEffect, useRef } from 'react'
import { SignupForm } from '#web/features/account/signup-form.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { documentsToAccept } from '#web/lib/documents-to-accept.ts'
import { rendering } from '#web/lib/rendering.ts'
import { returnDestination } from '#web/lib/return-path.ts'
import { useSessionOfForm } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import type { Route } from './+types/signup.ts'
import type { AccessHandle } from './layout.tsx'

export const handle: AccessHandle = { stage: { title: 'Empieza a moverte', background: 'bg_login' } }

export async function loader({ context }: Route.LoaderArgs) {
  const { client, dependsOn } = context.get(rendering)
  dependsOn('content')
  const { pages } = await client.content.pages()
  return { documents: documentsToAccept(pages, 'required_signup') }
}

/** /registro (S1-2.04 to S1-2.06). A visitor who arrives signed in is redirected. */
export default function Signup({ loaderData }: Route.ComponentProps) {
  const site = useSite()
  const session = useSessionOfForm(site.firebaseConfig)
  const firstState = useRef<string | null>(null)
  useEffect(() => {
    // Only the first known state counts: the form signs in before it has created the customer, which must not redirect.
    if (session.state !== 'starting') firstState.current ??= session.state
    if (firstState.current === 'signed-in') location.replace(returnDestination())
  }, [session.state])
  return (
    <>
      <PageTitle>Regístrate</PageTitle>
      <h1 className="t1">Regístrate</h1>
      <div className="card padded">
        <SignupForm documents={loaderData.documents} onDone={() => location.replace(returnDestination())} />
      </div>
    </>
  )
}
