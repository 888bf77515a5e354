import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import './progress-card.css'

interface ProgressCardProps {
  done: number
  total: number
}

/** On Hoy until the first steps are done: how far the studio is, and what comes next. */
export default function ProgressCard({ done, total }: ProgressCardProps) {
  const next = useQuery(queries.onboarding.read.queryOptions({ meta: { handled: true } })).data?.steps.find(
    ({ state }) => state === 'pending',
  )
  return (
    <section className="panel-card today-whole first-steps" aria-labelledby="primeros-pasos">
      <div className="grow">
        <h2 id="primeros-pasos" className="t3">
          Primeros pasos: {done} de {total}
        </h2>
        <p className="muted">{next ? `Sigue el paso «${next.title}». ${next.why}` : 'Te falta poco para tu primera reservación.'}</p>
        <progress value={done} max={total} aria-label="Pasos hechos" />
      </div>
      <Button as={AppLink} to={adminPaths.onboarding}>
        Seguir
      </Button>
    </section>
  )
}
