import { useQuery } from '@tanstack/react-query'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './credits-summary.css'

/** "Ilimitadas, Hasta el …" or "Disponibles {count}", and 'Comprar Clases' (S2-2.45 to S2-2.47, decision 41). */
export function CreditsSummary() {
  const site = useSite()
  const { data } = useQuery(queries.credits.list.queryOptions())
  if (!data) return <Skeleton width="322px" height="74px" />
  const { has_unlimited, unlimited_membership_expiration: until, available, next_expiration: next } = data.summary
  return (
    <section className="credits-summary" aria-label="Mis créditos">
      <span className="figure credits-count" aria-hidden="true">
        {has_unlimited ? '∞' : available}
      </span>
      <span className="grow">
        <b>
          {has_unlimited ? 'Ilimitadas' : 'Disponibles'}
          {!has_unlimited && <span className="sr-only"> {available}</span>}
        </b>
        <span className="small">
          {has_unlimited ? (
            until && `Hasta el ${formatWall(until, 'date')}`
          ) : site.allow_restricted_class_types ? (
            <AppLink className="link link-alone" to={paths.mystudio.credits}>
              Ver mis créditos
            </AppLink>
          ) : (
            next && `vencen el ${formatWall(next, 'day')}`
          )}
        </span>
      </span>
      <Button as={AppLink} to={paths.mystudio.packages(site)} size="small">
        Comprar Clases
      </Button>
    </section>
  )
}
