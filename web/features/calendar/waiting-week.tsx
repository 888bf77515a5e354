import { Skeleton, SlowLoadingText } from '#web/ui/skeleton.tsx'

/** The outlines of a calendar that is loading; the public one never is. */
export const CALENDAR_OUTLINE = {
  locations: <Skeleton shape="pill" width="440px" height="50px" />,
  filters: (
    <>
      <Skeleton shape="pill" width="162px" height="44px" />
      <Skeleton shape="pill" width="174px" height="44px" />
    </>
  ),
  week: <WaitingWeek />,
}

function WaitingWeek() {
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
