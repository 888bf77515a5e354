import { useMutation } from '@tanstack/react-query'
import type { PersonalDataFormat } from '#contract/customer-file.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface ExportPersonalDataProps {
  customer_id: number
  name: string
  onClose: () => void
}

/** 'Descargar sus datos': everything that the studio holds about a person, to read or for programs. */
export function ExportPersonalData({ customer_id, name, onClose }: ExportPersonalDataProps) {
  const exporting = useMutation({
    meta: { handled: true },
    mutationFn: (format: PersonalDataFormat) => api.customerFile.exportPersonalData({ customer_id, format }),
    onSuccess: (file) => {
      saveFile(file)
      showAlert('success', 'Descargamos sus datos.')
      onClose()
    },
  })
  const button = (format: PersonalDataFormat, label: string, variant: 'filled' | 'outline') => (
    <Button
      variant={variant}
      loading={exporting.isPending && exporting.variables === format}
      onClick={() => !exporting.isPending && exporting.mutate(format)}
    >
      {label}
    </Button>
  )
  return (
    <Dialog
      open
      onClose={exporting.isPending ? null : onClose}
      title={`Datos de ${name}`}
      actions={
        <>
          {button('json', 'Para programas (JSON)', 'outline')}
          {button('html', 'Para leer', 'filled')}
        </>
      }
    >
      {exporting.isError && (
        <Banner tone="danger" live>
          {toFailure(exporting.error).message}
        </Banner>
      )}
      <p>
        Perfil, respuestas, documentos aceptados, notas, reservaciones, créditos, compras, pagos y mensajes en un solo archivo, para quien
        pide ver lo que guardas de su persona. De los archivos que subió va la lista; descárgalos aparte.
      </p>
      <p className="muted">Las notas del equipo van incluidas. La descarga queda en la bitácora.</p>
    </Dialog>
  )
}
