import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RosterReservation } from '#contract/attendance.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { useRosterChanged } from './use-roster.ts'

/** Writes a note about a customer; on a roster it is for the coaches unless that is switched off. */
export default function WriteNote({ row, onClose, onBack }: { row: RosterReservation; onClose: () => void; onBack: () => void }) {
  const changed = useRosterChanged()
  const [text, setText] = useState('')
  const [for_coaches, setForCoaches] = useState(true)
  const [intention] = useState(newIdempotencyKey)
  const saving = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.customerFile.addNote({ customer_id: row.customer_id, text: text.trim(), for_coaches }, { context: { intention } }),
    onSuccess() {
      showAlert('success', 'Guardado.')
      onClose()
    },
    onSettled: changed,
  })
  const missing = text.trim() ? null : 'Escribe la nota.'
  return (
    <Dialog
      open
      onClose={saving.isPending ? null : onClose}
      title={`Nota de ${row.name}`}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Volver
          </Button>
          <Button loading={saving.isPending} reason={missing} onClick={() => !missing && saving.mutate()}>
            Guardar
          </Button>
        </>
      }
    >
      {saving.isError && (
        <Banner tone="danger" live>
          {toFailure(saving.error).message}
        </Banner>
      )}
      <TextArea label="Nota" rows={3} maxLength={2_000} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <Switch checked={for_coaches} onChange={(event) => setForCoaches(event.currentTarget.checked)}>
        Visible para coaches
      </Switch>
    </Dialog>
  )
}
