import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './credits-summary.css'

/** "Ilimitadas, Hasta el …" or "Disponibles {count}", and 'Comprar Clases' (S2-2.45 to S2-2.47, settled 41). */
export function CreditsSummary() {
  const site = useSite()
  const { data, isError } = useQuery(queries.credits.list.queryOptions())
  const buy = (
    <Button as={AppLink} to={paths.mystudio.packages(site)} size="small">
      Comprar Clases
    </Button>
  )
  if (!data && isError) return <section className="credits-summary">{buy}</section>
  if (!data)
    return (
      <div className="credits-waiting">
        <Skeleton width="100%" height="100%" />
      </div>
    )
  const { has_unlimited, unlimited_membership_expiration: until, available, next_expiration: next } = data.summary
  return (
    <section className="credits-summary" aria-label="Mis créditos">
      {!has_unlimited && site.allow_restricted_class_types ? (
        <AppLink className="credits-known" to={paths.mystudio.credits}>
          <Known figure={available} label="Disponibles" screenReaderFigure={available}>
            <span className="link">Ver mis créditos</span>
          </Known>
        </AppLink>
      ) : (
        <span className="credits-known">
          {has_unlimited ? (
            <Known figure="∞" label="Ilimitadas">
              {until && `Hasta el ${formatWall(until, 'date')}`}
            </Known>
          ) : (
            <Known figure={available} label="Disponibles" screenReaderFigure={available}>
              {next && `vencen el ${formatWall(next, 'day')}`}
            </Known>
          )}
        </span>
      )}
      {buy}
    </section>
  )
}

function Known({
  figure,
  label,
  screenReaderFigure,
  children,
}: {
  figure: ReactNode
  label: string
  screenReaderFigure?: number
  children: ReactNode
}) {
  return (
    <>
      <span className="figure credits-count" aria-hidden="true">
        {figure}
      </span>
      <span className="grow">
        <b>
          {label}
          {screenReaderFigure !== undefined && <span className="sr-only"> {screenReaderFigure}</span>}
        </b>{' '}
        <span className="small">{children}</span>
      </span>
    </>
  )
}
