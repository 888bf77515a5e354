import { useMutation, useQuery } from '@tanstack/react-query'
import type { ImportView } from '#contract/imports.ts'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { recordsText } from './import-text.ts'

interface UndoDialogProps {
  view: ImportView
  onView: (view: ImportView) => void
  onClose: () => void
}

/** Takes an import back, after saying how many rows go and which stay, with the reason. */
export default function UndoDialog({ view, onView, onClose }: UndoDialogProps) {
  const { import_id, kind } = view
  const trial = useQuery({
    queryKey: ['import-undo-trial', import_id],
    queryFn: () => api.imports.undo({ import_id, dry_run: true }),
    staleTime: 0,
    gcTime: 0,
    meta: { handled: true },
  })
  const undo = useMutation({
    meta: { handled: true },
    mutationFn: () => api.imports.undo({ import_id }),
    onSuccess: onView,
    onError: alertFailure,
  })
  const preview = trial.data?.preview
  return (
    <ConfirmDialog
      open
      title="Deshacer la importación"
      yes="Sí, deshacer"
      no="No, volver"
      onClose={onClose}
      onConfirm={async () => {
        await undo.mutateAsync().catch(() => undefined)
        onClose()
      }}
    >
      <p>Se borra lo que se importó y nadie ha usado ni cambiado. Quien ya reservó, compró o tiene cuenta se queda.</p>
      <Loaded
        query={trial}
        skeleton={<p className="muted">Contando lo que se deshace…</p>}
        failed="No pudimos contar lo que se deshace."
        nothing={null}
      >
        {preview && (
          <>
            <p className="strong">
              {preview.rows === 0
                ? 'En este momento no hay nada que deshacer.'
                : `${preview.rows === 1 ? 'Se deshace' : 'Se deshacen'} ${recordsText(kind, preview.rows)}.`}
            </p>
            {preview.stays.length > 0 && (
              <ul className="small">
                {preview.stays.map(({ message, rows }) => (
                  <li key={message}>
                    {rows === 1 ? 'Se queda' : 'Se quedan'} {recordsText(kind, rows)}: {message}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </ConfirmDialog>
  )
}
