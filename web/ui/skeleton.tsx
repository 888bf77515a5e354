import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import './skeleton.css'

/** One line or block of what is coming; `width` and `height` are CSS sizes. */
export function Skeleton({ width, height, shape }: { width?: string; height?: string; shape?: 'round' | 'pill' }) {
  const style = { '--w': width, '--h': height } as CSSProperties
  return <span className={`skeleton ${shape ? `skeleton-${shape}` : ''}`} style={style} />
}

const WAIT = 200
const LEAST = 400

/** Whether to show a skeleton: after 200 ms of loading, and then for at least 400 ms, so that nothing flickers. */
export function useSkeleton(loading: boolean, wait = WAIT): boolean {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (loading === shown) return
    const left = loading ? wait : since.current + LEAST - performance.now()
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
  /** the outline of the part, made of `Skeleton` */
  skeleton: ReactNode
  children: ReactNode
}

const LATE = 10_000

/** What is said of something that does not come, for eyes and ears, once it has taken ten seconds. */
export function SlowLoadingText() {
  return useSkeleton(true, LATE) && <p className="loading-late">Está tardando. Revisa tu conexión.</p>
}

/** A part, or its outline while it loads. The first 200 ms show neither, and a reader hears that it is loading. */
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
