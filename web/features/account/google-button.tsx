import { lazy, Suspense } from 'react'
import { useSite } from '#web/lib/settings.tsx'
import { useAwake } from '#web/ui/submit-button.tsx'
import type { GoogleSignInProps } from './google-sign-in.tsx'

/** Loaded only where the studio has it; without it the form beside it is whole. */
const GoogleSignIn = lazy(() => import('./google-sign-in.tsx').catch(() => ({ default: () => null })))

/** Google's button, if the studio uses Google's service and enables it (settled 10). */
export function GoogleButton(props: GoogleSignInProps) {
  const { google_sign_in, firebaseConfig } = useSite()
  const awake = useAwake()
  // Not before hydration: a click on the server-rendered button would be lost.
  if (!awake || !google_sign_in || !firebaseConfig) return null
  return (
    <Suspense>
      <GoogleSignIn {...props} />
    </Suspense>
  )
}
