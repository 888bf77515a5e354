/** Repeats a call that needs a recent sign-in after the password was confirmed. */
import { type ReactNode, useState } from 'react'
import { ProveIdentity } from '#web/features/account/prove-identity.tsx'
import { bearer } from '#web/lib/bearer.ts'
import { toFailure } from '#web/lib/errors.ts'
import type { Identity } from '#web/lib/identity.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'

/**
 * `run` makes a call; on RECENT_SIGN_IN_REQUIRED, `proof` is the password form, which then repeats the call.
 * Other errors are thrown.
 */
export function useProven(): { run: (call: () => Promise<unknown>) => Promise<void>; proof: ReactNode } {
  const site = useSite()
  const [asking, setAsking] = useState<{ identity: Identity; call: () => Promise<unknown> } | null>(null)
  return {
    async run(call) {
      try {
        await call()
      } catch (error) {
        if (toFailure(error).code !== 'RECENT_SIGN_IN_REQUIRED') throw error
        setAsking({ identity: await openSession(site.firebaseConfig), call })
      }
    },
    proof: asking && (
      <ProveIdentity
        identity={asking.identity}
        onCancel={() => setAsking(null)}
        onProven={async () => {
          await bearer(true)
          await asking.call()
          setAsking(null)
        }}
      >
        Confirma que eres tú con tu contraseña.
      </ProveIdentity>
    ),
  }
}
