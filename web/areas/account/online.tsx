import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { empty } from '#contract/copy/empty-lists.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { type Program, VIDEOS_PER_PAGE, VIDEOS_PER_PHONE_PAGE } from '#contract/videos.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { FeaturedSkeleton, FeaturedVideo } from '#web/features/videos/featured-video.tsx'
import { useOnlineOffer } from '#web/features/videos/use-online-offer.ts'
import { VideoCard, VideoCardsSkeleton } from '#web/features/videos/video-card.tsx'
import { VideoFilters } from '#web/features/videos/video-filters.tsx'
import { VideosLocked } from '#web/features/videos/video-locked.tsx'
import { everyVideo, isFiltered, readVideoView, type VideoView, videoFilters, writeVideoView } from '#web/features/videos/video-view.ts'
import { queries } from '#web/lib/api.ts'
import { useDeferredAnswer } from '#web/lib/deferred-answer.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import './online.css'

/** The maximum number of upcoming videos, and of unfinished ones. */
const COMING = 4
const BEGUN = 4
const LISTS = { staleTime: 300_000, meta: { handled: true } } as const

/** /mystudio/online: the studio's videos (S2-2.04, S2-2.60 to S2-2.64). Search, filters, view and page are in the address. */
export default function Online() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const view = readVideoView(query)
  const isWide = useMedia('(min-width: 761px)')
  const results = useRef<HTMLElement>(null)
  const list = useQuery({
    ...queries.videos.list.queryOptions({
      input: videoFilters(view, isWide ? VIDEOS_PER_PAGE : VIDEOS_PER_PHONE_PAGE),
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  const drawn = useDeferredAnswer(list)
  const choices = useChoices()
  const unfiltered = !isFiltered(view) && view.show === 'todos'
  const upcoming = useQuery({ ...queries.videos.upcoming.queryOptions({ input: {}, ...LISTS }), enabled: unfiltered })
  const unfinished = useQuery({
    ...queries.videos.unfinished.queryOptions({ meta: { handled: true } }),
    enabled: unfiltered && view.page === 1,
  })
  const show = (change: Partial<VideoView>, typing = false) => {
    // Read the address itself, which is newer than the rendered state: of two choices in a row the second must not undo the first.
    const current = readVideoView(new URLSearchParams(window.location.search))
    void navigate(`${paths.mystudio.online}${writeVideoView({ ...current, ...change })}`, { preventScrollReset: true, replace: typing })
  }
  const onPage = (page: number) => {
    show({ page })
    results.current?.focus({ preventScroll: true })
    results.current?.scrollIntoView({ block: 'start' })
  }
  // The part above the list keeps the last answer while another list is loading or has failed.
  const last = useRef(drawn.data)
  if (drawn.data) last.current = drawn.data
  const known = drawn.data ?? last.current
  const videos = drawn.data?.videos ?? []
  const pages = drawn.data?.pages ?? 1
  const begun = unfiltered && view.page === 1 && known?.can_watch ? (unfinished.data?.videos.slice(0, BEGUN) ?? []) : []
  const { offer, coming: offerComing } = useOnlineOffer(known?.can_watch === false)
  const price = known?.can_watch === false ? (offer?.price ?? '') : null
  // The first time the videos that were begun, and the offer of a package, are shown together with the list below them, so that nothing
  // moves down when they arrive. The list does not wait for another try, nor for a connection.
  const unfinishedComing = unfinished.isPending && unfinished.failureCount === 0 && unfinished.fetchStatus !== 'paused'
  const shown = useRef(false)
  const isReady = known && (shown.current || !(offerComing || (unfiltered && view.page === 1 && known.can_watch && unfinishedComing)))
  if (isReady) shown.current = true
  const coming = unfiltered ? (upcoming.data?.videos.slice(0, COMING) ?? []) : []
  const chosen = choices?.programs.find(({ program_id }) => program_id === view.program)

  return (
    <div className="wrap">
      <PageTitle>Online</PageTitle>
      <h1 className="t1 online-head">Online</h1>
      {list.isError && !known ? (
        <NotLoaded query={list}>No pudimos cargar los videos.</NotLoaded>
      ) : (
        <Loading loading={!isReady} skeleton={<OnlineSkeleton />}>
          {known && !known.can_watch && (
            <div className="online-locked">
              <VideosLocked offer={offer} />
            </div>
          )}
          {begun.length > 0 && (
            <section className="online-begun" aria-labelledby="seguir">
              <h2 id="seguir" className="t3">
                Seguir viendo
              </h2>
              <div className="video-grid">
                {begun.map((video, at) => (
                  <VideoCard key={video.video_id} video={video} at={at + 2} />
                ))}
              </div>
            </section>
          )}
          {known?.featured && <FeaturedVideo video={known.featured} price={price} />}
          {(known?.featured || !unfiltered) && (
            <VideoFilters
              view={view}
              onView={show}
              choices={
                choices && {
                  coaches: choices.coaches.map((coach) => ({ id: coach.instructor_id, name: instructorName(coach) })),
                  types: choices.types.map((type) => ({ id: type.video_type_id, name: type.name })),
                  programs: choices.programs.map((program) => ({ id: program.program_id, name: program.name })),
                  tags: choices.tags.map((tag) => ({ id: tag.tag_id, name: tag.name })),
                }
              }
            />
          )}
          {chosen && <ProgramSummary program={chosen} />}
          <section ref={results} className="online-results" aria-label="Videos" tabIndex={-1} aria-busy={drawn.isPlaceholderData}>
            <p className="sr-only" aria-live="polite">
              {drawn.data && !drawn.isPlaceholderData ? countText(drawn.data.total) : ''}
            </p>
            {list.isError && !drawn.data ? (
              <NotLoaded query={list}>No pudimos cargar los videos.</NotLoaded>
            ) : videos.length > 0 ? (
              <div className="video-grid">
                {videos.map((video, at) => (
                  <VideoCard key={video.video_id} video={video} at={at} level={2} price={price} />
                ))}
              </div>
            ) : drawn.data && view.page > pages ? (
              <Navigate replace to={`${paths.mystudio.online}${writeVideoView({ ...view, page: pages })}`} />
            ) : (
              <Loading loading={!drawn.data} skeleton={<VideoCardsSkeleton />}>
                <NoVideos view={view} unfiltered={unfiltered} onView={show} />
              </Loading>
            )}
          </section>
          {videos.length > 0 && (
            <div className="online-foot">
              <Pager always page={Math.min(view.page, pages)} pages={pages} onPage={onPage} />
            </div>
          )}
          {coming.length > 0 && (
            <section className="online-coming" aria-labelledby="proximos">
              <h2 id="proximos" className="t3">
                Próximamente
              </h2>
              <div className="video-grid">
                {coming.map((video, at) => (
                  <VideoCard key={video.video_id} video={video} at={at + 4} coming />
                ))}
              </div>
            </section>
          )}
        </Loading>
      )}
    </div>
  )
}

/** The options of the filters; null while any of them is loading. Lists that failed are left out. */
function useChoices() {
  const coaches = useQuery(queries.catalogue.instructors.queryOptions(LISTS))
  const types = useQuery(queries.videos.types.queryOptions(LISTS))
  const programs = useQuery(queries.videos.programs.queryOptions(LISTS))
  const tags = useQuery(queries.catalogue.tags.queryOptions({ input: { type: 'video' }, ...LISTS }))
  if ([coaches, types, programs, tags].some((query) => query.isPending)) return null
  return {
    coaches: coaches.data?.instructors ?? [],
    types: types.data?.video_types ?? [],
    programs: programs.data?.programs.filter(({ videos }) => videos > 0) ?? [],
    tags: tags.data?.tags ?? [],
  }
}

const countText = (count: number): string => (count === 1 ? '1 video' : `${count} videos`)

/** A chosen program: what it is about and the viewer's progress. */
function ProgramSummary({ program }: { program: Program }) {
  return (
    <div className="online-program">
      <h2 className="t3">{program.name}</h2>
      {program.description && <p className="muted">{program.description}</p>}
      <p className="small strong">
        {countText(program.videos)} · {program.duration} min · {program.completed} de {program.videos} completados
      </p>
    </div>
  )
}

/** The empty state: no videos at all, or none that matches the filters, with a different action each. */
function NoVideos({ view, unfiltered, onView }: { view: VideoView; unfiltered: boolean; onView: (change: Partial<VideoView>) => void }) {
  if (unfiltered)
    return (
      <EmptyState drawing="ciclo" next={{ label: 'Ver el calendario', to: paths.mystudio.calendar }}>
        {empty.videos}
      </EmptyState>
    )
  if (isFiltered(view))
    return (
      <EmptyState drawing="yoga" action={<Button onClick={() => onView({ ...everyVideo, show: view.show })}>Limpiar filtros</Button>}>
        Ningún video coincide con tu búsqueda.
      </EmptyState>
    )
  return (
    <EmptyState drawing="ciclo" action={<Button onClick={() => onView(everyVideo)}>Ver todos los videos</Button>}>
      {view.show === 'favoritos' ? 'Aún no tienes videos favoritos.' : 'Aún no has completado videos.'}
    </EmptyState>
  )
}

function OnlineSkeleton() {
  return (
    <>
      <FeaturedSkeleton />
      <div className="video-filters">
        <Skeleton width="320px" height="44px" />
        <Skeleton shape="pill" width="96px" height="44px" />
        <Skeleton shape="pill" width="84px" height="44px" />
      </div>
      <VideoCardsSkeleton />
    </>
  )
}
