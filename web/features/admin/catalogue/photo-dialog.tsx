import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { MAX_PHOTO_ZOOM, type PhotoCrop } from '#contract/photo-crop.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { afterKey, clampCrop, portraitRect, storedSize } from './photo-crop.ts'
import './photo.css'

/** What is stored of a photo: the part that is seen, the whole one, and how the part was cut out. */
export interface StoredPhoto {
  photo: string
  photo_original: string
  photo_crop: PhotoCrop
}

interface PhotoDialogProps {
  /** The whole photo, decoded. */
  picture: ImageBitmap
  /** A chosen file that is not stored yet, or the address of the stored whole photo. */
  original: File | string
  crop: PhotoCrop
  onSaved: (stored: StoredPhoto) => void
  onClose: () => void
}

/** Cuts the portrait of a coach out of a photo: the face is pointed at, and enlarged. */
export default function PhotoDialog({ picture, original, crop: start, onSaved, onClose }: PhotoDialogProps) {
  const [crop, setCrop] = useState(start)
  const whole = useRef<HTMLCanvasElement>(null)
  const portrait = useRef<HTMLCanvasElement>(null)
  const disc = useRef<HTMLCanvasElement>(null)
  const help = useId()
  const rect = portraitRect(picture, crop)
  const shown = storedSize(rect)
  const set = (change: Partial<PhotoCrop>) => setCrop((before) => clampCrop({ ...before, ...change }))

  useEffect(() => {
    const scale = Math.min(1, 1_120 / picture.width)
    draw(
      whole.current,
      picture,
      { left: 0, top: 0, width: picture.width, height: picture.height },
      { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) },
    )
  }, [picture])
  useEffect(() => {
    const part = portraitRect(picture, crop)
    for (const canvas of [portrait.current, disc.current]) draw(canvas, picture, part, { width: 400, height: 490 })
  }, [picture, crop])

  const save = useMutation({
    meta: { handled: true },
    async mutationFn(): Promise<StoredPhoto> {
      const canvas = document.createElement('canvas')
      draw(canvas, picture, rect, shown)
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
      if (!blob) throw new Error('The picture could not be encoded.')
      const data = JSON.stringify({ is_public: true })
      const photo_original = typeof original === 'string' ? original : (await api.files.upload({ file: original, data })).file.src
      const part = await api.files.upload({ file: new File([blob], 'retrato.jpg', { type: 'image/jpeg' }), data })
      return { photo: part.file.src, photo_original, photo_crop: crop }
    },
    onSuccess: onSaved,
  })

  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    set({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height })
  }
  const share = (value: number, of: number) => `${(100 * value) / of}%`
  return (
    <Dialog
      open
      width="wide"
      onClose={save.isPending ? null : onClose}
      title="Recortar la foto"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Usar este recorte
          </Button>
        </>
      }
    >
      {save.isError && (
        <Banner tone="danger" live>
          {toFailure(save.error).message}
        </Banner>
      )}
      <p id={help} className="muted">
        Señala la cara. Con el teclado: flechas para moverla, + y – para acercarte.
      </p>
      <div className="photo-crop">
        <div
          className="photo-whole"
          role="slider"
          tabIndex={0}
          aria-label="Dónde está la cara"
          aria-describedby={help}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(crop.y * 100)}
          aria-valuetext={`${Math.round(crop.x * 100)} % desde la izquierda, ${Math.round(crop.y * 100)} % desde arriba`}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            point(event)
          }}
          onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && point(event)}
          onKeyDown={(event: KeyboardEvent) => {
            const next = afterKey(crop, event.key)
            if (!next) return
            event.preventDefault()
            setCrop(next)
          }}
        >
          <canvas ref={whole} />
          <span
            className="photo-part"
            style={{
              left: share(rect.left, picture.width),
              top: share(rect.top, picture.height),
              width: share(rect.width, picture.width),
              height: share(rect.height, picture.height),
            }}
          />
          <span className="photo-face" style={{ left: `${crop.x * 100}%`, top: `${crop.y * 100}%` }} />
        </div>
        <div className="photo-results">
          <figure>
            <canvas ref={portrait} className="photo-portrait" />
            <figcaption className="small muted">En tu sitio</figcaption>
          </figure>
          <figure>
            <canvas ref={disc} className="photo-disc" />
            <figcaption className="small muted">Junto a su nombre</figcaption>
          </figure>
        </div>
      </div>
      <label className="photo-zoom">
        <span className="strong">Acercar</span>
        <input
          type="range"
          min={1}
          max={MAX_PHOTO_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => set({ zoom: Number(event.currentTarget.value) })}
        />
      </label>
      {shown.height < 490 && (
        <p className="small" role="status">
          De tan cerca la foto se ve borrosa: mide {shown.width} × {shown.height} puntos.
        </p>
      )}
    </Dialog>
  )
}

function draw(
  canvas: HTMLCanvasElement | null,
  picture: ImageBitmap,
  from: { left: number; top: number; width: number; height: number },
  to: { width: number; height: number },
): void {
  if (!canvas) return
  canvas.width = to.width
  canvas.height = to.height
  const context = canvas.getContext('2d')
  if (!context) return
  // A transparent picture gets a white background, as in a JPEG viewer.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, to.width, to.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, from.left, from.top, from.width, from.height, 0, 0, to.width, to.height)
}
