import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import './skeleton.css'

/** A placeholder for one line or block that is loading; `width` and `height` are CSS sizes. */
export function Skeleton({ width, height, shape }: { width?: string; height?: string; shape?: 'round' | 'pill' }) {
  const style = { '--w': width, '--h': height } as CSSProperties
  return <span className={`skeleton ${shape ? `skeleton-${shape}` : ''}`} style={style} />
}

const WAIT_MS = 200
const MIN_SHOWN_MS = 400

/** Whether to show a skeleton: after 200 ms of loading, and then for at least 400 ms, to avoid flicker. */
export function useSkeleton(loading: boolean, wait = WAIT_MS): boolean {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (loading === shown) return
    const left = loading ? wait : since.current + MIN_SHOWN_MS - performance.now()
    const timer = setTimeout(
      () => {
        since.current = performance.now()
        setShown(loading)
      },
      Math.max(0, left),
    )
    return () => clearTimeout(timer)
  }, [loading, shown, wait])
  return shown
}

interface LoadingProps {
  loading: boolean
  /** the outline of the part, built from `Skeleton` */
  skeleton: ReactNode
  children: ReactNode
}

const SLOW_MS = 10_000

/** A text for slow loading, shown and announced after ten seconds. */
export function SlowLoadingText() {
  return useSkeleton(true, SLOW_MS) && <p className="loading-late">Está tardando. Revisa tu conexión.</p>
}

/** A part, or its outline while it loads. The first 200 ms show neither; screen readers get "Cargando". */
export function Loading({ loading, skeleton, children }: LoadingProps) {
  const shown = useSkeleton(loading)
  if (!loading && !shown) return children
  return (
    <div role="status">
      <span className="sr-only">Cargando</span>
      <SlowLoadingText />
      <div aria-hidden="true" style={shown ? undefined : { visibility: 'hidden' }}>
        {skeleton}
      </div>
    </div>
  )
}
