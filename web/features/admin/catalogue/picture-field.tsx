import { useMutation } from '@tanstack/react-query'
import { acceptedTypes } from '#contract/files.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { FileField } from '#web/ui/file-field.tsx'

interface PictureFieldProps {
  label: string
  name: string
  hint?: string | undefined
  error: string | undefined
  optional: boolean
  value: string
  onChange: (value: string) => void
}

/** A picture of the site: uploaded as soon as it is chosen, stored with the record. */
export function PictureField({ value, onChange, error, ...field }: PictureFieldProps) {
  const upload = useMutation({
    meta: { handled: true },
    mutationFn: (file: File) => api.files.upload({ file, data: JSON.stringify({ is_public: true }) }),
    onSuccess: ({ file }) => onChange(file.src),
  })
  const problem = upload.isError ? toFailure(upload.error).message : error
  return (
    <div className="stack gap-8">
      <FileField
        {...field}
        error={problem}
        accept={acceptedTypes('image')}
        chosen={null}
        onChoose={(file) => file && upload.mutate(file)}
        current={value ? { name: upload.isPending ? 'Subiendo…' : 'Imagen guardada', thumbnail: value } : null}
      />
      {value && (
        <button type="button" className="link link-alone" onClick={() => onChange('')}>
          Quitar imagen
        </button>
      )}
    </div>
  )
}
