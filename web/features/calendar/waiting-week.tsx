import { Skeleton, SlowLoadingText } from '#web/ui/skeleton.tsx'

/** The outline of a week that is loading. */
export function WaitingWeek() {
  return (
    <div className="calendar-waiting" role="status">
      <span className="sr-only">Cargando</span>
      <SlowLoadingText />
      <div className="calendar-waiting-strip only-narrow">
        <Skeleton height="68px" />
      </div>
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an outline is nothing but its place
        <div key={at} className="class-card" aria-hidden="true">
          <Skeleton width="52px" height="20px" />
          <Skeleton width="80%" height="16px" />
          <Skeleton width="60%" height="14px" />
        </div>
      ))}
    </div>
  )
}
