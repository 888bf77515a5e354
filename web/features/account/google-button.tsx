import { lazy, Suspense } from 'react'
import { useSite } from '#web/lib/settings.tsx'
import { useAwake } from '#web/ui/submit-button.tsx'
import type { GoogleSignInProps } from './google-sign-in.tsx'

/** Fetched only where a studio has it: most sign in with us. */
const GoogleSignIn = lazy(() => import('./google-sign-in.tsx'))

/** Google's button, where the studio uses Google's service and wants it (settled 10). */
export function GoogleButton(props: GoogleSignInProps) {
  const { google_sign_in, firebaseConfig } = useSite()
  const awake = useAwake()
  // Not before it can answer: a click on what the server drew would be lost.
  if (!awake || !google_sign_in || !firebaseConfig) return null
  return (
    <Suspense>
      <GoogleSignIn {...props} />
    </Suspense>
  )
}
