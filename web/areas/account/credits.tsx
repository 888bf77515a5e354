import { IconGift, IconSnowflake } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AllowedTime, AvailableClass } from '#contract/credits.ts'
import { formatWall } from '#contract/time.ts'
import { artUrl } from '#web/features/art.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

/** Mis Créditos: each lot with what it is good for and until when (S2-2.53 to S2-2.55). Two columns depend on their switches. */
export default function Credits() {
  const site = useSite()
  const list = useQuery(queries.credits.list.queryOptions())
  const rows = list.data?.available_classes ?? []
  return (
    <div className="wrap">
      <title>{`Mis Créditos · ${site.business_name}`}</title>
      <header className="page-head">
        <div>
          <h1 className="t1">Mis Créditos</h1>
          <p className="muted">Se usan en este orden; al reservar puedes elegir otro.</p>
        </div>
        <Button as={AppLink} to={paths.mystudio.packages(site)}>
          Comprar Clases
        </Button>
      </header>
      <Loading loading={list.isPending} skeleton={<Skeleton height="320px" />}>
        {list.isError ? (
          <EmptyState
            art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
            action={<Button onClick={() => void list.refetch()}>Intentar de nuevo</Button>}
          >
            No pudimos cargar tus créditos.
          </EmptyState>
        ) : rows.length === 0 ? (
          <EmptyState
            art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
            action={
              <Button as={AppLink} to={paths.mystudio.packages(site)}>
                Comprar Clases
              </Button>
            }
          >
            No tienes créditos disponibles.
          </EmptyState>
        ) : (
          <Table
            caption="Mis créditos"
            columns={columns(site)}
            rows={rows}
            rowKey={(row) => row.available_class_id}
            quiet={(row) => row.frozen}
            card={(row) => (
              <div className="stack gap-8">
                <Title row={row} />
                <p className="hour">{countWords(row)}</p>
                <PackageMarks classes={row.available_classes} />
                {site.allow_restricted_class_types && <p className="small muted">{row.class_types || 'Todas las clases'}</p>}
                {site.allow_restricted_times && <p className="small muted">{timesWords(row.allowed_times)}</p>}
                <p className="small">{expiryWords(row)}</p>
              </div>
            )}
          />
        )}
      </Loading>
    </div>
  )
}

function columns(site: Site): Column<AvailableClass>[] {
  return [
    { header: 'Paquete', cell: (row) => <Title row={row} /> },
    ...(site.allow_restricted_class_types
      ? [{ header: 'Tipo de clase', cell: (row: AvailableClass) => row.class_types || 'Todas las clases' }]
      : []),
    ...(site.allow_restricted_times ? [{ header: 'Horarios', cell: (row: AvailableClass) => timesWords(row.allowed_times) }] : []),
    { header: 'Créditos', cell: (row) => <b>{countWords(row)}</b> },
    { header: 'Vencimiento', cell: (row) => <span className="nowrap">{expiryWords(row)}</span> },
  ]
}

function Title({ row }: { row: AvailableClass }) {
  return (
    <span className="row gap-8 wraps">
      {row.title}
      {row.is_courtesy && (
        <Badge tone="accent" icon={<IconGift className="icon" aria-hidden="true" />}>
          Cortesía
        </Badge>
      )}
      {row.frozen && (
        <Badge tone="outline" icon={<IconSnowflake className="icon" aria-hidden="true" />}>
          En pausa
        </Badge>
      )}
    </span>
  )
}

const countWords = (row: AvailableClass): string =>
  row.available_classes < 0 ? 'Ilimitadas' : `${row.available_classes} de ${row.granted}`

const expiryWords = (row: AvailableClass): string =>
  row.expiration_date ? formatWall(row.expiration_date, 'date') : 'Empieza con tu primera clase'

const DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']

/** "lun a vie, 07:00 – 12:00"; any hour without restrictions. */
function timesWords(times: readonly AllowedTime[]): string {
  if (!times.length) return 'Todos los horarios'
  return times
    .map(({ days, from, to }) => {
      const sorted = [...days].sort((a, b) => a - b)
      const run = sorted.length > 2 && sorted.every((day, at) => at === 0 || day === (sorted[at - 1] ?? 0) + 1)
      const name = (day: number | undefined) => DAYS[(day ?? 1) - 1]
      return `${run ? `${name(sorted[0])} a ${name(sorted.at(-1))}` : sorted.map(name).join(', ')}, ${from} – ${to}`
    })
    .join(' · ')
}
