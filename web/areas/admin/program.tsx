import '#web/features/admin/videos/videos.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { ProgramVideo } from '#contract/videos.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { VIDEO_STATES } from '#web/features/admin/videos/video-draft.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'

export const handle: AdminHandle = { title: 'Programa', detail: true, edits: true }

/** The videos of a program, in the order in which they are watched. */
export default function Program() {
  const program_id = Number(useParams().program_id) || 0
  const client = useQueryClient()
  const programs = useQuery(queries.videos.admin.programs.all.queryOptions({ meta: { handled: true } }))
  const options = queries.videos.admin.programVideos.queryOptions({ input: { program_id }, meta: { handled: true } })
  const query = useQuery(options)
  const order = useMutation({
    meta: { handled: true },
    mutationFn: (videos: readonly ProgramVideo[]) =>
      api.videos.admin.orderProgram({ program_id, video_ids: videos.map(({ video_id }) => video_id) }),
    onMutate: (videos) => client.setQueryData(options.queryKey, { videos: [...videos] }),
    onSuccess: (answer) => client.setQueryData(options.queryKey, answer),
    onError(error) {
      showAlert('alert', toFailure(error).message)
      void client.invalidateQueries({ queryKey: options.queryKey })
    },
  })
  const videos = query.data?.videos ?? []
  const name = programs.data?.programs.find((program) => program.program_id === program_id)?.name
  return (
    <>
      <ScreenHead title={name ?? 'Programa'} about="Arrastra los videos, o muévelos con las flechas. El orden se guarda solo." />
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar los videos del programa."
        nothing={videos.length === 0 && <EmptyState>Elige este programa en un video para que esté aquí.</EmptyState>}
      >
        <OrderedList
          label="Videos del programa"
          items={videos}
          idOf={({ video_id }) => video_id}
          nameOf={(video) => video.name}
          onOrder={(next) => order.mutate(next)}
        >
          {(video) => (
            <>
              <AppLink to={adminPaths.video(video.video_id)} className="strong">
                {video.name}
              </AppLink>
              <p className="small muted">
                {video.duration} min · {VIDEO_STATES[video.state]}
              </p>
            </>
          )}
        </OrderedList>
      </Loaded>
    </>
  )
}
