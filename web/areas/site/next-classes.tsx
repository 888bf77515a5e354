import { useEffect, useRef, useState } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import type { CardClass } from '#web/features/calendar/class-facts.ts'
import { ClassRows } from '#web/features/calendar/class-rows.tsx'
import { ClassesData } from '#web/features/calendar/structured-data.tsx'
import { visitorAct } from '#web/features/calendar/visitor-act.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'

/** Days with classes that are shown at first. */
const DAYS = 7

/** Classes in order, by the day of their location. */
function byDay(classes: readonly CardClass[]): [string, CardClass[]][] {
  const days = new Map<string, CardClass[]>()
  for (const cls of classes) {
    const date = cls.class_date.slice(0, 10)
    days.set(date, [...(days.get(date) ?? []), cls])
  }
  return [...days]
}

/** The classes of the next two weeks under a heading, by day; their buttons lead to the log-in. */
export function NextClasses({ title, classes }: { title: string; classes: readonly CardClass[] }) {
  const [all, setAll] = useState(false)
  const next = useRef<HTMLHeadingElement>(null)
  // The focused button is gone: the focus moves to the first day that it showed.
  useEffect(() => {
    if (all) next.current?.focus()
  }, [all])
  const days = byDay(classes)
  return (
    <>
      <ClassesData classes={classes} />
      <div className="section-head">
        <h2 className="t2">{title}</h2>
        <AppLink to={paths.schedule} className="link more-link">
          Ver todos los horarios
        </AppLink>
      </div>
      {days.length === 0 && <p className="lead muted">{empty.classes}</p>}
      {days.slice(0, all ? undefined : DAYS).map(([date, ofDay], at) => (
        <section key={date} className="next-day" aria-labelledby={`dia-${date}`}>
          <h3 id={`dia-${date}`} ref={at === DAYS ? next : undefined} className="t4" tabIndex={at === DAYS ? -1 : undefined}>
            {formatWall(`${date}T00:00:00.000Z`, 'long')}
          </h3>
          <ClassRows classes={ofDay} act={visitorAct} />
        </section>
      ))}
      {!all && days.length > DAYS && (
        <Button variant="outline" onClick={() => setAll(true)}>
          Ver más
        </Button>
      )}
    </>
  )
}
