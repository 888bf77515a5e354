import { Outlet } from 'react-router'
import { AccountBar } from '../../features/account-bar.tsx'
import { Toaster } from '../../features/toaster.tsx'
import './mystudio.css'

/** The frame of the signed-in area: bar, page, messages. */
export default function MyStudio() {
  return (
    <>
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <AccountBar />
      <main id="contenido" className="mystudio" tabIndex={-1}>
        <Outlet />
      </main>
      <Toaster />
    </>
  )
}
