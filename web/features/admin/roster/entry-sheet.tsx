import {
  IconArmchair,
  IconArrowsExchange,
  IconBrandWhatsapp,
  IconCash,
  IconCheck,
  IconHeartbeat,
  IconNote,
  IconPencil,
  IconPhone,
  IconRepeat,
  IconUser,
  IconUserMinus,
  IconUserPlus,
  IconX,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatPesos } from '#contract/money.ts'
import { whatsappLink } from '#contract/phone.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { BringGuest, ChangeSpot, MoveReservation, RemoveGuest } from './change-verbs.tsx'
import { CancelReservation, Excuse, ReceiveMoney } from './reservation-verbs.tsx'
import type { RosterEntry } from './roster-entries.ts'

const WriteNote = lazy(() => import('./note-verb.tsx'))
const HealthAnswers = lazy(() => import('./health-verb.tsx'))
const RepeatReservation = lazy(() => import('./repeat-verb.tsx'))

interface EntrySheetProps {
  cls: RosterClass
  entries: readonly RosterEntry[]
  entry: RosterEntry
  /** the customer's own reservation, which a guest's belongs to */
  row: RosterReservation
  /** the location of the class, for money that is received here */
  location_id: number | null
  /** null: attendance cannot be marked now */
  onMark: ((mark: { attend: boolean | null; excuse?: string }) => void) | null
  onClose: () => void
}

type Step = 'person' | 'cancel' | 'pay' | 'excuse' | 'spot' | 'guest' | 'no-guest' | 'move' | 'repeat' | 'note' | 'health'

/** The actions on an entry of the roster: call, receive money, excuse, change, cancel. */
export default function EntrySheet(props: EntrySheetProps) {
  const [step, setStep] = useState<Step>('person')
  const back = () => setStep('person')
  if (step === 'cancel') return <CancelReservation {...props} onBack={back} />
  if (step === 'pay') return <ReceiveMoney {...props} onBack={back} />
  if (step === 'excuse' && props.onMark) return <Excuse {...props} name={props.entry.name} onMark={props.onMark} onBack={back} />
  if (step === 'spot') return <ChangeSpot {...props} onBack={back} />
  if (step === 'guest') return <BringGuest {...props} onBack={back} />
  if (step === 'no-guest') return <RemoveGuest {...props} onBack={back} />
  if (step === 'note')
    return (
      <Suspense>
        <WriteNote {...props} onBack={back} />
      </Suspense>
    )
  if (step === 'health')
    return (
      <Suspense>
        <HealthAnswers {...props} onBack={back} />
      </Suspense>
    )
  if (step === 'repeat')
    return (
      <Suspense>
        <RepeatReservation {...props} onBack={back} />
      </Suspense>
    )
  if (step === 'move') return <MoveReservation {...props} onBack={back} />
  return <Person {...props} onStep={setStep} />
}

function Person({ cls, entry, row, onMark, onClose, onStep }: EntrySheetProps & { onStep: (step: Step) => void }) {
  const staff = useStaff()
  const canBook = may(staff, 'roster.all')
  const now = useNow()
  const canChange = canBook && !cls.cancelled && Date.parse(cls.ends_at) > now
  const phone = entry.isGuest ? null : row.phone
  return (
    <Dialog open onClose={onClose} title={entry.name}>
      <p className="muted">{[entry.spot && spotName(entry.spot, entry.seatLabel), row.paid_with].filter(Boolean).join(' · ')}</p>
      {entry.facts.length > 0 && (
        <p className="entry-facts">
          {entry.facts.map((fact) => (
            <Badge key={fact.kind} tone={fact.tone}>
              {fact.text}
            </Badge>
          ))}
        </p>
      )}
      {row.attend === false && row.excuse && !entry.isGuest && <p>Falta justificada: {row.excuse}</p>}
      {!entry.isGuest && row.notes.length > 0 && (
        <ul className="entry-notes" aria-label="Notas">
          {row.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {(phone || canBook) && (
        <div className="row gap-8 wraps">
          {phone && (
            <>
              <a className={buttonClass({ variant: 'outline', size: 'small' })} href={`tel:${phone}`}>
                <span className="btn-label">
                  <IconPhone className="icon" aria-hidden="true" /> Llamar
                </span>
              </a>
              <a className={buttonClass({ variant: 'outline', size: 'small' })} href={whatsappLink(phone)} target="_blank" rel="noopener">
                <span className="btn-label">
                  <IconBrandWhatsapp className="icon" aria-hidden="true" /> WhatsApp
                </span>
              </a>
            </>
          )}
          {canBook && (
            <AppLink className={buttonClass({ variant: 'outline', size: 'small' })} to={adminPaths.customer(entry.customer_id)}>
              <span className="btn-label">
                <IconUser className="icon" aria-hidden="true" /> Ver ficha
              </span>
            </AppLink>
          )}
        </div>
      )}
      <ul className="sheet-verbs">
        {canBook && row.owed && (
          <Verb Icon={IconCash} onClick={() => onStep('pay')}>
            Recibir {formatPesos(row.owed)}
          </Verb>
        )}
        {onMark && (
          <>
            <Verb Icon={IconCheck} onClick={() => [onMark({ attend: entry.attend === true ? null : true }), onClose()]}>
              {entry.attend === true ? 'Quitar «llegó»' : 'Llegó'}
            </Verb>
            <Verb Icon={IconX} onClick={() => [onMark({ attend: entry.attend === false ? null : false }), onClose()]}>
              {entry.attend === false ? 'Quitar «no asistió»' : 'No asistió'}
            </Verb>
            <Verb Icon={IconNote} onClick={() => onStep('excuse')}>
              Justificar la falta
            </Verb>
          </>
        )}
        {!entry.isGuest && row.health && (
          <Verb Icon={IconHeartbeat} onClick={() => onStep('health')}>
            Ver lo que dijo de su salud
          </Verb>
        )}
        {!entry.isGuest && may(staff, 'customers.edit') && (
          <Verb Icon={IconPencil} onClick={() => onStep('note')}>
            Escribir una nota
          </Verb>
        )}
        {canChange && cls.spot_map && (
          <Verb Icon={IconArmchair} onClick={() => onStep('spot')}>
            Cambiar de lugar
          </Verb>
        )}
        {canChange && !row.guest && (
          <Verb Icon={IconUserPlus} onClick={() => onStep('guest')}>
            Agregar un invitado
          </Verb>
        )}
        {canChange && row.guest && (
          <Verb Icon={IconUserMinus} onClick={() => onStep('no-guest')}>
            Quitar al invitado
          </Verb>
        )}
        {canChange && !entry.isGuest && (
          <Verb Icon={IconArrowsExchange} onClick={() => onStep('move')}>
            Mover a otra clase
          </Verb>
        )}
        {canBook && !cls.cancelled && !entry.isGuest && (
          <Verb Icon={IconRepeat} onClick={() => onStep('repeat')}>
            Repetir cada semana
          </Verb>
        )}
        {canBook && (
          <Verb Icon={IconX} danger onClick={() => onStep('cancel')}>
            Cancelar su lugar
          </Verb>
        )}
      </ul>
    </Dialog>
  )
}

function Verb({
  Icon,
  danger = false,
  onClick,
  children,
}: {
  Icon: typeof IconX
  danger?: boolean
  onClick: () => void
  children: string | string[]
}) {
  return (
    <li>
      <button type="button" className={`sheet-verb ${danger ? 'sheet-verb-danger' : ''}`} onClick={onClick}>
        <Icon className="icon" aria-hidden="true" />
        <span>{children}</span>
      </button>
    </li>
  )
}
