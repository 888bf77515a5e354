import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import type { CardClass } from '#web/features/calendar/class-facts.ts'
import { ClassRows } from '#web/features/calendar/class-rows.tsx'
import { ClassesData } from '#web/features/calendar/structured-data.tsx'
import { visitorAct } from '#web/features/calendar/visitor-act.ts'
import { AppLink } from '#web/lib/link.tsx'

/** The classes of the next two weeks under a heading; their buttons lead to the log-in. */
export function NextClasses({ title, classes }: { title: string; classes: readonly CardClass[] }) {
  return (
    <>
      <ClassesData classes={classes} />
      <div className="section-head">
        <h2 className="t2">{title}</h2>
        <AppLink to={paths.schedule} className="link more-link">
          Ver todos los horarios
        </AppLink>
      </div>
      {classes.length ? <ClassRows classes={classes} act={visitorAct} dated /> : <p className="lead muted">{empty.classes}</p>}
    </>
  )
}
