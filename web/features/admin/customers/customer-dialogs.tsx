import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Penalty } from '#contract/attendance.ts'
import { success } from '#contract/copy/messages.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { showWithUndo } from '#web/features/admin/frame/act-undo.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useCustomerFile } from './use-customer-file.ts'

const PENALTIES_SETTING = adminPaths.setting('espera', 'unlimited_membership_penalties_enabled')

interface OfCustomer {
  customer_id: number
  onDone: () => void
  onClose: () => void
}

/** 'Restar clases': removes credits, from the lot that would be spent first (S1-7.13). */
export function RemoveClasses({ customer_id, available, onDone, onClose }: OfCustomer & { available: number }) {
  const [amount, setAmount] = useState('1')
  const [intention] = useState(newIdempotencyKey)
  const undo = useRef<ActUndo | null>(null)
  const count = Number(amount)
  const isCount = /^[1-9]\d{0,3}$/.test(amount) && count <= 1_000
  return (
    <ReasonDialog
      title="Restar clases"
      yes={isCount ? (count === 1 ? 'Restar 1 clase' : `Restar ${count} clases`) : 'Restar'}
      no="No restar"
      danger
      problem={isCount ? null : 'Escribe cuántas clases.'}
      consequence={isCount && count <= available ? `Le quedarán ${available - count}. Se restan de las que vencen primero.` : undefined}
      send={async (reason) => {
        undo.current = (await api.studioSales.removeClasses({ customer_id, amount: count, reason }, { context: { intention } })).undo
      }}
      onDone={() => {
        showWithUndo(success.classesRemoved, undo.current, onDone)
        onDone()
      }}
      onClose={onClose}
    >
      <TextField
        label="Cuántas"
        inputMode="numeric"
        hint={`Tiene ${available}.`}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
    </ReasonDialog>
  )
}

/** 'Penalizar': blocks bookings until a date. */
export function Penalise({ customer_id, onDone, onClose }: OfCustomer) {
  const staff = useStaff()
  const [until, setUntil] = useState('')
  return (
    <ReasonDialog
      title="Penalizar"
      yes="Sí, penalizar"
      no="No penalizar"
      danger
      consequence="No podrá reservar hasta ese día. Lo que ya reservó se conserva."
      steps={
        may(staff, 'settings.edit')
          ? {
              PENALTIES_DISABLED: (
                <Button as={AppLink} to={PENALTIES_SETTING} size="small" variant="outline">
                  Abrir el ajuste
                </Button>
              ),
            }
          : {}
      }
      send={(reason, how) => api.penalties.create({ customer_id, reason, ...(until ? { resumes_on: until } : {}) }, how)}
      onDone={() => {
        showAlert('success', 'Guardado.')
        onDone()
      }}
      onClose={onClose}
    >
      <TextField
        label="Puede reservar otra vez desde el"
        type="date"
        optional
        hint="Sin fecha, los días que dice tu configuración."
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </ReasonDialog>
  )
}

/** 'Perdonar': ends the penalty now; it stays in the history. */
export function Forgive({ penalty, onDone, onClose }: Omit<OfCustomer, 'customer_id'> & { penalty: Penalty }) {
  return (
    <ReasonDialog
      title="Perdonar la penalización"
      yes="Sí, perdonar"
      no="Dejarla hasta su fecha"
      consequence={`Podrá reservar desde ahora, y no hasta el ${formatWall(penalty.resumes_at, 'long')}.`}
      send={(reason) => api.penalties.forgive({ class_reservation_penalty_id: penalty.class_reservation_penalty_id, reason })}
      onDone={() => {
        showAlert('success', 'Guardado.')
        onDone()
      }}
      onClose={onClose}
    />
  )
}

/** 'Dar de baja': archives the customer until they come or buy again. */
export function Archive({ customer_id, onDone, onClose }: OfCustomer) {
  return (
    <ReasonDialog
      title="Dar de baja"
      yes="Sí, dar de baja"
      no="Dejarlo como está"
      danger
      consequence="Queda como Baja hasta que vuelva a venir o a comprar. Conserva su historia y lo que tiene."
      send={(reason) => api.customerRecords.archive({ customer_id, reason })}
      onDone={() => {
        showAlert('success', 'Guardado.')
        onDone()
      }}
      onClose={onClose}
    />
  )
}

/** Since when the customer is archived, and the button that restores them. */
export function ArchivedBanner({ customer_id, onDone }: Omit<OfCustomer, 'onClose'>) {
  const { zone } = useSite()
  const staff = useStaff()
  const at = useCustomerFile(customer_id).data?.archived_at
  const back = useMutation({
    meta: { handled: true },
    mutationFn: () => api.customerRecords.unarchive({ customer_id }),
    onSuccess() {
      showAlert('success', 'Guardado.')
      onDone()
    },
    onError: alertFailure,
  })
  if (!at) return null
  return (
    <div className="alert-row" role="note">
      <p className="grow">
        <b>Se dio de baja el {formatInstant(new Date(at), zone, 'date')}.</b>
      </p>
      {may(staff, 'customers.edit') && (
        <Button variant="outline" size="small" loading={back.isPending} onClick={() => back.mutate()}>
          Reactivar
        </Button>
      )}
    </div>
  )
}
