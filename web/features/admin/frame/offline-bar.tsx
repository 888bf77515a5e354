import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'

function listen(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Above every screen while the device has no network: data may be old, and only the marks of a roster are stored. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {!isOnline && (
        <p className="offline-bar">
          <IconWifiOff className="icon" aria-hidden="true" />
          <span>
            <b>Sin conexión.</b> Ves lo último que se cargó, y por ahora nada se guarda; en la lista de una clase sí puedes marcar.
          </span>
        </p>
      )}
    </div>
  )
}
