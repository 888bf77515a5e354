import { IconHeart } from '@tabler/icons-react'
import type { Video } from '#contract/videos.ts'
import { useFavourite } from './use-favourite.ts'
import './heart.css'

/** The favourite button of a video. `framed`: with a border, for use beside a button. */
export function Heart({ video, framed = false }: { video: Video; framed?: boolean }) {
  const turn = useFavourite()
  return (
    <button
      type="button"
      className={`heart ${framed ? 'heart-framed' : ''}`}
      aria-pressed={video.favorite === 1}
      aria-label={`Favorito: ${video.name}`}
      onClick={() => turn(video)}
    >
      <span>
        <IconHeart aria-hidden="true" />
      </span>
    </button>
  )
}
