import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Video } from '#contract/videos.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { withVideo } from './known-videos.ts'
import type { Position } from './player-messages.ts'

/** Least time between two writes of the position while it plays, in milliseconds. */
const PAUSE_MS = 10_000

/**
 * Stores where the viewer is (O18): `at` every ten seconds while it plays, and `now` at a pause. What was not stored yet is stored when the
 * page is left for another one or hidden. After a refusal nothing more is sent: staff who are no customers watch without a position.
 */
export function useProgress({ video_id }: Pick<Video, 'video_id'>): { at: (position: Position) => void; now: () => void } {
  const client = useQueryClient()
  const state = useRef({ last: null as Position | null, stored: -1, since: 0, isRefused: false })

  const now = () => {
    const { last, stored, isRefused } = state.current
    if (!last || isRefused || last.length < 1 || Math.floor(last.position) === stored) return
    const position = Math.floor(last.position)
    state.current = { ...state.current, stored: position, since: performance.now() }
    api.videos.progress({ video_id, position, length: Math.max(1, Math.floor(last.length)) }).then(
      ({ progress, completed }) => {
        client.setQueriesData({ queryKey: queries.videos.key() }, (known: unknown) =>
          withVideo(known, video_id, (row) => ({ ...row, progress, completed })),
        )
        return client.invalidateQueries({ queryKey: queries.videos.unfinished.key(), refetchType: 'none' })
      },
      (error: unknown) => {
        // Without a connection the next second is stored.
        state.current.isRefused = toFailure(error).status > 0
      },
    )
  }
  const at = (position: Position) => {
    state.current.last = position
    if (state.current.since === 0) state.current.since = performance.now()
    if (performance.now() - state.current.since >= PAUSE_MS) now()
  }

  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  useEffect(() => {
    const onHidden = () => document.visibilityState === 'hidden' && latest.current()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      latest.current()
    }
  }, [])
  return { at, now }
}
