import { IconListCheck } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { MyClass } from '#contract/my-classes.ts'
import { formatWall } from '#contract/time.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { Surface } from '#web/ui/section.tsx'
import './my-classes.css'

/** "1 persona viene por primera vez"; null when there is none. */
export function firstTimersText(count: number): string | null {
  if (count === 0) return null
  return count === 1 ? '1 persona viene por primera vez' : `${count} personas vienen por primera vez`
}

/** The coach's next class, or the one that runs now, with the link to its roster. */
export function MyNextClass({ cls, today }: { cls: MyClass; today: string }) {
  const waiting = cls.figures?.waiting ?? 0
  const day = cls.class_date.slice(0, 10)
  const facts = [
    `${cls.taken} de ${cls.capacity ?? 0} lugares`,
    waiting > 0 ? `${waiting} en espera` : null,
    firstTimersText(cls.first_timers),
  ]
  return (
    <Surface as="section" ground="stage" className="my-next" aria-labelledby="proxima">
      <div>
        <p className="small muted">
          {day === today ? 'Hoy' : formatWall(`${day}T00:00:00.000Z`, 'long')} · {cls.location.name}
        </p>
        <h2 id="proxima" className="my-next-title">
          <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
          <span className="t2">{cls.class_type.name}</span>
        </h2>
        <Marks capacity={cls.capacity ?? 0} taken={cls.taken} mine={cls.figures?.attended ?? 0} size="big" />
        <p>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Button as={AppLink} to={adminPaths.roster(cls.single_class_id)} icon={<IconListCheck className="icon" aria-hidden="true" />}>
        Pasar lista
      </Button>
    </Surface>
  )
}
