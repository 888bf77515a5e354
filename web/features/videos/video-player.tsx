import { useEffect, useRef, useState } from 'react'
import type { Video } from '#contract/videos.ts'
import { artUrl } from '#web/features/site/art.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { pressPlayerKey } from './player-keys.ts'
import { playerSrc, positionIn, protocolOf } from './player-messages.ts'
import { useCaptions } from './use-captions.ts'
import { useProgress } from './use-progress.ts'
import { drawnBy } from './video-card.tsx'
import './video-player.css'

/** Some players report no events, so a viewer whose focus stays in it this long (ms) counts as having started to watch. */
const WATCHED_MS = 1_500
/** Time between two attempts to make an embedded player report its position (ms). */
const HELLO_MS = 1_000

interface PlayerProps {
  video: Video
  /** called when playback begins */
  onBegin: () => void
  /** the link has expired or the file did not load: load the video again */
  onAgain: () => Promise<unknown>
}

/**
 * The video in a 16:9 frame: the provider's player, or the browser's for a file (S2-2.65). Never starts by itself; resumes where the viewer
 * stopped (O18).
 */
export function VideoPlayer({ video, onBegin, onAgain }: PlayerProps) {
  const [tries, setTries] = useState(0)
  if (!video.embed) return null
  const { kind, src } = video.embed
  const again = async () => {
    await onAgain()
    setTries(tries + 1)
  }
  return (
    <div className="player">
      {kind === 'iframe' ? (
        <Frame video={video} first={src} onBegin={onBegin} />
      ) : (
        <File key={tries} video={video} first={src} onBegin={onBegin} onAgain={again} />
      )}
    </div>
  )
}

function Frame({ video, first, onBegin }: Pick<PlayerProps, 'video' | 'onBegin'> & { first: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // Later answers have a newer position, but changing the source would restart a playing film.
  const [start] = useState(video.progress)
  const [src] = useState(() => playerSrc(first, start?.position ?? 0, location.origin))
  const progress = useProgress(video)
  const latest = useRef({ onBegin, progress })
  useEffect(() => {
    latest.current = { onBegin, progress }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const inside = () => document.activeElement === frame.current
    const onBlur = () => {
      clearTimeout(timer)
      if (inside()) timer = setTimeout(() => inside() && latest.current.onBegin(), WATCHED_MS)
    }
    addEventListener('blur', onBlur)
    return () => {
      clearTimeout(timer)
      removeEventListener('blur', onBlur)
    }
  }, [])
  useEffect(() => {
    const protocol = protocolOf(src)
    if (!protocol) return
    let length = start?.length ?? 0
    const { origin } = new URL(src)
    const hello = setInterval(() => {
      for (const message of protocol.hello(Math.floor(start?.position ?? 0)))
        frame.current?.contentWindow?.postMessage(JSON.stringify(message), origin)
    }, HELLO_MS)
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow) return
      const found = positionIn(src, event.origin, event.data, length)
      if (!found) return
      clearInterval(hello)
      length = found.length
      // A player that reports a second is playing, also when its focus is elsewhere.
      if (found.position > (start?.position ?? 0)) latest.current.onBegin()
      if (found.position > 0) latest.current.progress.at(found)
    }
    addEventListener('message', onMessage)
    return () => {
      clearInterval(hello)
      removeEventListener('message', onMessage)
    }
  }, [src, start])
  return (
    <iframe
      ref={frame}
      src={src}
      title={`Video: ${video.name}`}
      allow="accelerometer; encrypted-media; fullscreen; gyroscope; picture-in-picture"
      allowFullScreen
      referrerPolicy="strict-origin-when-cross-origin"
      loading="lazy"
    />
  )
}

/** `first`: its first link. Later answers bring new links, but changing the source would restart a playing film. */
function File({ video, first, onBegin, onAgain }: PlayerProps & { first: string }) {
  const site = useSite()
  const [src] = useState(first)
  const [from] = useState(video.progress?.position ?? 0)
  const progress = useProgress(video)
  const captions = useCaptions(video.captions)
  const [waits, setWaits] = useState(false)
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <div className="player-failed" role="alert">
        <p className="strong">No pudimos cargar el video.</p>
        <Button
          variant="outline"
          loading={waits}
          onClick={() => {
            setWaits(true)
            void onAgain()
          }}
        >
          Intentar de nuevo
        </Button>
      </div>
    )
  return (
    // biome-ignore lint/a11y/useMediaCaption: a track is below where the studio uploaded captions
    <video
      src={fileUrl(site, src)}
      poster={video.thumbnail ? fileUrl(site, video.thumbnail) : artUrl(site, { kind: 'clase', seed: drawnBy(video), ground: 'stage' })}
      aria-label={`Video: ${video.name}`}
      controls
      // There is no download (O5): the link is the viewer's own and ends with the day.
      controlsList="nodownload"
      playsInline
      preload="metadata"
      onLoadedMetadata={({ currentTarget: film }) => {
        if (from > 0 && from < film.duration) film.currentTime = from
      }}
      onPlay={onBegin}
      onTimeUpdate={({ currentTarget: film }) => !film.paused && progress.at({ position: film.currentTime, length: film.duration })}
      onPause={({ currentTarget: film }) => {
        progress.at({ position: film.currentTime, length: film.duration })
        progress.now()
      }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (pressPlayerKey(event.currentTarget, event.key)) event.preventDefault()
      }}
      onContextMenu={(event) => event.preventDefault()}
      onError={() => setFailed(true)}
    >
      {captions && <track kind="captions" src={captions} srcLang="es" label="Subtítulos" />}
    </video>
  )
}
