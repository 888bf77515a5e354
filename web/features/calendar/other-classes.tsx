import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { coachNames, offerName, spotsText } from './class-facts.ts'
import './other-classes.css'

/** Up to three classes of the same type with a free place, nearest first (docs/domain.md, B4). `none`: the text if there are none. */
export function OtherClasses({ classId, none }: { classId: number; none?: string }) {
  const { data, isPending } = useQuery(
    queries.bookings.alternatives.queryOptions({ input: { single_class_id: classId }, meta: { handled: true } }),
  )
  if (isPending) return <Skeleton height="132px" />
  const classes = data?.classes ?? []
  if (!classes.length) return none ? <p className="muted">{none}</p> : null
  return (
    <section className="stack gap-8" aria-label="Otras clases con lugar">
      <h3 className="t4">Otras clases con lugar</h3>
      <ul className="other-classes">
        {classes.map((cls) => (
          <li key={cls.single_class_id}>
            <div className="grow">
              <p className="hour">{formatWall(cls.class_date, 'class')}</p>
              <p className="small muted">
                {[`${cls.class_type.name}${coachNames(cls) && ` con ${coachNames(cls)}`}`, cls.location.name].join(' · ')}
              </p>
              <p className="small">{spotsText({ capacity: cls.places_left, places_left: cls.places_left })}</p>
            </div>
            <Button
              as={AppLink}
              to={paths.mystudio.classOn(cls.single_class_id, cls.class_date.slice(0, 10))}
              size="small"
              aria-label={offerName('reserve', cls)}
            >
              Reservar
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Opened by the message about a cancelled class: offers up to three other classes. */
export function OtherClassesDialog({ classId, onClose }: { classId: number; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="El estudio canceló esta clase"
      actions={
        <Button variant="outline" onClick={onClose}>
          Ver el calendario
        </Button>
      }
    >
      <p>Si tenías lugar, tu crédito ya regresó. Puedes usarlo en otra.</p>
      <OtherClasses classId={classId} none="Por ahora no hay otra clase igual con lugar." />
    </Dialog>
  )
}
