import { IconCrop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { acceptedTypes } from '#contract/files.ts'
import type { PhotoCrop } from '#contract/photo-crop.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { WHOLE } from './photo-crop.ts'
import './photo.css'

const PhotoDialog = lazy(() => import('./photo-dialog.tsx'))

export interface CoachPhoto {
  photo: string | null
  photo_original: string | null
  photo_crop: PhotoCrop | null
}

interface PhotoFieldProps {
  value: CoachPhoto
  onChange: (value: CoachPhoto) => void
}

/** The photo of a coach: chosen, cut out around the face, cut out again from the whole one, or taken away. */
export function PhotoField({ value, onChange }: PhotoFieldProps) {
  const site = useSite()
  const [opened, setOpened] = useState<{ picture: ImageBitmap; original: File | string; crop: PhotoCrop } | null>(null)
  const [problem, setProblem] = useState<string>()
  const { photo, photo_original, photo_crop } = value
  /** Opens the dialog with a photo that this browser can decode. */
  const open = async (original: File | string, crop: PhotoCrop) => {
    setProblem(undefined)
    try {
      const file = typeof original === 'string' ? await (await fetch(fileUrl(site, original))).blob() : original
      setOpened({ picture: await createImageBitmap(file), original, crop })
    } catch {
      setProblem(
        typeof original === 'string'
          ? 'No pudimos abrir la foto guardada. Elígela otra vez.'
          : 'No pudimos abrir esa foto. Guárdala como JPG o PNG y elígela otra vez.',
      )
    }
  }
  const whole = photo_original ?? photo
  return (
    <div className="stack gap-8">
      <FileField
        label="Foto"
        name="photo"
        optional
        error={problem}
        hint="JPG o PNG. Después eliges qué parte se ve."
        accept={acceptedTypes('image')}
        chosen={null}
        onChoose={(file) => file && void open(file, WHOLE)}
        current={photo ? { name: 'Foto guardada', thumbnail: fileUrl(site, photo) } : null}
      />
      {photo && whole && (
        <div className="photo-verbs">
          <Button
            variant="outline"
            size="small"
            icon={<IconCrop className="icon" aria-hidden="true" />}
            onClick={() => void open(whole, photo_crop ?? WHOLE)}
          >
            Recortar
          </Button>
          <Button variant="quiet" size="small" onClick={() => onChange({ photo: null, photo_original: null, photo_crop: null })}>
            Quitar foto
          </Button>
        </div>
      )}
      {opened && (
        <Suspense>
          <PhotoDialog
            {...opened}
            onSaved={(stored) => {
              setOpened(null)
              onChange(stored)
            }}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
