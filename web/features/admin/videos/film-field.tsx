import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptedTypes } from '#contract/files.ts'
import { toFailure } from '#web/lib/errors.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { FileField } from '#web/ui/file-field.tsx'

interface FilmFieldProps {
  label: string
  name: string
  hint: string
  optional?: boolean
  error: string | undefined
  /** the stored file, shown below the field */
  film: { name: string; src: string } | null
  /** the largest file in megabytes, and the sentence for a larger one */
  limit?: { megabytes: number; message: string }
  /** uploads the chosen file and puts it into the form; `onProgress`: from 0 to 1 */
  store: (chosen: File, onProgress: (part: number) => void) => Promise<void>
}

/** A field for a video file, which is uploaded as soon as it is chosen. */
export function FilmField({ film, store, limit, error, ...field }: FilmFieldProps) {
  const site = useSite()
  const [part, setPart] = useState(0)
  const upload = useMutation({
    meta: { handled: true },
    mutationFn: (chosen: File) => {
      setPart(0)
      return store(chosen, setPart)
    },
  })
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = (chosen: File) => {
    const large = limit !== undefined && chosen.size > limit.megabytes * 1_048_576
    setTooLarge(large)
    if (!large) upload.mutate(chosen)
  }
  const percent = Math.round(part * 100)
  return (
    <>
      <FileField
        {...field}
        accept={acceptedTypes('video')}
        error={isTooLarge ? limit?.message : upload.isError ? toFailure(upload.error).message : error}
        chosen={null}
        onChoose={(file) => file && choose(file)}
        current={upload.isPending ? { name: 'Subiendo…', thumbnail: null } : film && { name: film.name, thumbnail: null }}
      />
      {upload.isPending && (
        <div className="video-upload-progress">
          <progress aria-label="Subiendo el video" max={100} value={percent} />
          <span className="small muted">{percent} %</span>
        </div>
      )}
      {film && !upload.isPending && (
        // biome-ignore lint/a11y/useMediaCaption: staff check that their own file plays; captions are part of what they upload
        <video className="video-preview" controls preload="metadata" src={fileUrl(site, film.src)} />
      )}
    </>
  )
}
