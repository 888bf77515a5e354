import './offline-banner.css'
import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'

/** Shown while there is no connection: the displayed data may be outdated. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div className="offline" role="status">
      {!online && (
        <p className="offline-text">
          <IconWifiOff className="icon" aria-hidden="true" />
          Estás sin conexión. Seguimos en cuanto vuelva.
        </p>
      )}
    </div>
  )
}

function subscribe(change: () => void): () => void {
  addEventListener('online', change)
  addEventListener('offline', change)
  return () => {
    removeEventListener('online', change)
    removeEventListener('offline', change)
  }
}
