import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'

/** The note of a sale, with the button to write it. */
export function NotePart({ note, onWrite }: { note: string | null; onWrite: () => void }) {
  return (
    <section className="panel-card" aria-labelledby="nota">
      <div className="panel-head">
        <h2 id="nota" className="t3">
          Nota
        </h2>
        <Button variant="outline" size="small" onClick={onWrite}>
          {note ? 'Cambiar nota' : 'Escribir nota'}
        </Button>
      </div>
      <p className={`panel-body sale-note ${note ? '' : 'muted'}`}>{note ?? 'Sin nota. Solo la ve quien trabaja en el estudio.'}</p>
    </section>
  )
}

/** Writes the note of a sale; an empty one removes it. */
export function NoteDialog({
  purchase_id,
  note,
  onDone,
  onClose,
}: {
  purchase_id: number
  note: string | null
  onDone: () => void
  onClose: () => void
}) {
  const [text, setText] = useState(note ?? '')
  const saving = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioSales.note({ purchase_id, note: text.trim() || null }),
    onSuccess() {
      showAlert('success', 'Guardado.')
      onDone()
    },
  })
  return (
    <Dialog
      open
      onClose={saving.isPending ? null : onClose}
      title="Nota de la venta"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No guardar
          </Button>
          <Button loading={saving.isPending} onClick={() => saving.mutate()}>
            Guardar nota
          </Button>
        </>
      }
    >
      {saving.isError && (
        <Banner tone="danger" live>
          {toFailure(saving.error).message}
        </Banner>
      )}
      <TextArea
        label="Nota"
        rows={4}
        optional
        maxLength={1000}
        hint="Los cambios quedan en la bitácora con quién y cuándo."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Dialog>
  )
}
