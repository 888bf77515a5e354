import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { CardPackage } from './card-package.ts'

const PackageAdviceDialog = lazy(() => import('./package-advice-dialog.tsx').catch(() => ({ default: NotLoaded })))

/** In place of the dialog whose file could not be loaded. */
const NotLoaded = () => <p role="alert">No pudimos abrirlo. Revisa tu conexión o vuelve a cargar la página.</p>

/** Opens '¿Cuál me conviene?', which is loaded then. Without scripts it is hidden. */
export function PackageAdviceButton({ packages }: { packages: readonly CardPackage[] }) {
  const [open, setOpen] = useState(false)
  if (packages.length < 2) return null
  return (
    <>
      <Button variant="outline" size="small" className="package-advice" onClick={() => setOpen(true)}>
        ¿Cuál me conviene?
      </Button>
      {open && (
        <Suspense fallback={null}>
          <PackageAdviceDialog packages={packages} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
