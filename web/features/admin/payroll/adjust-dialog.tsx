import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'

interface AdjustDialogProps {
  period: string
  /** null: chosen in the dialog */
  coach: { instructor_id: number; name: string } | null
  onDone: () => void
  onClose: () => void
}

const AMOUNT = /^\d{1,6}(\.\d{1,2})?$/
type Direction = 'more' | 'less'

/** Adds an amount to what a coach is paid in a period, or takes it off, with a note. */
export function AdjustDialog({ period, coach, onDone, onClose }: AdjustDialogProps) {
  const coaches = useQuery({ ...queries.payrolls.accounts.queryOptions({ meta: { handled: true } }), enabled: coach === null })
  const [chosen, setChosen] = useState('')
  const instructor_id = coach?.instructor_id ?? Number(chosen)
  const [direction, setDirection] = useState<Direction>('more')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const problem =
    instructor_id === 0
      ? 'Elige a quién.'
      : !AMOUNT.test(amount) || Number(amount) === 0
        ? 'Escribe una cantidad, como 150 o 150.50.'
        : note.trim().length < 3
          ? 'Escribe por qué.'
          : null
  const adjust = useIdempotentMutation(api.payrolls.adjust, {
    onSuccess() {
      showAlert('success', 'Guardado.')
      onDone()
    },
    onError: () => undefined,
  })
  return (
    <Dialog
      open
      onClose={adjust.isPending ? null : onClose}
      title={coach ? `Ajustar a ${coach.name}` : 'Ajuste'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancelar
          </Button>
          <Button
            loading={adjust.isPending}
            reason={problem}
            onClick={() =>
              !problem &&
              adjust.mutate({
                period,
                instructor_id,
                note: note.trim(),
                // The API reads the amount that was typed.
                amount: `${direction === 'less' ? '-' : ''}${amount}` as never,
              })
            }
          >
            Guardar ajuste
          </Button>
        </>
      }
    >
      {adjust.isError && (
        <Banner tone="danger" live>
          {toFailure(adjust.error).message}
        </Banner>
      )}
      {!coach && (
        <Select label="Coach" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="">Elige a quién</option>
          {(coaches.data?.accounts ?? []).map((account) => (
            <option key={account.instructor_id} value={account.instructor_id}>
              {account.name}
            </option>
          ))}
        </Select>
      )}
      <Segmented
        label="Qué se hace"
        options={[
          { value: 'more', label: 'Sumar' },
          { value: 'less', label: 'Quitar' },
        ]}
        value={direction}
        onChange={setDirection}
      />
      <TextField
        label="Cantidad"
        inputMode="decimal"
        maxLength={10}
        before={<span className="muted">$</span>}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <TextField
        label="Por qué"
        maxLength={300}
        hint="El coach lo lee: “Taller del sábado”, “Préstamo”."
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  )
}
