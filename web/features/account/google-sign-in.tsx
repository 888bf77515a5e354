import { IconBrandGoogle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { toFailure } from '#web/lib/errors.ts'
import type { IdentityUser } from '#web/lib/identity.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

export interface GoogleSignInProps {
  onDone: (user: IdentityUser) => void | Promise<void>
}

/** 'Continuar con Google', if the studio uses Google's service and enables it (settled 10; S1-8.08 to S1-8.11, S1-9.06, S1-9.07). */
export default function GoogleSignIn({ onDone }: GoogleSignInProps): ReactNode {
  const site = useSite()
  const [wrong, setWrong] = useState<string | null>(null)
  useEffect(() => {
    // Loaded before the click: browsers block a window that opens long after it.
    openSession(site.firebaseConfig).catch(() => {})
  }, [site.firebaseConfig])

  // Never disabled: the window may be hidden behind others, and a second click opens it again.
  async function open() {
    setWrong(null)
    try {
      const identity = await openSession(site.firebaseConfig)
      await onDone(await identity.signInByPopup())
      setWrong(null)
    } catch (error) {
      setWrong(toFailure(error).message)
    }
  }
  return (
    <div className="stack gap-16">
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
      <Button variant="outline" full onClick={() => void open()}>
        <IconBrandGoogle className="icon" aria-hidden="true" />
        Continuar con Google
      </Button>
    </div>
  )
}
