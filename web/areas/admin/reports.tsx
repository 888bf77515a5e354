import { IconChevronRight, IconHistory, IconHourglass } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { QUESTION_KEYS, questions } from '#contract/copy/reports.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter, withLocation } from '#web/features/admin/frame/location-filter.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { amountText } from '#web/features/admin/reports/amount-text.ts'
import { recentReports } from '#web/features/admin/reports/recent-reports.ts'
import { FigureChange } from '#web/features/admin/reports/report-figures.tsx'
import { monthName } from '#web/features/admin/today/figure-text.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useQueryChange } from '#web/lib/query-change.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import '#web/features/admin/today/today.css'
import '#web/features/admin/reports/reports.css'
import '#web/ui/chip.css'

export const handle: AdminHandle = { title: 'Reportes' }

const PERIODS: Readonly<Record<string, 'week' | 'month' | 'year'>> = { semana: 'week', mes: 'month', ano: 'year' }

/** Reportes: the reports by question, each with its current figure. */
export default function Reports() {
  const site = useSite()
  const location_id = useLocationFilter()
  const [search] = useSearchParams()
  const changeQuery = useQueryChange()
  const chosen = search.get('periodo') ?? ''
  const month = monthName(todayIn(site.zone))
  const query = useQuery({
    ...queries.reports.list.queryOptions({
      input: { period: PERIODS[chosen] ?? 'month', ...(location_id === null ? {} : { location_id }) },
      staleTime: 60_000,
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.reports.some(({ preparing }) => preparing !== null) ? 10_000 : false),
  })
  const { reports = [], made_at } = query.data ?? {}
  const [opened] = useState(recentReports)
  // Without what the person may no longer see.
  const recent = opened.flatMap((key) => reports.find((report) => report.key === key) ?? [])
  useShortcuts('Reportes', ROW_SHORTCUTS)
  const until = made_at ? ` Las cifras van hasta hoy, ${formatInstant(new Date(made_at), site.zone, 'hour')}.` : ''
  return (
    <>
      <ScreenHead title="Reportes" about={`Elige una pregunta.${until}`}>
        <Segmented
          label="Periodo de las cifras"
          options={[
            { value: 'semana', label: 'Semana' },
            { value: 'mes', label: month[0]?.toUpperCase() + month.slice(1) },
            { value: 'ano', label: 'Año' },
          ]}
          value={chosen in PERIODS ? chosen : 'mes'}
          onChange={(value) => changeQuery({ periodo: value === 'mes' ? null : value }, { replace: true })}
        />
      </ScreenHead>
      <Loaded query={query} skeleton={<ListSkeleton rows={8} />} failed="No pudimos cargar los reportes." nothing={false}>
        {recent.length > 0 && (
          <nav className="report-recent" aria-label="Lo último que viste">
            <span className="muted">Lo último que viste</span>
            {recent.map(({ key, title }) => (
              <AppLink key={key} to={withLocation(adminPaths.report(key), location_id)} className="chip">
                <IconHistory className="icon" aria-hidden="true" /> {title}
              </AppLink>
            ))}
          </nav>
        )}
        <div className="report-questions">
          {QUESTION_KEYS.map((question) => {
            const answering = reports.filter((report) => report.question === question)
            if (answering.length === 0) return null
            return (
              <section key={question} className="panel-card" aria-labelledby={`pregunta-${question}`}>
                <div className="panel-head">
                  <h2 id={`pregunta-${question}`} className="t3">
                    {questions[question]}
                  </h2>
                </div>
                <ul className="report-list">
                  {answering.map(({ key, title, about, figure, missing_days, preparing }) => (
                    <li key={key}>
                      <AppLink to={withLocation(adminPaths.report(key), location_id)}>
                        <span className="grow">
                          <span className="strong">{title}</span>
                          <span className="small muted">{about}</span>
                        </span>
                        {figure ? (
                          <span className="report-present">
                            <b>{amountText(figure.value, figure.unit)}</b>
                            <span className="small muted">
                              <FigureChange figure={figure} />
                            </span>
                          </span>
                        ) : (
                          <Badge icon={<IconHourglass className="icon" aria-hidden="true" />}>
                            {preparing !== null ? 'En preparación' : missing_days === 1 ? 'Falta 1 día' : `Faltan ${missing_days} días`}
                          </Badge>
                        )}
                        <IconChevronRight className="icon muted" aria-hidden="true" />
                      </AppLink>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
        <p className="small muted report-foot">Cada cifra abre los renglones que la forman. Lo que ves depende de tus permisos.</p>
      </Loaded>
    </>
  )
}
