import { IconCheck, IconLock } from '@tabler/icons-react'
import { type CSSProperties, memo } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { VIDEO_CARD, type Video } from '#contract/videos.ts'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Heart } from './heart.tsx'
import { cutAtWord, remainingText } from './video-text.ts'
import './video-card.css'

/** Backgrounds of drawings by index: no two neighbours are equal in one, two or four columns. */
const GROUNDS = ['stage', 'soft', 'accent', 'brand', 'soft', 'stage', 'brand', 'accent'] as const

/** The seed of the drawing for a video without a picture: its name and type, which may name a movement, and its id. */
export const drawnBy = ({ name, class_type, video_id }: { name: string; class_type: { name: string } | null; video_id: number }): string =>
  slugOfName([name, class_type?.name ?? '', String(video_id)].join(' '))

/** The picture of a video, or a drawing on a background. Decorative, because the title is beside it. */
export function VideoPicture({ video, at, children }: { video: Video; at: number; children?: React.ReactNode }) {
  const site = useSite()
  const ground = GROUNDS[at % GROUNDS.length] ?? 'stage'
  return (
    <div className={`video-picture ground-${ground} ${video.thumbnail ? '' : 'video-drawn'}`}>
      {video.thumbnail ? (
        <img src={fileUrl(site, video.thumbnail)} alt="" width={640} height={416} loading="lazy" decoding="async" />
      ) : (
        <Art kind="clase" seed={drawnBy(video)} ground={ground} floorless width={640} height={416} />
      )}
      {children}
    </div>
  )
}

interface VideoCardProps {
  video: Video
  /** its index in the list */
  at: number
  /** level of the heading in its page */
  level?: 2 | 3
  /** not published yet: no link, but its date */
  coming?: boolean
  /** without access: its price, or '' when there is nothing to buy */
  price?: string | null
}

/** A video in a list (design "Video card"): picture, minutes, favourite, shortened title and description, coach. */
export const VideoCard = memo(function VideoCard({ video, at, level = 3, coming = false, price = null }: VideoCardProps) {
  const Title = `h${level}` as const
  const title = cutAtWord(video.name, VIDEO_CARD.title)
  return (
    <article className="video-card">
      <VideoPicture video={video} at={at}>
        <span className="video-length">{video.duration} min</span>
        {price !== null && (
          <span className="video-price">
            <IconLock className="icon" aria-label="Con paquete" role="img" />
            {price && `Desde ${price}`}
          </span>
        )}
        {video.progress && <VideoProgress {...video.progress} />}
      </VideoPicture>
      {!coming && <Heart video={video} />}
      <Title className="video-title">
        {coming ? (
          title
        ) : (
          <AppLink to={paths.mystudio.video(video.video_id)} aria-label={title === video.name ? undefined : video.name}>
            {title}
          </AppLink>
        )}
      </Title>
      {video.description && <p className="small muted video-text">{cutAtWord(video.description, VIDEO_CARD.description)}</p>}
      <p className="video-by">
        {video.progress && <span className="strong">{remainingText(video.duration, video.progress)}</span>}
        {coming && <span className="strong">{formatWall(video.publish_date, 'class')}</span>}
        {video.instructor && (
          <>
            <CoachAvatar coach={video.instructor} size={24} />
            {instructorName(video.instructor)}
          </>
        )}
        {video.completed && (
          <Badge tone="ok" icon={<IconCheck className="icon" aria-hidden="true" />}>
            Completado
          </Badge>
        )}
      </p>
    </article>
  )
})

/** How far the viewer is, as a bar; its words are below the picture. */
function VideoProgress({ position, length }: { position: number; length: number }) {
  return <span className="video-progress" aria-hidden="true" style={{ '--part': `${(100 * position) / length}%` } as CSSProperties} />
}

/** The outline of one or two rows of cards. */
export function VideoCardsSkeleton({ count = 8 }: { count?: number }) {
  return (
    <div className="video-grid">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an outline is nothing but its place
        <div key={at} className="video-card">
          <div className="video-picture">
            <Skeleton height="100%" />
          </div>
          <div className="stack gap-8">
            <Skeleton width="82%" height="20px" />
            <Skeleton width="94%" height="16px" />
            <Skeleton width="44%" height="24px" shape="pill" />
          </div>
        </div>
      ))}
    </div>
  )
}
