import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { Entering, EnteringFailed, EnteringScreen } from '#web/features/account/entering.tsx'
import { lacksCustomer, NoCustomer, worksHere } from '#web/features/account/no-customer.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { browserQueries } from '#web/lib/api.ts'
import { CustomerProvider, useCustomerQuery } from '#web/lib/customer.tsx'
import { isPassing } from '#web/lib/errors.ts'
import { isOpenPath } from '#web/lib/menu.ts'
import { endSession, openSession, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'

/** One document for the whole area: what is in it is drawn in the browser, once it is known who is there. */
export const handle: PageHandle = { shell: true }

/** S1-2.25 to S1-2.29: the area when a user exists, 'Accediendo' until that is known, /entrar when there is none. */
export default function Shell() {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  const { pathname, search } = useLocation()
  const wasIn = useRef(false)
  const [nobody, setNobody] = useState<unknown>(null)
  if (session.state === 'signed-in') wasIn.current = true

  useEffect(() => {
    if (session.state !== 'signed-out' || nobody) return
    // Who signs out wants to leave; who never was in wanted to come here.
    const back = pathname + search
    location.replace(wasIn.current || back === paths.mystudio.calendar ? paths.login : paths.loginThen(back))
  }, [session.state, nobody, pathname, search])

  if (nobody) return <EnteringNobody error={nobody} />
  if (session.state === 'failed') return <EnteringFailed again={() => void openSession(site.firebaseConfig).catch(() => {})} />
  if (session.state !== 'signed-in') return <Entering />
  return (
    <QueryClientProvider client={browserQueries()}>
      <Inside onNobody={setNobody} />
    </QueryClientProvider>
  )
}

function Inside({ onNobody }: { onNobody: (error: unknown) => void }) {
  const site = useSite()
  const { pathname } = useLocation()
  const me = useCustomerQuery()
  const refused = me.isError && !isPassing(me.error)
  const open = isOpenPath(pathname, site)

  useEffect(() => {
    // A customer that cannot be loaded ends the session (S1-4.02); an unanswered question does not.
    if (!refused) return
    // Somebody of the staff who is no customer came in by the same door: theirs is the administration.
    if (worksHere(me.error)) return location.replace(adminPaths.home)
    if (lacksCustomer(me.error)) onNobody(me.error)
    void endSession()
  }, [refused, me.error, onNobody])
  useEffect(() => {
    if (!open) location.replace(paths.mystudio.calendar)
  }, [open])

  if (me.isPending || refused || !open) return <Entering />
  if (me.isError) return <EnteringFailed again={() => void me.refetch()} />
  return (
    <CustomerProvider customer={me.data.customer}>
      <Outlet />
    </CustomerProvider>
  )
}

/** There is a login and no customer: said here, because at /entrar nobody would know why they are back there. */
function EnteringNobody({ error }: { error: unknown }) {
  return (
    <EnteringScreen still>
      <NoCustomer error={error} />
      <a className="link" href={paths.login}>
        Entrar con otra cuenta
      </a>
    </EnteringScreen>
  )
}
