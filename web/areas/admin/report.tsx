import { IconChevronLeft, IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { REPORT_KEYS, type ReportKey } from '#contract/copy/reports.ts'
import { daysBetween } from '#contract/day-count.ts'
import type { Report } from '#contract/reports.ts'
import { addDays, formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter, withLocation } from '#web/features/admin/frame/location-filter.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { shortDay } from '#web/features/admin/reports/amount-text.ts'
import { HeatGrid } from '#web/features/admin/reports/heat-grid.tsx'
import { rememberReport } from '#web/features/admin/reports/recent-reports.ts'
import { ReportChart } from '#web/features/admin/reports/report-chart.tsx'
import { ReportFigures } from '#web/features/admin/reports/report-figures.tsx'
import { ReportFilters } from '#web/features/admin/reports/report-filters.tsx'
import { useReportQuery } from '#web/features/admin/reports/report-query.ts'
import { ReportRows } from '#web/features/admin/reports/report-rows.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import '#web/features/admin/today/today.css'
import '#web/features/admin/table/data-table.css'
import '#web/features/admin/reports/reports.css'

export const handle: AdminHandle = { title: 'Reporte' }

const keyIn = (text: string | undefined): ReportKey | null => REPORT_KEYS.find((key) => key === text) ?? null

/** "19 oct – 15 nov, contra 21 sep – 18 oct. Hasta las 14:05." */
function aboutOf({ about, from, to, before, until_now, made_at, zone }: Report): string {
  const days = (stretch: { from: string; to: string }) =>
    stretch.from === stretch.to ? shortDay(stretch.from) : `${shortDay(stretch.from)} – ${shortDay(stretch.to)}`
  const compared = before ? `, contra ${days(before)}` : ''
  const until = until_now ? ` Hasta las ${formatInstant(new Date(made_at), zone, 'hour')} de hoy.` : ''
  return `${about}. ${days({ from, to })}${compared}.${until}`
}

/** One report: its headline, the figures of a period beside the previous ones, charts, rows and definitions. */
export default function ReportScreen() {
  const key = keyIn(useParams().clave)
  return key ? (
    <OneReport reportKey={key} />
  ) : (
    <>
      <ScreenHead title="Reporte" />
      <EmptyState>Este reporte no existe.</EmptyState>
    </>
  )
}

function OneReport({ reportKey }: { reportKey: ReportKey }) {
  const location_id = useLocationFilter()
  const { table, input } = useReportQuery()
  const query = useQuery({
    ...queries.reports.read.queryOptions({ input: { key: reportKey, ...input }, staleTime: 60_000, meta: { handled: true } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (preparationOf(state.error) ? PREPARING_MS : false),
  })
  const report = query.data?.key === reportKey ? query.data : undefined
  const opened = report?.key
  useEffect(() => {
    if (opened) rememberReport(opened)
  }, [opened])
  const shift = (by: number) => {
    if (!report) return
    const length = daysBetween(report.from, report.to) + 1
    table.setFilters({ desde: addDays(report.from, by * length), hasta: addDays(report.to, by * length) })
  }
  useShortcuts('Reporte', [
    ...ROW_SHORTCUTS,
    { keys: '[', label: 'Periodo anterior', act: () => shift(-1) },
    { keys: ']', label: 'Periodo siguiente', act: () => shift(1) },
    { keys: 'p', label: 'Elegir el periodo', act: () => document.querySelector<HTMLElement>('.report-filters select')?.focus() },
    { keys: 't', label: 'Gráficas como tabla, o no', act: toggleTables },
  ])
  return (
    <div className={`report ${query.isPlaceholderData ? 'report-old' : ''}`} aria-busy={query.isPlaceholderData}>
      <AppLink to={withLocation(adminPaths.reports, location_id)} className="report-back muted">
        <IconChevronLeft className="icon" aria-hidden="true" /> Reportes
      </AppLink>
      <ScreenHead title={report?.title ?? 'Reporte'} about={report ? aboutOf(report) : ' '}>
        <div className="row gap-8 report-tools">
          <ExportMenu load={(format) => api.reports.file({ key: reportKey, ...input, format })} />
          <button type="button" className="icon-btn icon-btn-outline" aria-label="Imprimir" onClick={() => window.print()}>
            <IconPrinter className="icon" aria-hidden="true" />
          </button>
        </div>
      </ScreenHead>
      {report && <ReportFilters table={table} report={report} />}
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={6} />}
        failed={preparationOf(query.error) ?? 'No pudimos cargar este reporte.'}
        nothing={false}
      >
        {report && <ReportBody report={report} />}
      </Loaded>
    </div>
  )
}

/** How often a report that is being prepared is read again. */
const PREPARING_MS = 10_000

/** What is left to prepare before the report can be read, as a sentence. */
function preparationOf(error: unknown): string | null {
  if (!error) return null
  const { code, message } = toFailure(error)
  return code === 'INCOME_BEING_PREPARED' ? message : null
}

/** Opens the tables of all charts, or closes them when all are open. */
function toggleTables(): void {
  const tables = [...document.querySelectorAll<HTMLDetailsElement>('.report-table-twin')]
  const isOpen = tables.every((table) => table.open)
  for (const table of tables) table.open = !isOpen
}

function ReportBody({ report }: { report: Report }) {
  const { headline, figures, charts, heat, rows, definitions, notes, table_title } = report
  return (
    <div className="report-parts">
      {headline && (
        <section className="report-headline" aria-label="Lo más importante">
          <div className="grow">
            <p className="t2">{headline.text}</p>
            {headline.detail && <p className="small">{headline.detail}</p>}
          </div>
          <div className="report-verbs">
            {headline.actions.map(({ label, path }, at) => (
              <AppLink key={path} to={path} className={at === 0 ? 'btn' : 'link link-alone'}>
                {label}
              </AppLink>
            ))}
          </div>
        </section>
      )}
      <ReportFigures figures={figures} />
      {notes.map((note) => (
        <p key={note} className="small muted report-note">
          {note}
        </p>
      ))}
      {heat && heat.cells.length > 0 && <HeatGrid heat={heat} compared={report.before !== null} />}
      {charts.length > 0 && (
        <div className={charts.length > 1 ? 'report-charts' : undefined}>
          {charts.map((chart) => (
            <ReportChart key={chart.title} chart={chart} />
          ))}
        </div>
      )}
      <section aria-labelledby="renglones">
        <h2 id="renglones" className="t3 report-rows-head">
          {table_title}
        </h2>
        {rows.length === 0 ? <NoRows reportKey={report.key} /> : <ReportRows report={report} />}
      </section>
      <section className="panel-card" aria-labelledby="como-se-calcula">
        <div className="panel-head">
          <h2 id="como-se-calcula" className="t3">
            ¿Cómo se calcula?
          </h2>
        </div>
        <dl className="report-definitions">
          {definitions.map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}

/** A report without rows: a studio that is too young for it reads how much history is missing. */
function NoRows({ reportKey }: { reportKey: ReportKey }) {
  const location_id = useLocationFilter()
  const index = useQuery(
    queries.reports.list.queryOptions({
      input: { period: 'month', ...(location_id === null ? {} : { location_id }) },
      staleTime: 60_000,
      meta: { handled: true },
    }),
  )
  const missing = index.data?.reports.find(({ key }) => key === reportKey)?.missing_days ?? 0
  return (
    <EmptyState next={{ label: 'Ver otros reportes', to: withLocation(adminPaths.reports, location_id) }}>
      {missing === 0
        ? 'No hubo nada en este periodo.'
        : missing === 1
          ? 'Este reporte necesita más historia: falta 1 día.'
          : `Este reporte necesita más historia: faltan ${missing} días.`}
    </EmptyState>
  )
}
