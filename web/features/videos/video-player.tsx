import { useEffect, useRef, useState } from 'react'
import type { Video } from '#contract/videos.ts'
import { artUrl } from '#web/features/site/art.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { drawnBy } from './video-card.tsx'
import './video-player.css'

/** A provider's player says nothing of what happens in it: whoever stays in it so long, in milliseconds, has begun to watch. */
const STAYED = 1_500

interface PlayerProps {
  video: Video
  /** somebody began to watch */
  onBegin: () => void
  /** the link has ended or the file did not come: ask for the video again */
  onAgain: () => Promise<unknown>
}

/** The video in its frame of 16:9: the provider's own player, or the browser's for a file (S2-2.65). Nothing plays by itself. */
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
    const left = () => {
      clearTimeout(timer)
      if (inside()) timer = setTimeout(() => inside() && latest.current(), STAYED)
    }
    addEventListener('blur', left)
    return () => {
      clearTimeout(timer)
      removeEventListener('blur', left)
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

/** `first`: its link. Later answers bring others, but another one under a film that plays would begin it again. */
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
    // biome-ignore lint/a11y/useMediaCaption: a studio uploads one file, and what is said in it is not written anywhere
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
