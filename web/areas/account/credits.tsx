import { IconGift, IconSnowflake } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { AllowedTime, anyCreditLot } from '#contract/credits.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { pageIn } from '#web/lib/list-page.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { CreditHistory } from './credit-history.tsx'
import { PageHead } from './page-head.tsx'

type CreditLot = z.infer<typeof anyCreditLot>

const VIEWS = [
  { value: 'alive', label: 'Disponibles' },
  { value: 'all', label: 'Todos' },
] as const
type View = (typeof VIEWS)[number]['value']

/**
 * Mis Créditos: each credit lot with what it is valid for and until when (S2-2.53 to S2-2.55), and the ledger. Two columns depend on
 * settings. The chosen lots, and the lot and page of the ledger, are in the address.
 */
export default function Credits() {
  const site = useSite()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const view: View = query.get('ver') === 'todos' ? 'all' : 'alive'
  const requestedId = Number(query.get('credito'))
  const creditLot = Number.isInteger(requestedId) && requestedId > 0 ? requestedId : null
  const page = pageIn(query)
  const list = useQuery({ ...queries.credits.list.queryOptions(), enabled: view === 'alive' })
  const all = useQuery(queries.credits.all.queryOptions({ input: {}, staleTime: 30_000, meta: { handled: view === 'alive' } }))
  const shown = view === 'all' ? all : list
  const waiting = useSkeleton(shown.isPending)
  const rows: CreditLot[] =
    view === 'all'
      ? (all.data?.available_classes ?? []).toReversed()
      : (list.data?.available_classes ?? []).map((row) => ({ ...row, state: row.frozen ? 'frozen' : 'alive', createdAt: '' }))
  const show = (next: { view?: View; lot?: number | null; page?: number }) => {
    const to = new URLSearchParams()
    if ((next.view ?? view) === 'all') to.set('ver', 'todos')
    const chosen = next.lot === undefined ? creditLot : next.lot
    if (chosen) to.set('credito', String(chosen))
    if (next.page && next.page > 1) to.set('pagina', String(next.page))
    void navigate(to.size ? `?${to}` : paths.mystudio.credits, { preventScrollReset: true })
  }
  return (
    <div className="wrap">
      <PageHead title="Mis Créditos" about="Se usan en este orden; al reservar puedes elegir otro.">
        {/* Quiet where the empty list has the same button under its sentence. */}
        <Button as={AppLink} variant={shown.data && rows.length === 0 ? 'outline' : 'filled'} to={paths.mystudio.packages(site)}>
          Comprar Clases
        </Button>
      </PageHead>
      <div className="list-tools">
        <Segmented label="Mostrar" options={VIEWS} value={view} onChange={(value) => show({ view: value })} />
      </div>
      <Loaded
        query={shown}
        skeleton={<Skeleton height="200px" />}
        failed="No pudimos cargar tus créditos."
        nothing={
          rows.length === 0 && (
            <EmptyState drawing="reformer" next={{ label: 'Comprar Clases', to: paths.mystudio.packages(site) }}>
              No tienes créditos disponibles.
            </EmptyState>
          )
        }
      >
        <Table
          caption="Mis créditos"
          columns={columns(site)}
          rows={rows}
          rowKey={(row) => row.available_class_id}
          quiet={(row) => row.state !== 'alive'}
          card={(row) => (
            <div className="stack gap-8">
              <p className="strong">
                <Title row={row} />
              </p>
              <p className="hour">{countText(row)}</p>
              <PackageMarks classes={row.available_classes} />
              {site.allow_restricted_class_types && <p className="small muted">{typesText(row)}</p>}
              {site.allow_restricted_times && <p className="small muted">{timesText(row.allowed_times)}</p>}
              <p className="small">
                {row.expiration_date ? `${row.state === 'expired' ? 'Venció' : 'Vence'} el ${expiryText(row)}` : expiryText(row)}
              </p>
            </div>
          )}
        />
      </Loaded>
      {/* Hidden until the list above has its final height, so that it does not jump. */}
      <div hidden={shown.isPending || waiting}>
        <CreditHistory
          creditLots={all.data?.available_classes ?? []}
          creditLotId={creditLot}
          page={page}
          onCreditLot={(chosen) => show({ lot: chosen })}
          onPage={(to) => show({ page: to })}
        />
      </div>
    </div>
  )
}

const typesText = (row: CreditLot): string => row.class_types || (row.is_online ? 'Clases online' : 'Todas las clases')

function columns(site: Site): Column<CreditLot>[] {
  return [
    { header: 'Paquete', cell: (row) => <Title row={row} /> },
    ...(site.allow_restricted_class_types ? [{ header: 'Tipo de clase', cell: typesText }] : []),
    ...(site.allow_restricted_times ? [{ header: 'Horarios', cell: (row: CreditLot) => timesText(row.allowed_times) }] : []),
    { header: 'Créditos', cell: (row) => <b>{countText(row)}</b> },
    { header: 'Vencimiento', cell: (row) => <span className="nowrap">{expiryText(row)}</span> },
  ]
}

function Title({ row }: { row: CreditLot }) {
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
      {OVER[row.state] && <Badge tone="outline">{OVER[row.state]}</Badge>}
    </span>
  )
}

const OVER: Partial<Record<CreditLot['state'], string>> = { used_up: 'Usado', expired: 'Vencido', revoked: 'Retirado' }

const countText = (row: CreditLot): string => (row.available_classes < 0 ? 'Ilimitadas' : `${row.available_classes} de ${row.granted}`)

const expiryText = (row: CreditLot): string =>
  row.expiration_date ? formatWall(row.expiration_date, 'date') : 'Empieza con tu primera clase'

const DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']

/** "lun a vie, 07:00 – 12:00"; 'Todos los horarios' without restrictions. */
function timesText(times: readonly AllowedTime[]): string {
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
