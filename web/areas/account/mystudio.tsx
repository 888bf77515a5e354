import { Outlet } from 'react-router'
import { AccountBar } from '#web/features/account-bar.tsx'
import { SiteHeader } from '#web/features/site-header.tsx'
import { Toaster } from '#web/features/toaster.tsx'
import './mystudio.css'

/** The frame of the signed-in area: bar, page, messages. */
export default function MyStudio() {
  return (
    <>
      <SiteHeader>
        <AccountBar />
      </SiteHeader>
      <main id="contenido" className="mystudio" tabIndex={-1}>
        <Outlet />
      </main>
      <Toaster />
    </>
  )
}
