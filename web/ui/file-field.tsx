import { IconUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { buttonClass } from './button.tsx'
import { Field, type FieldTexts } from './field.tsx'
import './file-field.css'

interface FileFieldProps extends FieldTexts {
  name: string
  /** MIME types, as `accept` takes them */
  accept: string
  /** the newly chosen file; it is uploaded when the form is saved */
  chosen: File | null
  onChoose: (file: File | null) => void
  /** several files may be chosen at once: those beside the first one */
  more?: { chosen: readonly File[]; onChoose: (files: readonly File[]) => void }
  /** the file that is stored already: its name, and a picture of 100 x 100 px */
  current?: { name: string; thumbnail: string | null } | null
  /** shows the chosen picture before the upload; the page's CSP must allow `blob:` images */
  preview?: boolean
}

/** A file or picture: chosen here, uploaded with the rest of the form (S2-4.30, S2-9.12). */
export function FileField({
  label,
  hint,
  error,
  optional,
  name,
  accept,
  chosen,
  onChoose,
  current = null,
  preview = false,
  more,
}: FileFieldProps) {
  const shown = useObjectUrl(preview && chosen?.type.startsWith('image/') ? chosen : null)
  const picture = chosen ? shown : (current?.thumbnail ?? null)
  const fileNames = (chosen ? [chosen, ...(more?.chosen ?? [])].map(({ name }) => name).join(', ') : current?.name) ?? null
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="file-field">
          {picture && <img className="file-thumb" src={picture} alt="" width={100} height={100} />}
          <input
            type="file"
            {...control}
            name={name}
            accept={accept}
            multiple={more !== undefined}
            onChange={(event) => {
              const [file, ...others] = event.currentTarget.files ?? []
              if (!file) return
              onChoose(file)
              more?.onChoose(others)
            }}
          />
          <span className={buttonClass({ variant: 'outline', size: 'small' })} aria-hidden="true">
            <span className="btn-label">
              <IconUpload className="icon" aria-hidden="true" />
              {fileNames ? 'Cambiar' : more ? 'Elegir archivos' : 'Elegir archivo'}
            </span>
          </span>
          {fileNames && <span className="file-name small">{fileNames}</span>}
        </span>
      )}
    </Field>
  )
}

/** An object URL of a file that is not uploaded yet; revoked when it is no longer shown. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setUrl(null)
    const url = URL.createObjectURL(file)
    setUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return url
}
