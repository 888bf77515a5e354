import { adminPaths } from '#contract/admin-paths.ts'
import { AppLink } from '#web/lib/link.tsx'

/** In the panel of a coach: the link to their page. */
export function CoachLink({ row }: { row: Readonly<Record<string, unknown>> }) {
  return (
    <AppLink to={adminPaths.coach(Number(row.instructor_id))} className="link link-alone">
      Abrir su ficha: recortar la foto, ausencias, clases y pago
    </AppLink>
  )
}
