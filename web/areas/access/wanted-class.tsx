import { lazy, Suspense, useEffect, useState } from 'react'
import { returnDestination } from '#web/lib/return-path.ts'

const WantedClassText = lazy(() => import('#web/features/account/wanted-class-text.tsx').catch(() => ({ default: () => null })))

/** The class of the page to open after log-in or sign-up; null when that page is another one. */
function wantedClassId(): number | null {
  const [, id] = /^\/mystudio\?(?:.*&)?clase=(\d{1,9})(?:&|$)/.exec(returnDestination()) ?? []
  return id === undefined ? null : Number(id)
}

/** The class that a visitor chose before, under the heading; in the gap that is there anyway, so that nothing moves when it arrives. */
export function WantedClass() {
  const [id, setId] = useState<number | null>(null)
  useEffect(() => setId(wantedClassId()), [])
  if (id === null) return null
  return (
    <p className="small strong ellipsis access-wanted">
      <Suspense fallback={null}>
        <WantedClassText id={id} />
      </Suspense>
    </p>
  )
}
