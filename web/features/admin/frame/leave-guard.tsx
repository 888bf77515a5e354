import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '#web/ui/dialog.tsx'

/** Asks before a screen with changes that are not saved is left: by a link, the back button, a reload or closing the window. `within`: addresses that keep
 * the changes. */
export function LeaveGuard({ when, within }: { when: boolean; within?: (pathname: string) => boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname && !within?.(nextLocation.pathname),
  )
  useEffect(() => {
    if (!when) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [when])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      yes="Salir sin guardar"
      no="Seguir aquí"
      onClose={() => blocker.reset?.()}
      onConfirm={async () => blocker.proceed?.()}
    >
      Hay cambios sin guardar. ¿Quieres salir y perderlos?
    </ConfirmDialog>
  )
}
