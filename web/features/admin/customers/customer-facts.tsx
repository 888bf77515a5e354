import {
  IconAlertTriangle,
  IconCash,
  IconCircleCheck,
  IconClock,
  IconHeartbeat,
  IconReceipt,
  IconRefreshAlert,
  IconSignature,
  IconSparkles,
  IconTrendingDown,
} from '@tabler/icons-react'
import { type CustomerState, customerStateLabels } from '#contract/copy/customer-list.ts'
import type { CustomerAlert } from '#contract/customer-file.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCustomerFile } from './use-customer-file.ts'

interface StateFace {
  tone: BadgeTone
  Icon: typeof IconClock
}

const STATE_FACES: Readonly<Record<CustomerState, StateFace>> = {
  lost: { tone: 'outline', Icon: IconTrendingDown },
  inactive: { tone: 'outline', Icon: IconClock },
  at_risk: { tone: 'danger', Icon: IconTrendingDown },
  expiring: { tone: 'warn', Icon: IconClock },
  trial: { tone: 'brand', Icon: IconSparkles },
  new: { tone: 'brand', Icon: IconSparkles },
  active: { tone: 'ok', Icon: IconCircleCheck },
}

/** The state of a customer as a badge, beside the name. */
export function CustomerStateBadge({ customer_id }: { customer_id: number }) {
  const file = useCustomerFile(customer_id)
  return file.data ? <StateBadge state={file.data.state} /> : null
}

export function StateBadge({ state }: { state: CustomerState }) {
  const { tone, Icon } = STATE_FACES[state]
  return (
    <Badge tone={tone} icon={<Icon className="icon" aria-hidden="true" />}>
      {customerStateLabels[state]}
    </Badge>
  )
}

const ALERT_ICONS: Readonly<Record<Exclude<CustomerAlert['kind'], 'penalty'>, typeof IconClock>> = {
  health: IconHeartbeat,
  debt: IconCash,
  renewal: IconRefreshAlert,
  signup_fee: IconReceipt,
  documents: IconSignature,
  expiring: IconClock,
}

/** What the staff must know about the customer. Penalties are left out, because they are shown below with the button that ends them. */
export function CustomerAlerts({ customer_id, onReceive }: { customer_id: number; onReceive: () => void }) {
  const staff = useStaff()
  const alerts = useCustomerFile(customer_id).data?.alerts.filter(({ kind }) => kind !== 'penalty') ?? []
  if (alerts.length === 0) return null
  return (
    <ul className="customer-alerts" aria-label="Avisos">
      {alerts.map(({ kind, message, detail }) => {
        const Icon = kind === 'penalty' ? IconAlertTriangle : ALERT_ICONS[kind]
        return (
          <li key={kind} className="alert-row">
            <Icon className="icon" aria-hidden="true" />
            <p className="grow">
              <b>{message}</b> {detail}
            </p>
            {kind === 'debt' && may(staff, 'sales.sell') && (
              <Button variant="outline" size="small" onClick={onReceive}>
                Cobrar
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** "Suele venir martes y jueves 19:30, con Sofía, fila 2.", and the next such class with its button. */
export function HabitText({ customer_id, onReserve }: { customer_id: number; onReserve: ((single_class_id: number) => void) | null }) {
  const habits = useCustomerFile(customer_id).data?.habits
  if (!habits) return null
  const { weekdays, hour, coach, row, location, next } = habits
  const days = new Intl.ListFormat('es-MX').format(weekdays)
  return (
    <div className="habit-line">
      <p className="grow">
        <b>{`Suele venir ${days} ${hour}${coach ? `, con ${coach}` : ''}${row ? `, fila ${row}` : ''}.`}</b>{' '}
        <span className="small muted">
          {next
            ? `El ${formatWall(next.class_date, 'class').split(', ')[0]} hay ${next.places_left === 1 ? '1 lugar' : `${next.places_left} lugares`} en ${next.class_type}.`
            : location}
        </span>
      </p>
      {next && onReserve && (
        <Button variant="outline" size="small" onClick={() => onReserve(next.single_class_id)}>
          Reservar
        </Button>
      )}
    </div>
  )
}

/** Figures of a customer: visits, the last month, absences and money. */
export function CustomerFigures({ customer_id }: { customer_id: number }) {
  const site = useSite()
  const file = useCustomerFile(customer_id)
  if (!file.data)
    return (
      <section className="panel-card" aria-label="Cifras">
        {file.isError ? (
          <div className="panel-body">
            <PartNotLoaded query={file}>No pudimos cargar sus cifras.</PartNotLoaded>
          </div>
        ) : (
          <Skeleton height="150px" />
        )}
      </section>
    )
  const { figures } = file.data
  const { visits, visits_30, visits_before, last_visit, first_visit, no_shows, marked, spent } = figures
  const day = (at: string) => formatInstant(new Date(at), site.zone, 'date')
  const facts = [
    ['Visitas', String(visits), last_visit ? `la última, el ${day(last_visit)}` : 'todavía ninguna'],
    ['Últimos 30 días', String(visits_30), `${visits_before} en los 30 días de antes`],
    [
      'No asistió',
      marked ? `${Math.round((100 * no_shows) / marked)} %` : '—',
      `${no_shows} de ${marked} ${marked === 1 ? 'clase' : 'clases'}`,
    ],
    [
      'Gastado',
      formatPesos(spent),
      first_visit ? `su primera clase, el ${day(first_visit)}` : visits > 0 ? 'venía desde antes' : 'sin clases todavía',
    ],
  ] as const
  return (
    <section className="panel-card" aria-label="Cifras">
      <dl className="customer-figures">
        {facts.map(([title, figure, detail]) => (
          <div key={title}>
            <dt className="small muted">{title}</dt>
            <dd className="figure">{figure}</dd>
            <dd className="small muted">{detail}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
