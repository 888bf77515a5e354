import { IconAlertCircle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatInstant } from '#contract/time.ts'
import type { FigurePeriod } from '#contract/today.ts'
import { ClassList } from '#web/features/admin/day/class-list.tsx'
import { daySentence } from '#web/features/admin/day/day-facts.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter, withLocation } from '#web/features/admin/frame/location-filter.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { monthName } from '#web/features/admin/today/figure-text.ts'
import { LatestSales } from '#web/features/admin/today/latest-sales.tsx'
import { PeriodFigures } from '#web/features/admin/today/period-figures.tsx'
import { groupTasks } from '#web/features/admin/today/task-groups.ts'
import { TaskList } from '#web/features/admin/today/task-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useQueryChange } from '#web/lib/query-change.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import '#web/features/admin/today/today.css'
import '#web/features/admin/table/data-table.css'

/** Until the first steps are done. */
const ProgressCard = lazy(() => import('#web/features/admin/onboarding/progress-card.tsx'))
const TodayCharts = lazy(() => import('#web/features/admin/today/today-charts.tsx'))

export const handle: AdminHandle = { title: 'Hoy' }

/** Reservations, payments and marks change while the screen is open. */
const REFETCH_MS = 20_000

const PERIODS: Readonly<Record<string, FigurePeriod>> = { dia: 'day', semana: 'week', mes: 'month' }

/**
 * Hoy: the day's classes and figures, and the open tasks. With the right to money it begins with figures and classes, for reception with
 * the tasks.
 */
export default function Today() {
  const site = useSite()
  const staff = useStaff()
  const now = useNow()
  const [search] = useSearchParams()
  const location_id = useLocationFilter()
  const hasFigures = may(staff, 'reports.money')
  const query = useQuery({
    ...queries.today.read.queryOptions({
      input: { period: PERIODS[search.get('periodo') ?? ''] ?? 'month', ...(location_id === null ? {} : { location_id }) },
      staleTime: 5_000,
      meta: { handled: true },
    }),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })
  const { figures, classes = [], tasks = [], purchases = [] } = query.data ?? {}
  const navigate = useNavigate()
  const next = classes.find((cls) => Date.parse(cls.ends_at) > now)
  useShortcuts('Hoy', [
    ...ROW_SHORTCUTS,
    ...Array.from({ length: Math.min(9, groupTasks(tasks).length) }, (_, at) => ({
      keys: String(at + 1),
      label: `Pendiente ${at + 1}`,
      act: () => openTask(at),
    })),
    next && { keys: 'l', label: 'Lista de la clase que sigue', act: () => void navigate(adminPaths.roster(next.single_class_id)) },
  ])
  const text = formatInstant(new Date(now), site.zone, 'long')
  const classPart = (
    <section key="classes" className={`panel-card ${hasFigures ? '' : 'today-whole'}`} aria-labelledby="clases-de-hoy">
      <div className="panel-head">
        <h2 id="clases-de-hoy" className="t3">
          Clases de hoy
        </h2>
        <AppLink to={withLocation(adminPaths.schedule, location_id)} className="link link-alone">
          Abrir horario
        </AppLink>
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar las clases de hoy."
        nothing={
          classes.length === 0 && (
            <EmptyState next={{ label: 'Abrir horario', to: withLocation(adminPaths.schedule, location_id) }}>
              Hoy no hay clases.
            </EmptyState>
          )
        }
      >
        <ClassList classes={classes} now={now} nowHour={formatInstant(new Date(now), site.zone, 'hour')} />
      </Loaded>
    </section>
  )
  const taskPart = (
    <section key="tasks" className={`panel-card task-panel ${hasFigures ? '' : 'today-whole'}`} aria-labelledby="por-atender">
      <div className="panel-head">
        <h2 id="por-atender" className="t3">
          Por atender
        </h2>
        {tasks.length > 0 && (
          <Badge tone="warn" icon={<IconAlertCircle className="icon" aria-hidden="true" />}>
            {tasks.length}
          </Badge>
        )}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar lo que hay por atender."
        nothing={tasks.length === 0 && <EmptyState>No hay nada por atender.</EmptyState>}
      >
        <TaskList tasks={tasks} />
      </Loaded>
    </section>
  )
  return (
    <>
      <ScreenHead title={text[0]?.toUpperCase() + text.slice(1)} about={query.data ? daySentence(classes, now) : ' '}>
        {hasFigures && <PeriodSwitch />}
      </ScreenHead>
      <div className="today-parts">
        {staff.onboarding && (
          <Suspense fallback={<div className="today-whole" style={{ minHeight: 124 }} />}>
            <ProgressCard {...staff.onboarding} />
          </Suspense>
        )}
        {figures && (
          <div className="today-whole">
            <PeriodFigures figures={figures} location_id={location_id} />
          </div>
        )}
        {hasFigures ? [classPart, taskPart] : [taskPart, classPart]}
        {hasFigures && (
          <Suspense>
            <TodayCharts location_id={location_id} />
          </Suspense>
        )}
        {may(staff, 'sales.sell') && query.data && (
          <section className="today-whole" aria-labelledby="ultimas-ventas">
            <div className="today-sales-head">
              <h2 id="ultimas-ventas" className="t3">
                Últimas ventas
              </h2>
              <AppLink to={adminPaths.sales} className="link link-alone">
                Todas las ventas
              </AppLink>
            </div>
            {purchases.length === 0 ? (
              <EmptyState next={{ label: 'Nueva venta', to: adminPaths.newSale }}>Todavía no hay ventas.</EmptyState>
            ) : (
              <LatestSales purchases={purchases} />
            )}
          </section>
        )}
      </div>
    </>
  )
}

/** Opens a row of Por atender: the screen of a task, or the tasks of one kind. */
const openTask = (at: number) =>
  document.querySelectorAll('.task-list > li')[at]?.querySelector<HTMLElement>('.task-group, .task-link')?.click()

/** The period of the figures, in the address. */
function PeriodSwitch() {
  const site = useSite()
  const [search] = useSearchParams()
  const changeQuery = useQueryChange()
  const month = monthName(todayIn(site.zone))
  const chosen = search.get('periodo') ?? ''
  return (
    <Segmented
      label="Periodo de las cifras"
      options={[
        { value: 'dia', label: 'Hoy' },
        { value: 'semana', label: 'Semana' },
        { value: 'mes', label: month[0]?.toUpperCase() + month.slice(1) },
      ]}
      value={chosen in PERIODS ? chosen : 'mes'}
      onChange={(value) => changeQuery({ periodo: value === 'mes' ? null : value }, { replace: true })}
    />
  )
}
