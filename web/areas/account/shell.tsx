import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { ADMIN_HOME } from '#contract/admin-home.ts'
import { offersEnglish } from '#contract/language.ts'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { Entering, EnteringFailed, EnteringScreen } from '#web/features/account/entering.tsx'
import { lacksCustomer, NoCustomer, worksHere } from '#web/features/account/no-customer.tsx'
import { browserQueries } from '#web/lib/api.ts'
import { CustomerProvider, useCustomerQuery } from '#web/lib/customer.tsx'
import { isPassing } from '#web/lib/errors.ts'
import { isOpenPath } from '#web/lib/menu.ts'
import { useResumedSession } from '#web/lib/resumed-session.ts'
import { endSession, openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useStartQueries } from './start-queries.ts'

/** One cached document for the whole area; its contents are rendered in the browser once the session is known. */
export const handle: PageHandle = { shell: true }

/** S1-2.25 to S1-2.29: the area when signed in, 'Accediendo' until that is known, a redirect to /entrar when signed out. */
export default function Shell() {
  const site = useSite()
  const session = useResumedSession(site.firebaseConfig)
  const { pathname, search } = useLocation()
  const wasIn = useRef(false)
  const [customerError, setCustomerError] = useState<unknown>(null)
  if (session.state === 'signed-in') wasIn.current = true

  useEffect(() => {
    if (session.state !== 'signed-out' || customerError) return
    // After a sign-out go to the plain log-in; a visitor who was never signed in returns to this page after it.
    const back = pathname + search
    location.replace(wasIn.current || back === paths.mystudio.calendar ? paths.login : paths.loginThen(back))
  }, [session.state, customerError, pathname, search])

  if (customerError) return <EnteringWithoutCustomer error={customerError} />
  if (session.state === 'failed') return <EnteringFailed again={() => void openSession(site.firebaseConfig).catch(() => {})} />
  if (session.state !== 'signed-in') return <Entering />
  return (
    <QueryClientProvider client={browserQueries()}>
      <Inside onCustomerError={setCustomerError} />
    </QueryClientProvider>
  )
}

function Inside({ onCustomerError }: { onCustomerError: (error: unknown) => void }) {
  const site = useSite()
  const { pathname, search } = useLocation()
  const me = useCustomerQuery()
  useStartQueries()
  const refused = me.isError && !isPassing(me.error)
  const open = isOpenPath(pathname, site, search)

  useEffect(() => {
    // Only a refused customer ends the session (S1-4.02), not a network failure.
    if (!refused) return
    // Staff without a customer record use the same log-in: send them to the administration.
    if (worksHere(me.error)) return location.replace(ADMIN_HOME)
    if (lacksCustomer(me.error)) onCustomerError(me.error)
    void endSession()
  }, [refused, me.error, onCustomerError])
  useEffect(() => {
    if (!open) location.replace(paths.mystudio.calendar)
  }, [open])

  const customer = me.data?.customer
  useEffect(() => {
    if (customer && offersEnglish(site))
      void import('#web/features/account/customer-language.ts').then(({ followLanguage }) => followLanguage(customer))
  }, [customer, site])

  if (me.isPending || refused || !open) return <Entering />
  if (me.isError) return <EnteringFailed again={() => void me.refetch()} />
  return (
    <CustomerProvider customer={me.data.customer}>
      <Outlet />
    </CustomerProvider>
  )
}

/** An account without a customer. Explained here, because a redirect to /entrar would give no reason. */
function EnteringWithoutCustomer({ error }: { error: unknown }) {
  return (
    <EnteringScreen still>
      <NoCustomer error={error} />
      <a className="link" href={paths.login}>
        Entrar con otra cuenta
      </a>
    </EnteringScreen>
  )
}
