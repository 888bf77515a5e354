import { IconLock, IconPlayerPlayFilled } from '@tabler/icons-react'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { VIDEO_CARD, type Video } from '#contract/videos.ts'
import { Art } from '#web/features/site/art.tsx'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { drawnBy } from './video-card.tsx'
import { cutAtWord } from './video-text.ts'
import './featured-video.css'

/**
 * The featured video at the head of the page (S2-2.60), as one large link. `price`: for a viewer who may not watch it, what it costs, or ''
 * when there is nothing to buy.
 */
export function FeaturedVideo({ video, price }: { video: Video; price: string | null }) {
  const site = useSite()
  const { instructor } = video
  return (
    <section className={`featured ground-stage ${video.thumbnail ? '' : 'featured-drawn'}`} aria-labelledby="destacado">
      <div className="featured-text">
        <p className="small strong">Video destacado</p>
        {price !== null && (
          <p className="row gap-8 small">
            <IconLock className="icon" aria-label="Con paquete" role="img" />
            {price && `Desde ${price}`}
          </p>
        )}
        <h2 id="destacado" className="t1 featured-title">
          <AppLink to={paths.mystudio.video(video.video_id)}>{cutAtWord(video.name, VIDEO_CARD.title)}</AppLink>
        </h2>
        {video.description && <p className="lead muted">{cutAtWord(video.description, VIDEO_CARD.description)}</p>}
        <p className="featured-by">
          {instructor && <CoachAvatar coach={instructor} size={32} />}
          {[instructor && instructorFullName(instructor), `${video.duration} min`].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="featured-art">
        {video.thumbnail ? (
          <img src={fileUrl(site, video.thumbnail)} alt="" width={760} height={440} decoding="async" />
        ) : (
          <Art kind="clase" seed={drawnBy(video)} ground="stage" floorless eager bodies={6} width={760} height={360} />
        )}
      </div>
      <span className="featured-play" aria-hidden="true">
        {price === null ? <IconPlayerPlayFilled /> : <IconLock />}
      </span>
    </section>
  )
}

/** Its outline while loading. */
export function FeaturedSkeleton() {
  return (
    <div className="featured">
      <div className="featured-text">
        <Skeleton width="96px" height="18px" />
        <Skeleton width="90%" height="46px" />
        <Skeleton width="70%" height="20px" />
        <div className="featured-by">
          <Skeleton width="180px" height="28px" shape="pill" />
        </div>
      </div>
      <div className="featured-art">
        <Skeleton height="100%" />
      </div>
    </div>
  )
}
