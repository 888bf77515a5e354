import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'

interface ApproveCountProps {
  cash_session_id: number
  onDone: () => void
  onClose: () => void
}

/** Approves a count for good, with an optional note for the books. */
export function ApproveCount({ cash_session_id, onDone, onClose }: ApproveCountProps) {
  const [note, setNote] = useState('')
  const approve = useMutation({
    mutationFn: () => api.cashSessions.approve({ cash_session_id, note: note.trim() || null }),
    onSuccess: onDone,
    onError: () => undefined,
  })
  return (
    <Dialog
      open
      onClose={approve.isPending ? null : onClose}
      title="Aprobar corte"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancelar
          </Button>
          <Button loading={approve.isPending} onClick={() => approve.mutate()}>
            Aprobar corte
          </Button>
        </>
      }
    >
      {approve.isError && (
        <Banner tone="danger" live>
          {toFailure(approve.error).message}
        </Banner>
      )}
      <TextArea label="Nota (opcional)" rows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <Banner tone="warn">Un corte aprobado ya no se puede abrir de nuevo.</Banner>
    </Dialog>
  )
}
