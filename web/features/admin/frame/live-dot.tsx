import { useLocation } from 'react-router'
import { PRESENCE_LINK } from '#contract/live.ts'
import { useLiveUpdates, usePresence } from './live.ts'
import './live-dot.css'

const LIVE = 'En vivo: los cambios de los demás se ven al momento'
const NOT_LIVE = 'Sin conexión en vivo: la pantalla se actualiza cada minuto'

/** The dot of the top bar: whether changes of others arrive at once. */
export function LiveDot() {
  const isLive = useLiveUpdates()
  const text = isLive ? LIVE : NOT_LIVE
  return <span role="img" className={`live-dot ${isLive ? 'live-dot-on' : ''}`} aria-label={text} title={text} />
}

const listFormat = new Intl.ListFormat('es-MX', { type: 'conjunction' })

/** "Diego también está editando": the others who have this record open. */
export function OthersHere() {
  const { pathname } = useLocation()
  const names = usePresence(PRESENCE_LINK.test(pathname) ? pathname : null)
  return (
    <p className="others-here" role="status">
      {names.length > 0 && `${listFormat.format(names)} también ${names.length === 1 ? 'está' : 'están'} editando.`}
    </p>
  )
}
