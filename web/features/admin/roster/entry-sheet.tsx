import { IconBrandWhatsapp, IconCash, IconCheck, IconNote, IconPhone, IconUser, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RosterReservation } from '#contract/attendance.ts'
import { success } from '#contract/copy/messages.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatPesos } from '#contract/money.ts'
import { whatsappLink } from '#contract/phone.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf } from '#web/features/admin/people/paid-with.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import type { RosterEntry } from './roster-entries.ts'
import { useRosterChanged } from './use-roster.ts'

interface EntrySheetProps {
  entry: RosterEntry
  /** the customer's own reservation, which a guest's belongs to */
  row: RosterReservation
  /** where the class is, for money that is received here */
  location_id: number | null
  /** null: nobody can be marked now */
  onMark: ((mark: { attend: boolean | null; excuse?: string }) => void) | null
  onClose: () => void
}

type Step = 'person' | 'cancel' | 'pay' | 'excuse'

/** What can be done with somebody of the list: call, receive money, excuse, cancel. */
export default function EntrySheet(props: EntrySheetProps) {
  const [step, setStep] = useState<Step>('person')
  const back = () => setStep('person')
  if (step === 'cancel') return <CancelReservation {...props} onBack={back} />
  if (step === 'pay') return <ReceiveMoney {...props} onBack={back} />
  if (step === 'excuse') return <Excuse {...props} onBack={back} />
  return <Person {...props} onStep={setStep} />
}

function Person({ entry, row, onMark, onClose, onStep }: EntrySheetProps & { onStep: (step: Step) => void }) {
  const staff = useStaff()
  const canBook = may(staff, 'roster.all')
  const phone = entry.isGuest ? null : row.phone
  return (
    <Dialog open onClose={onClose} title={entry.name}>
      <p className="muted">{[entry.spot && spotName(entry.spot), row.paid_with].filter(Boolean).join(' · ')}</p>
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
      {(phone || canBook) && (
        <div className="row gap-8 wraps">
          {phone && (
            <>
              <a className={buttonClass({ variant: 'outline', size: 'small' })} href={`tel:${phone}`}>
                <IconPhone className="icon" aria-hidden="true" /> Llamar
              </a>
              <a className={buttonClass({ variant: 'outline', size: 'small' })} href={whatsappLink(phone)} target="_blank" rel="noopener">
                <IconBrandWhatsapp className="icon" aria-hidden="true" /> WhatsApp
              </a>
            </>
          )}
          {canBook && (
            <AppLink className={buttonClass({ variant: 'outline', size: 'small' })} to={adminPaths.customer(entry.customer_id)}>
              <IconUser className="icon" aria-hidden="true" /> Ver ficha
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

/** Gives the place up for them: whether the credit comes back is said before. */
function CancelReservation({ entry, row, onClose, onBack }: EntrySheetProps & { onBack: () => void }) {
  const changed = useRosterChanged()
  const [credit, setCredit] = useState<'return' | 'keep'>('return')
  const [reason, setReason] = useState('')
  const cancel = useMutation({
    meta: { handled: true },
    mutationFn: () => api.attendance.cancel({ class_reservation_id: String(row.class_reservation_id), reason: reason.trim(), credit }),
    onSuccess() {
      showAlert('success', success.reservationCancelled)
      onClose()
    },
    onSettled: changed,
  })
  const tooShort = reason.trim().length < 3
  return (
    <Dialog
      open
      onClose={cancel.isPending ? null : onClose}
      title="Cancelar su lugar"
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            No, conservarlo
          </Button>
          <Button
            variant="danger"
            loading={cancel.isPending}
            reason={tooShort ? 'Escribe el motivo.' : null}
            onClick={() => !tooShort && cancel.mutate()}
          >
            Sí, cancelar
          </Button>
        </>
      }
    >
      <p>
        {row.name} {row.last_name}
        {row.guest ? `, con ${row.guest}. También se libera el lugar de su invitado.` : ''}
        {entry.isGuest && !row.guest ? entry.name : ''}
      </p>
      {cancel.isError && (
        <Banner tone="danger" live>
          {failureOf(cancel.error).message}
        </Banner>
      )}
      {!row.is_cash && (
        <RadioCards
          legend="Su clase"
          options={[
            { value: 'return', title: 'Se le regresa', detail: 'Podrá usarla en otra clase.' },
            { value: 'keep', title: 'No se le regresa', detail: 'Cuenta como cancelación tardía.' },
          ]}
          value={credit}
          onChange={setCredit}
        />
      )}
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}

/** The money of a place that was owed. */
function ReceiveMoney({ row, location_id, onClose, onBack }: EntrySheetProps & { onBack: () => void }) {
  const changed = useRosterChanged()
  const [paid, setPaid] = useState<PaidWith>({ ...BY_DEFAULT, location_id })
  const owed = row.owed ?? '0.00'
  const receive = useIdempotentMutation(api.attendance.paid, {
    onSuccess() {
      showAlert('success', `Cobro de ${formatPesos(owed)} registrado.`)
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
  return (
    <Dialog
      open
      onClose={receive.isPending ? null : onClose}
      title={`Recibir ${formatPesos(owed)}`}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Todavía no
          </Button>
          <Button
            loading={receive.isPending}
            onClick={() => receive.mutate({ class_reservation_id: row.class_reservation_id, amount: owed, ...receivedOf(paid) })}
          >
            Recibí {formatPesos(owed)}
          </Button>
        </>
      }
    >
      <p>
        De {row.name} {row.last_name}.
      </p>
      {receive.isError && <CounterRefusal error={receive.error} location_id={paid.location_id} onOpened={receive.reset} />}
      <PaidWithFields value={paid} onChange={setPaid} />
    </Dialog>
  )
}

/** Not coming does not count, and why. */
function Excuse({ entry, row, onMark, onClose, onBack }: EntrySheetProps & { onBack: () => void }) {
  const [reason, setReason] = useState(row.excuse ?? '')
  const tooShort = reason.trim().length < 3
  return (
    <Dialog
      open
      onClose={onClose}
      title="Justificar la falta"
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Volver
          </Button>
          <Button
            reason={tooShort ? 'Escribe el motivo.' : null}
            onClick={() => {
              if (tooShort) return
              onMark?.({ attend: false, excuse: reason.trim() })
              onClose()
            }}
          >
            Justificar
          </Button>
        </>
      }
    >
      <p>{entry.name} no cuenta como inasistencia: no suma para una penalización.</p>
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}
