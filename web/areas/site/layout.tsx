import { useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { AccountTabs } from '#web/features/account/account-tabs.tsx'
import { SiteAccountButton } from '#web/features/account/site-account-button.tsx'
import { Footer } from '#web/features/site/footer.tsx'
import { SiteNavbar } from '#web/features/site/site-navbar.tsx'
import { WhatsappButton } from '#web/features/site/whatsapp-button.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { useSessionHint } from '#web/lib/session-hint.ts'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/layout.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { client, dependsOn, report, freshUntil, now } = context.get(rendering)
  dependsOn('content')
  try {
    const { pages } = await client.content.pages()
    // Pages without content are hidden (S2-2.75).
    return { pages: pages.filter(({ content }) => content !== null).map(({ slug, title }) => ({ slug, title })) }
  } catch (error) {
    report(error)
    // Render without the footer's list, but keep this document for one second only, so that a later visitor gets a complete one.
    freshUntil(new Date(now.getTime() + 1_000))
    return { pages: [] }
  }
}

/** The frame and the list of content pages are loaded once per document. */
export const shouldRevalidate = () => false

/** The frame of the public pages. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  const { location: next } = useNavigation()
  // Known in the browser only, because the document is the same for everybody (decision 002). Fixed to the lower edge, so nothing moves.
  const signedIn = useSessionHint()
  const leaving = useSkeleton(next !== undefined && next.pathname !== pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Client-side navigation moves no focus: move it, so that screen readers start at the new page.
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <>
      <SectionBoundary>
        <SiteNavbar menu={<SiteAccountButton />} />
      </SectionBoundary>
      <main id="contenido" ref={main} tabIndex={-1} className="site-main" aria-busy={leaving}>
        <Outlet />
      </main>
      {/* While the next page is loading (S2-2.71), the current one stays. */}
      <div role="status">
        {leaving && (
          <p className="page-loading">
            <span className="sr-only">Cargando</span>
          </p>
        )}
      </div>
      <SectionBoundary>
        <Footer pages={loaderData.pages} />
      </SectionBoundary>
      {signedIn && (
        <SectionBoundary>
          <AccountTabs />
        </SectionBoundary>
      )}
      <SectionBoundary>
        <WhatsappButton />
      </SectionBoundary>
    </>
  )
}
