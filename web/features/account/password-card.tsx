import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProfileCard } from './profile-card.tsx'

const ChangePassword = lazyPart(() => import('./change-password.tsx'))

/** The password of the account, changed after the present one (S2-3.03, docs/domain.md P15). The form is loaded when it is opened. */
export function PasswordCard() {
  return (
    <ProfileCard
      title="Contraseña"
      change="Cambiar"
      edit={(done) => (
        <Suspense fallback={<Skeleton height="180px" />}>
          <ChangePassword onDone={done} />
        </Suspense>
      )}
    >
      <p>Con ella entras a tu cuenta.</p>
    </ProfileCard>
  )
}
