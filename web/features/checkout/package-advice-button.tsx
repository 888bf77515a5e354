import { Suspense, useState } from 'react'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CardPackage } from './card-package.ts'

const PackageAdviceDialog = lazyPart(() => import('./package-advice-dialog.tsx'))

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
