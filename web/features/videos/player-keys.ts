/** Keys of the player beside those of the browser: what a key does to a film. Pure, but for the film. */

/** Seconds that J and L jump. */
const JUMP = 10

const between = (value: number, most: number): number => Math.max(0, Math.min(value, most))

type Film = Pick<HTMLVideoElement, 'paused' | 'currentTime' | 'duration' | 'muted' | 'playbackRate' | 'play' | 'pause'> & {
  textTracks: Iterable<{ mode: TextTrackMode }>
  requestFullscreen(): Promise<void>
  ownerDocument: Pick<Document, 'fullscreenElement' | 'exitFullscreen'>
}

/**
 * Does what the key means; returns whether it means anything. K: play and pause; J, L: 10 s; M: sound; F: the whole screen; C: captions; <
 * and >: speed; 0 to 9: tenths.
 */
export function pressPlayerKey(film: Film, key: string): boolean {
  const jump = (by: number) => {
    film.currentTime = between(film.currentTime + by, film.duration || 0)
  }
  switch (key.toLowerCase()) {
    case 'k':
      if (film.paused) void film.play()
      else film.pause()
      return true
    case 'j':
      jump(-JUMP)
      return true
    case 'l':
      jump(JUMP)
      return true
    case 'm':
      film.muted = !film.muted
      return true
    case 'f': {
      const page = film.ownerDocument
      // A browser that refuses stays as it is.
      void (page.fullscreenElement ? page.exitFullscreen() : film.requestFullscreen()).catch(() => {})
      return true
    }
    case 'c': {
      const tracks = [...film.textTracks]
      const isShown = tracks.some(({ mode }) => mode === 'showing')
      for (const [at, track] of tracks.entries()) track.mode = !isShown && at === 0 ? 'showing' : 'hidden'
      return true
    }
    case '<':
    case '>':
      film.playbackRate = Math.max(0.5, Math.min(2, film.playbackRate + (key === '<' ? -0.25 : 0.25)))
      return true
    default:
      if (!/^\d$/.test(key)) return false
      film.currentTime = ((film.duration || 0) * Number(key)) / 10
      return true
  }
}
