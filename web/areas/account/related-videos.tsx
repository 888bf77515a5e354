import { useQuery } from '@tanstack/react-query'
import type { Video } from '#contract/videos.ts'
import { VideoCard } from '#web/features/videos/video-card.tsx'
import { queries } from '#web/lib/api.ts'

const MOST = 4
const QUIET = { staleTime: 300_000, meta: { handled: true } } as const

/** What to watch next: the following videos of the program, otherwise others of the same type. Nothing while there are none. */
export function RelatedVideos({ video }: { video: Video }) {
  const { program, video_type: type } = video
  const ofProgram = useQuery({
    ...queries.videos.ofProgram.queryOptions({ input: { program: program?.program_id ?? 0 }, ...QUIET }),
    enabled: program !== null,
  })
  const ofType = useQuery({
    ...queries.videos.list.queryOptions({ input: { page: 1, ...(type ? { video_type_id: type.video_type_id } : {}) }, ...QUIET }),
    enabled: program === null && type !== null,
  })
  const videos = (program ? ofProgram.data : ofType.data)?.videos ?? []
  const at = program ? videos.findIndex(({ video_id }) => video_id === video.video_id) + 1 : 0
  // The program continues after this video and wraps around to its start.
  const next = [...videos.slice(at), ...videos.slice(0, at)].filter(({ video_id }) => video_id !== video.video_id).slice(0, MOST)
  if (next.length === 0) return null
  return (
    <section className="video-related" aria-labelledby="relacionados">
      <h2 id="relacionados" className="t3">
        {program ? `Sigue con ${program.name}` : `Más de ${type?.name ?? 'Online'}`}
      </h2>
      <div className="video-grid">
        {next.map((video, index) => (
          <VideoCard key={video.video_id} video={video} at={index + 1} />
        ))}
      </div>
    </section>
  )
}
