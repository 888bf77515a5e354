import { useEffect, useRef, useState } from 'react'
import type { Video } from '#contract/videos.ts'
import { artUrl } from '#web/features/site/art.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { drawnBy } from './video-card.tsx'
import './video-player.css'

/** A provider's player reports no events, so a viewer whose focus stays in it this long (ms) counts as having started to watch. */
const WATCHED_MS = 1_500

interface PlayerProps {
  video: Video
  /** called when playback begins */
  onBegin: () => void
  /** the link has expired or the file did not load: load the video again */
  onAgain: () => Promise<unknown>
}

/** The video in a 16:9 frame: the provider's player, or the browser's for a file (S2-2.65). Never starts by itself. */
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
        <Frame src={src} name={video.name} onBegin={onBegin} />
      ) : (
        <File key={tries} video={video} first={src} onBegin={onBegin} onAgain={again} />
      )}
    </div>
  )
}

function Frame({ src, name, onBegin }: { src: string; name: string; onBegin: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(onBegin)
  useEffect(() => {
    latest.current = onBegin
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const inside = () => document.activeElement === frame.current
    const onBlur = () => {
      clearTimeout(timer)
      if (inside()) timer = setTimeout(() => inside() && latest.current(), WATCHED_MS)
    }
    addEventListener('blur', onBlur)
    return () => {
      clearTimeout(timer)
      removeEventListener('blur', onBlur)
    }
  }, [])
  return (
    <iframe
      ref={frame}
      src={src}
      title={`Video: ${name}`}
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
    // biome-ignore lint/a11y/useMediaCaption: the studio uploads a single file without captions
    <video
      src={fileUrl(site, src)}
      poster={video.thumbnail ? fileUrl(site, video.thumbnail) : artUrl(site, { kind: 'clase', seed: drawnBy(video), ground: 'stage' })}
      aria-label={`Video: ${video.name}`}
      controls
      playsInline
      preload="metadata"
      onPlay={onBegin}
      onError={() => setFailed(true)}
    />
  )
}
