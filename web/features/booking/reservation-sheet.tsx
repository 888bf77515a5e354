import {
  IconArmchair,
  IconArrowsExchange,
  IconCalendarPlus,
  IconChevronRight,
  IconQrcode,
  IconRepeat,
  IconShare,
  IconStar,
  IconUserEdit,
  IconUserPlus,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { spotInSentence, spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { AddToCalendar } from '#web/features/calendar/add-to-calendar.tsx'
import { coachNames } from '#web/features/calendar/class-facts.ts'
import { useOtherHour } from '#web/features/calendar/use-other-hour.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { GuestInvite } from './guest-invite.tsx'
import { ReservationStatus } from './reservation-status.tsx'
import { isComing, type ReservationDialog } from './reservation-text.ts'
import './reservation-sheet.css'

interface ReservationSheetProps {
  row: Reservation
  show: (name: ReservationDialog, id: number) => void
  onClose: () => void
}

/** A reservation of the customer with all its possible actions, and the reason for each that is not possible. */
export function ReservationSheet({ row, show, onClose }: ReservationSheetProps) {
  const site = useSite()
  const [adding, setAdding] = useState(false)
  const [inviting, setInviting] = useState(false)
  const { single_class: cls, actions } = row
  const to = (name: ReservationDialog) => () => show(name, row.class_reservation_id)
  const coming = isComing(row)
  const zone = useOtherHour(cls.location_id)
  return (
    <Dialog open onClose={onClose} title={cls.class_type.name}>
      <div className="place-head">
        <p className="hour">{formatWall(cls.class_date, 'class')}</p>
        <ReservationStatus row={row} />
      </div>
      <DefinitionList
        items={[
          ['Coach', coachNames(cls)],
          [
            'Dónde',
            <>
              {[cls.location.name, zone].filter(Boolean).join(' · ')}
              {cls.location.address && <span className="small muted place-address">{cls.location.address}</span>}
            </>,
          ],
          ['Lugar', row.spot && spotName(row.spot, row.seat_label)],
          [
            'Invitado',
            row.guest && [row.guest, row.guest_spot && spotInSentence(row.guest_spot, row.guest_seat_label)].filter(Boolean).join(', '),
          ],
          ['Pagado con', row.paid_with],
        ]}
      />
      {row.cancelled_by === 'studio' && <Banner tone="warn">El estudio canceló esta clase y tu crédito regresó.</Banner>}
      <ul className="place-verbs" aria-label="Qué puedes hacer">
        {actions.rate && (
          <Verb icon={<IconStar className="icon" aria-hidden="true" />} onClick={to('calificar')}>
            Calificar clase
          </Verb>
        )}
        {actions.access_code && (
          <Verb icon={<IconQrcode className="icon" aria-hidden="true" />} onClick={to('codigo')}>
            Código de acceso
          </Verb>
        )}
        {coming && !row.guest && site.allow_class_guests && (
          <Verb
            icon={<IconUserPlus className="icon" aria-hidden="true" />}
            onClick={to('invitado')}
            {...(actions.add_guest ? {} : { note: 'Ahora no se puede: ver por qué' })}
          >
            Llevar un invitado
          </Verb>
        )}
        {coming && !row.guest && site.allow_class_guests && actions.add_guest && (
          <Verb
            icon={<IconShare className="icon" aria-hidden="true" />}
            onClick={() => setInviting(!inviting)}
            expanded={inviting}
            note="Un enlace con el que toma su lugar"
          >
            Ven conmigo
          </Verb>
        )}
        {inviting && (
          <li className="place-inside">
            <GuestInvite row={row} />
          </li>
        )}
        {coming && row.guest && (
          <Verb icon={<IconUserEdit className="icon" aria-hidden="true" />} onClick={to('invitado')} note="Cambiar su nombre o quitarlo">
            Mi invitado
          </Verb>
        )}
        {coming && row.spot && (
          <Verb icon={<IconArmchair className="icon" aria-hidden="true" />} onClick={to('asiento')}>
            Cambiar de lugar
          </Verb>
        )}
        {coming && (
          <>
            <Verb
              icon={<IconArrowsExchange className="icon" aria-hidden="true" />}
              onClick={to('cambiar')}
              note={actions.move ? 'En un paso, sin perder tu crédito' : 'Ya pasó el tiempo para cambiarla'}
            >
              Cambiar de clase
            </Verb>
            <Verb icon={<IconRepeat className="icon" aria-hidden="true" />} onClick={to('repetir')}>
              Repetir cada semana
            </Verb>
            <Verb icon={<IconCalendarPlus className="icon" aria-hidden="true" />} onClick={() => setAdding(!adding)} expanded={adding}>
              Agregar a mi calendario
            </Verb>
          </>
        )}
        {adding && (
          <li className="place-inside">
            <AddToCalendar row={row} />
          </li>
        )}
        {actions.cancel && (
          <Verb icon={<IconX className="icon" aria-hidden="true" />} onClick={to('cancelar')} danger>
            Cancelar mi lugar
          </Verb>
        )}
      </ul>
      {coming && !actions.cancel && row.why_not && <p className="small muted">{row.why_not.message}</p>}
    </Dialog>
  )
}

interface VerbProps {
  icon: ReactNode
  onClick: () => void
  note?: string
  danger?: boolean
  expanded?: boolean
  children: ReactNode
}

function Verb({ icon, onClick, note, danger = false, expanded, children }: VerbProps) {
  return (
    <li>
      <button type="button" className={`place-verb ${danger ? 'place-verb-danger' : ''}`} onClick={onClick} aria-expanded={expanded}>
        {icon}
        <span className="grow">
          {children}
          {note && <small>{note}</small>}
        </span>
        <IconChevronRight className="icon place-verb-go" aria-hidden="true" />
      </button>
    </li>
  )
}
