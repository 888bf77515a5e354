import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptedTypes } from '#contract/files.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { FileField } from '#web/ui/file-field.tsx'

interface DownloadFieldProps {
  error: string | undefined
  /** address of the file; '' = none */
  value: string
  /** name of the file that is stored; null: not known */
  name: string | null
  onChange: (value: string) => void
}

/** The file that buyers of the package may download: uploaded unpublished as soon as it is chosen, and stored with the package. */
export function DownloadField({ error, value, name, onChange }: DownloadFieldProps) {
  const [chosen, setChosen] = useState<{ src: string; name: string } | null>(null)
  const upload = useMutation({
    meta: { handled: true },
    mutationFn: (file: File) => api.files.upload({ file }),
    onSuccess({ file }) {
      setChosen(file)
      onChange(file.src)
    },
  })
  const shown = chosen?.src === value ? chosen.name : name
  return (
    <div className="stack gap-8">
      <FileField
        label="Archivo para quien compra"
        name="downloadable"
        optional
        hint="PDF o imagen de hasta 10 MB. Solo lo descarga quien compró este paquete."
        error={upload.isError ? toFailure(upload.error).message : error}
        accept={acceptedTypes('document', 'image')}
        chosen={null}
        onChoose={(file) => file && upload.mutate(file)}
        current={
          upload.isPending ? { name: 'Subiendo…', thumbnail: null } : value ? { name: shown ?? 'Archivo guardado', thumbnail: null } : null
        }
      />
      {value && (
        <button type="button" className="link link-alone" onClick={() => onChange('')}>
          Quitar archivo
        </button>
      )}
    </div>
  )
}
