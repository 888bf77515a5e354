import './offline-banner.css'
import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'

/** Told while there is no connection: what was asked waits, and what is seen may have changed since. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    hear,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div className="offline" role="status">
      {!online && (
        <p className="offline-words">
          <IconWifiOff className="icon" aria-hidden="true" />
          Estás sin conexión. Seguimos en cuanto vuelva.
        </p>
      )}
    </div>
  )
}

function hear(change: () => void): () => void {
  addEventListener('online', change)
  addEventListener('offline', change)
  return () => {
    removeEventListener('online', change)
    removeEventListener('offline', change)
  }
}
