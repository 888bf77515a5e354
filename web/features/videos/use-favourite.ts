import { useMutation, useQueryClient } from '@tanstack/react-query'
import { success } from '#contract/copy/messages.ts'
import type { Video } from '#contract/videos.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { withVideo } from './known-videos.ts'

/** Sets and removes a favourite: shown at once everywhere, reverted if the call fails (S2-4.26, S2-8.20, S2-8.21). */
export function useFavourite(): (video: Pick<Video, 'video_id' | 'favorite'>) => void {
  const client = useQueryClient()
  const show = (video_id: number, favorite: 0 | 1) =>
    client.setQueriesData({ queryKey: queries.videos.key() }, (known: unknown) =>
      withVideo(known, video_id, (row) => ({ ...row, favorite })),
    )
  const turn = useMutation({
    mutationKey: ['favourite'],
    // Calls run one after the other, so that the last click decides.
    scope: { id: 'favourite' },
    async mutationFn({ video_id, favorite }: { video_id: number; favorite: 0 | 1 }) {
      await (favorite ? api.videos.addFavorite({ video_id }) : api.videos.removeFavorite({ video_id }))
    },
    async onMutate({ video_id, favorite }) {
      // A running request may still return the old value: cancel it.
      await client.cancelQueries({ queryKey: queries.videos.key() })
      show(video_id, favorite)
    },
    onSuccess: (_answer, { favorite }) => showAlert('success', favorite ? success.favouriteAdded : success.favouriteRemoved),
    onError: (_error, { video_id, favorite }) => show(video_id, favorite ? 0 : 1),
    onSettled: async () => {
      if (client.isMutating({ mutationKey: ['favourite'] }) === 1) await client.invalidateQueries({ queryKey: queries.videos.key() })
    },
  })
  return ({ video_id, favorite }) => turn.mutate({ video_id, favorite: favorite ? 0 : 1 })
}
