import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Video } from '#contract/videos.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { StarRating, Stars } from '#web/ui/stars.tsx'
import { withVideo } from './known-videos.ts'

const COMMENT_LENGTH = 1_000

/**
 * The viewer's stars and comment for a video, once they have watched some of it (S2-1.06, S2-7.22). `isRequested`: opened by an email that
 * requests it.
 */
export function VideoRating({ video, isRequested }: { video: Video; isRequested: boolean }) {
  const [open, setOpen] = useState(isRequested)
  const part = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isRequested) return
    part.current?.scrollIntoView({ block: 'center' })
    part.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isRequested])
  const { rating } = video
  return (
    <section ref={part} className="card padded video-rating" aria-labelledby="calificar">
      <h2 id="calificar" className="t4 display">
        {rating ? 'Tu calificación' : '¿Qué te pareció?'}
      </h2>
      {rating && !open ? (
        <>
          <StarRating value={rating.stars} />
          {rating.comment && <p className="video-comment">{rating.comment}</p>}
          <Button variant="outline" size="small" onClick={() => setOpen(true)}>
            Cambiar calificación
          </Button>
        </>
      ) : (
        <RatingForm video={video} onDone={() => setOpen(false)} />
      )}
    </section>
  )
}

function RatingForm({ video, onDone }: { video: Video; onDone: () => void }) {
  const client = useQueryClient()
  const [stars, setStars] = useState(video.rating?.stars ?? 0)
  const [comment, setComment] = useState(video.rating?.comment ?? '')
  const rate = useMutation({
    meta: { handled: true },
    mutationFn: () => api.videos.rate({ video_id: video.video_id, stars, comment: comment.trim() }),
    onSuccess({ rating }) {
      showAlert('success', 'Gracias por calificar este video.')
      client.setQueriesData({ queryKey: queries.videos.key() }, (known: unknown) =>
        withVideo(known, video.video_id, (row) => ({ ...row, rating: { stars: rating.stars, comment: rating.comment } })),
      )
      onDone()
    },
  })
  return (
    <>
      <Stars legend={<span className="sr-only">Este video</span>} value={stars} onChange={setStars} />
      {stars > 0 && (
        <>
          <TextArea
            label="Comentario"
            name="comment"
            optional
            maxLength={COMMENT_LENGTH}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          {rate.error && (
            <Banner tone="danger" live>
              {toFailure(rate.error).message}
            </Banner>
          )}
          <span className="row wraps gap-8">
            {video.rating && (
              <Button variant="outline" size="small" disabled={rate.isPending} onClick={onDone}>
                Cancelar
              </Button>
            )}
            <Button size="small" loading={rate.isPending} onClick={() => rate.mutate()}>
              Enviar
            </Button>
          </span>
        </>
      )}
    </>
  )
}
