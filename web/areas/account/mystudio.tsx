import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { AccountBar } from '#web/features/account/account-bar.tsx'
import { AccountTabs } from '#web/features/account/account-tabs.tsx'
import { RequiredDocuments } from '#web/features/booking/required-documents.tsx'
import { OfflineBanner } from '#web/features/calendar/offline-banner.tsx'
import { useOfflineClasses } from '#web/features/calendar/offline-classes.ts'
import { Footer } from '#web/features/site/footer.tsx'
import { SiteHeader } from '#web/features/site/site-header.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { WhatsappButton } from '#web/features/site/whatsapp-button.tsx'
import { queries } from '#web/lib/api.ts'
import { PUSH_INVITE } from '#web/lib/push-invite.ts'
import { useRetainedFocus } from '#web/ui/retained-focus.ts'
import './mystudio.css'

/** The frame of the signed-in area: bar, page, footer, alerts. Documents to accept are shown instead of the page (S1-5.10). */
export default function MyStudio() {
  // A failure of this list is shown in the general alert (S2-8.01).
  const pages = useQuery(queries.content.pages.queryOptions({ staleTime: 300_000 }))
  const documents = useQuery(queries.content.accepted.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  useOfflineClasses()
  const invite = usePushInvite()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useRetainedFocus(main)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Client-side navigation moves no focus: move it, so that screen readers start at the new page.
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  const pending = documents.data?.pending ?? []
  return (
    <>
      <SiteHeader>
        <AccountBar />
      </SiteHeader>
      <main id="contenido" ref={main} className="mystudio" tabIndex={-1}>
        {pending.length === 0 && <Outlet />}
      </main>
      <Footer pages={(pages.data?.pages ?? []).filter(({ content }) => content !== null)} />
      <RequiredDocuments pending={pending} />
      <AccountTabs />
      <OfflineBanner />
      {invite}
      <WhatsappButton />
      <Toaster />
    </>
  )
}

/** The offer of notifications, loaded when it is made (web/lib/push-invite.ts). */
function usePushInvite(): ReactNode {
  const [invite, setInvite] = useState<ReactNode>(null)
  useEffect(() => {
    async function show(event: Event) {
      const { PushInvite } = await import('#web/features/account/push-invite.tsx')
      setInvite(<PushInvite what={(event as CustomEvent<'booking' | 'waitlist'>).detail} onClose={() => setInvite(null)} />)
    }
    const onInvite = (event: Event) => void show(event).catch(() => {})
    addEventListener(PUSH_INVITE, onInvite)
    return () => removeEventListener(PUSH_INVITE, onInvite)
  }, [])
  return invite
}
