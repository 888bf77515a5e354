import { IconArrowLeft, IconCheck, IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import type { Video } from '#contract/videos.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { Heart } from '#web/features/videos/heart.tsx'
import { withVideo } from '#web/features/videos/known-videos.ts'
import { drawnBy } from '#web/features/videos/video-card.tsx'
import { LockedFrame } from '#web/features/videos/video-locked.tsx'
import { VideoPlayer } from '#web/features/videos/video-player.tsx'
import { VideoRating } from '#web/features/videos/video-rating.tsx'
import { everyVideo, writeVideoView } from '#web/features/videos/video-view.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { type Failure, toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { RelatedVideos } from './related-videos.tsx'
import '#web/ui/chip.css'
import './video.css'

const isId = (text: string | undefined): boolean => /^[1-9]\d{0,8}$/.test(text ?? '')

/** /mystudio/video/{video_id}: the player and the details of one video (S2-2.05, S2-2.65 to S2-2.68). */
export default function VideoPage() {
  const { video_id = '' } = useParams()
  const videoQuery = useQuery({
    ...queries.videos.one.queryOptions({ input: { video_id: Number(video_id) }, meta: { handled: true } }),
    enabled: isId(video_id),
    // A locked video is loaded again when the customer returns from the shop; a playing one is not disturbed.
    refetchOnWindowFocus: ({ state }) => (state.status === 'error' ? 'always' : false),
  })
  const failure = videoQuery.error ? toFailure(videoQuery.error) : null
  const notFound = !isId(video_id) || failure?.code === 'VIDEO_NOT_FOUND'
  // While a refused query is loading again it has neither data nor error: keep the last refusal, so that the page does not change.
  const refused = useRef<{ video_id: string; facts: Failure['data'] } | null>(null)
  if (failure?.code === 'VIDEO_NEEDS_PURCHASE') refused.current = { video_id, facts: failure.data }
  else if (videoQuery.data) refused.current = null
  const locked = refused.current?.video_id === video_id ? refused.current.facts : null

  return (
    <div className="wrap">
      <AppLink className="link video-back" to={paths.mystudio.online}>
        <IconArrowLeft className="icon" aria-hidden="true" />
        Online
      </AppLink>
      {notFound ? (
        <NoVideo />
      ) : failure && failure.code !== 'VIDEO_NEEDS_PURCHASE' && !videoQuery.data ? (
        <>
          <PageTitle>Video</PageTitle>
          <h1 className="sr-only">Video</h1>
          <NotLoaded query={videoQuery}>No pudimos cargar este video.</NotLoaded>
        </>
      ) : (
        <Loading key={video_id} loading={videoQuery.isPending && locked === null} skeleton={<VideoSkeleton />}>
          {locked ? (
            <Locked key={video_id} video={locked} />
          ) : (
            videoQuery.data && <Watching key={video_id} video={videoQuery.data.video} onAgain={videoQuery.refetch} />
          )}
        </Loading>
      )}
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * A video that needs a purchase: its description and a link to buy (S2-2.67, S2-2.68, S2-8.03). The refusal has its texts, not its source.
 */
function Locked({ video }: { video: Readonly<Record<string, unknown>> }) {
  const { duration } = video
  const name = textOf(video.name) || 'Video'
  const facts = [textOf(video.coach), typeof duration === 'number' && `${duration} min`].filter(Boolean).join(' · ')
  return (
    <div className="video-page">
      <PageTitle>{name}</PageTitle>
      <div className="video-main">
        <LockedFrame
          thumbnail={textOf(video.thumbnail) || null}
          // As its card in the list.
          drawn={drawnBy({ name, class_type: { name: textOf(video.class_type) }, video_id: Number(video.video_id) })}
          preview={textOf(video.preview) || null}
          captions={textOf(video.preview_captions) || null}
        />
        <header className="video-head">
          <div>
            <h1 className="t2">{name}</h1>
            <p className="video-facts">{facts}</p>
          </div>
        </header>
      </div>
      <p className="video-description">{textOf(video.description)}</p>
    </div>
  )
}

function Watching({ video, onAgain }: { video: Video; onAgain: () => Promise<unknown> }) {
  const client = useQueryClient()
  const [query] = useSearchParams()
  const { video_id, instructor } = video
  const begin = useMutation({
    meta: { handled: true },
    mutationFn: () => api.videos.play({ video_id }),
    onSuccess({ video: { playbacks } }) {
      client.setQueriesData({ queryKey: queries.videos.key() }, (known: unknown) =>
        withVideo(known, video_id, (video) => ({ ...video, playbacks })),
      )
    },
    // The membership may have ended while the page was open.
    async onError(error) {
      if (toFailure(error).code === 'VIDEO_NEEDS_PURCHASE') await onAgain()
    },
  })
  const begun = video.completed || video.playbacks.some(({ startedAt }) => startedAt !== null)
  return (
    <>
      <PageTitle>{video.name}</PageTitle>
      <div className="video-page">
        <div className="video-main">
          <VideoPlayer video={video} onBegin={() => !begin.isPending && !begin.isSuccess && begin.mutate()} onAgain={onAgain} />
          <header className="video-head">
            <div>
              <h1 className="t2">{video.name}</h1>
              <p className="video-facts">
                {instructor && (
                  <>
                    <AppLink className="link" to={paths.instructor(instructor.instructor_id)}>
                      <CoachAvatar coach={instructor} size={28} />
                      {instructorFullName(instructor)}
                    </AppLink>
                    <span aria-hidden="true">·</span>
                  </>
                )}
                <span>{video.duration} min</span>
                {video.completed && (
                  <Badge tone="ok" icon={<IconCheck className="icon" aria-hidden="true" />}>
                    Completado
                  </Badge>
                )}
              </p>
            </div>
            <div className="video-verbs">
              <Heart video={video} framed />
              <Complete video={video} />
            </div>
          </header>
        </div>
        <div className="video-main">
          {video.description && <p className="video-description">{video.description}</p>}
          <Tags video={video} />
          {/* The email that requests a rating links here. */}
          {(begun || query.get('calificar') === '1') && <VideoRating video={video} isRequested={query.get('calificar') === '1'} />}
        </div>
      </div>
      <RelatedVideos video={video} />
    </>
  )
}

/** 'Completar' and undoing it (S2-4.27, S2-7.24, S2-7.25). */
function Complete({ video: { video_id, completed } }: { video: Video }) {
  const client = useQueryClient()
  const mark = useMutation({
    mutationFn: () => (completed ? api.videos.uncomplete({ video_id }) : api.videos.complete({ video_id })),
    async onSuccess(answer) {
      client.setQueriesData({ queryKey: queries.videos.key() }, (known: unknown) =>
        withVideo(known, video_id, (video) => ({ ...video, completed: answer.completed })),
      )
      showAlert('success', answer.completed ? 'Video completado.' : 'El video ya no está entre los completados.')
      await client.invalidateQueries({ queryKey: queries.videos.key(), refetchType: 'none' })
    },
  })
  return (
    <Button
      variant="outline"
      loading={mark.isPending}
      icon={!completed && <IconCircleCheck className="icon" aria-hidden="true" />}
      onClick={() => mark.mutate()}
    >
      {completed ? 'Marcar como no completado' : 'Completar'}
    </Button>
  )
}

/** Tags, type and program, each a link to the videos with the same. */
function Tags({ video }: { video: Video }) {
  const { tags, video_type: type, program } = video
  const to = (view: Partial<typeof everyVideo>) => `${paths.mystudio.online}${writeVideoView({ ...everyVideo, ...view })}`
  const links = [
    ...(program ? [{ key: 'programa', name: program.name, to: to({ program: program.program_id }) }] : []),
    ...(type ? [{ key: 'tipo', name: type.name, to: to({ type: type.video_type_id }) }] : []),
    ...tags.map(({ tag_id, name }) => ({ key: String(tag_id), name, to: to({ tags: [tag_id] }) })),
  ]
  if (links.length === 0) return null
  return (
    <ul className="video-tags" aria-label="Etiquetas">
      {links.map((link) => (
        <li key={link.key}>
          <AppLink className="chip" to={link.to}>
            {link.name}
          </AppLink>
        </li>
      ))}
    </ul>
  )
}

/** S2-8.02: the video does not exist or is no longer published. */
function NoVideo() {
  return (
    <>
      <PageTitle>Video</PageTitle>
      <h1 className="sr-only">Video</h1>
      <EmptyState next={{ label: 'Ver todos los videos', to: paths.mystudio.online }}>{accountErrors.VIDEO_NOT_FOUND.message}</EmptyState>
    </>
  )
}

function VideoSkeleton() {
  return (
    <div className="video-page">
      <div className="video-main">
        <div className="player">
          <Skeleton height="100%" />
        </div>
        <Skeleton width="62%" height="38px" />
        <Skeleton width="34%" height="22px" />
      </div>
      <div className="video-main">
        <Skeleton height="72px" />
        <Skeleton width="70%" height="44px" shape="pill" />
      </div>
    </div>
  )
}
