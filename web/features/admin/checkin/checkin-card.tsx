import { IconScan } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatWall } from '#contract/time.ts'
import { type Checkin, checkinText, nameOf, RESULTS, reservationText } from './checkin-text.ts'
import './checkin.css'

/** The result of one scan, readable from a distance: colour, word, name, what is missing, and its buttons. */
export function CheckinCard({ checkin, children }: { checkin: Checkin; children?: ReactNode }) {
  const { tone, Icon } = RESULTS[checkin.result]
  const name = nameOf(checkin)
  const reservation = reservationText(checkin)
  return (
    <section className={`checkin checkin-${tone}`} aria-label="Resultado">
      <div className="checkin-head">
        <span aria-hidden="true" className="checkin-mark">
          <Icon className="icon" />
        </span>
        <div role="status">
          <p className="checkin-text">{checkinText(checkin)}</p>
          {name && <p className="checkin-name">{name}</p>}
          {/* Announced together with the result; the visible sentence below is hidden from screen readers. */}
          <span className="sr-only">{checkin.message}</span>
        </div>
      </div>
      <div className="checkin-about">
        {reservation && <p className="strong">{reservation}</p>}
        <p aria-hidden="true">{checkin.message}</p>
        {checkin.move_to && (
          <p>
            {checkin.move_to.class_type}, hoy a las {formatWall(checkin.move_to.class_date, 'hour')}: {checkin.move_to.places_left}{' '}
            {checkin.move_to.places_left === 1 ? 'lugar libre' : 'lugares libres'}. Moverla no gasta otra clase.
          </p>
        )}
      </div>
      <div className="checkin-verbs">
        {checkin.result === 'ok' && (
          <p className="checkin-next">
            <IconScan className="icon" aria-hidden="true" /> Sigue con quien viene
          </p>
        )}
        {children}
      </div>
    </section>
  )
}
