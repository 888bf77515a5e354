/** A device that staff share by PIN: changing the person, and locking it when it is not used. */
import { useEffect } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { DEVICE_IDLE_MINUTES } from '#contract/shared-device.ts'
import { api } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { alertFailure } from '#web/lib/errors.ts'

const USES = ['pointerdown', 'keydown', 'scroll'] as const
const CHECK_MS = 10_000

/** Loads the administration anew: what is in memory belongs to the person before. */
export function reloadAdministration(path?: string): void {
  if (path === undefined || path === location.pathname + location.search) location.reload()
  else location.assign(path)
}

/** "Cambiar de persona": locks the device until the next PIN. */
export async function changePerson(): Promise<void> {
  try {
    await api.sharedDevice.lock()
    reloadAdministration(adminPaths.home)
  } catch (error) {
    alertFailure(error)
  }
}

/** Locks a shared device after some minutes without use, also when it slept meanwhile. */
export function useIdleLock(isShared: boolean): void {
  useEffect(() => {
    if (!isShared) return
    let last = currentInstant().getTime()
    let locking = false
    const used = () => {
      if (!isIdle()) last = currentInstant().getTime()
    }
    const isIdle = () => currentInstant().getTime() - last >= DEVICE_IDLE_MINUTES * 60_000
    const check = () => {
      if (locking || !isIdle()) return
      locking = true
      api.sharedDevice.lock().then(
        () => reloadAdministration(),
        // Without a connection nothing can be done here either; it is tried again.
        () => {
          locking = false
        },
      )
    }
    for (const use of USES) addEventListener(use, used, { capture: true, passive: true })
    document.addEventListener('visibilitychange', check)
    const timer = setInterval(check, CHECK_MS)
    return () => {
      for (const use of USES) removeEventListener(use, used, { capture: true })
      document.removeEventListener('visibilitychange', check)
      clearInterval(timer)
    }
  }, [isShared])
}
