import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { AccountBar } from '#web/features/account-bar.tsx'
import { Footer } from '#web/features/footer.tsx'
import { SiteHeader } from '#web/features/site-header.tsx'
import { Toaster } from '#web/features/toaster.tsx'
import { queries } from '#web/lib/api.ts'
import './mystudio.css'

/** The frame of the signed-in area: bar, page, footer, messages. */
export default function MyStudio() {
  const pages = useQuery(queries.content.pages.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return (
    <>
      <SiteHeader>
        <AccountBar />
      </SiteHeader>
      <main id="contenido" className="mystudio" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer pages={(pages.data?.pages ?? []).filter(({ content }) => content !== null)} />
      <Toaster />
    </>
  )
}
