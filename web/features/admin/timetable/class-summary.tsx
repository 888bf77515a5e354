import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'

/** What is known about a class beside its fields: when and where, its roster, conflicts and cancellation. */
export function ClassSummary({ cls, onRules }: { cls: PlannedClass; onRules: () => void }) {
  const staff = useStaff()
  return (
    <>
      <p className="muted">
        {formatWall(cls.class_date, 'spoken')} · {cls.location.name}
      </p>
      {cls.single_class_id && cls.state !== 'draft' && (
        <p className="plan-links">
          <span>
            {cls.taken} de {cls.capacity ?? '–'} lugares{cls.waiting > 0 ? `, ${cls.waiting} en espera` : ''}
          </span>
          <AppLink to={adminPaths.roster(cls.single_class_id)} className="link">
            <IconExternalLink className="icon" aria-hidden="true" /> Lista de clase
          </AppLink>
          {may(staff, 'roster.all') && (
            <button type="button" className="link link-alone" onClick={onRules}>
              ¿Quién puede reservarla?
            </button>
          )}
        </p>
      )}
      {cls.substitutes_for && <p>En lugar de {cls.substitutes_for.name}.</p>}
      {cls.conflicts.map(({ kind, message }) => (
        <Banner key={`${kind} ${message}`} tone="warn" icon={<IconAlertTriangle className="icon" aria-hidden="true" />}>
          {message}
        </Banner>
      ))}
      {cls.state === 'cancelled' && (
        <Banner tone="danger" title="El estudio canceló esta clase.">
          {cls.cancel_reason}
        </Banner>
      )}
    </>
  )
}
