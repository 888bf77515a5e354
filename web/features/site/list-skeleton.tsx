import { Skeleton } from '#web/ui/skeleton.tsx'
import './list-skeleton.css'

/** The outline of a table that is loading; of its cards on phones. */
export function ListSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className="list-skeleton">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines have no identity and no order
        <div key={at} className="list-skeleton-row">
          <Skeleton width="min(100%, 220px)" height="20px" />
          <Skeleton width="min(100%, 120px)" height="20px" />
          <Skeleton width="96px" height="28px" shape="pill" />
        </div>
      ))}
    </div>
  )
}
