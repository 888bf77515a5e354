import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Holiday } from '#contract/holidays.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { Absences } from '#web/features/admin/timetable/absences.tsx'
import { HolidayRows } from '#web/features/admin/timetable/holiday-rows.tsx'
import '#web/features/admin/timetable/timetable.css'
import { YearStrip } from '#web/features/admin/timetable/year-strip.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Días sin clases', detail: true }

/** Years whose official holidays the server proposes. */
const FIRST_YEAR = 2020
const LAST_YEAR = 2099

const HolidayDialog = lazy(() => import('#web/features/admin/timetable/holiday-dialog.tsx'))
const OfficialDialog = lazy(() => import('#web/features/admin/timetable/official-dialog.tsx'))

/** Días sin clases: closures of a year, official holidays as a proposal, and absences of coaches. */
export default function Holidays() {
  const site = useSite()
  const staff = useStaff()
  const canEdit = may(staff, 'schedule.edit')
  const today = todayIn(site.zone)
  const [query, setQuery] = useSearchParams()
  const requestedYear = Number(query.get('anio'))
  const thisYear = Number(today.slice(0, 4))
  const year = Number.isInteger(requestedYear) && requestedYear >= FIRST_YEAR && requestedYear <= LAST_YEAR ? requestedYear : thisYear
  const [open, setOpen] = useState<'official' | 'new' | Holiday | null>(null)
  useShortcuts('Días sin clases', [canEdit && open === null && { keys: 'n', label: 'Agregar día', act: () => setOpen('new') }])
  const list = useQuery(queries.holidays.list.queryOptions({ input: { year }, meta: { handled: true } }))
  const rows = list.data?.holidays ?? []
  const show = (to: number) => setQuery({ anio: String(to) }, { replace: true, preventScrollReset: true })
  const official = (
    <Button variant="outline" size="small" onClick={() => setOpen('official')}>
      Agregar oficiales
    </Button>
  )
  return (
    <>
      <ScreenHead title="Días sin clases" about="Las series no tienen clases en estos días.">
        <div className="plan-head">
          <div className="plan-week-switch">
            <IconButton label="Año anterior" disabled={year <= FIRST_YEAR} onClick={() => show(year - 1)}>
              <IconChevronLeft className="icon" aria-hidden="true" />
            </IconButton>
            <span className="strong" aria-live="polite">
              {year}
            </span>
            <IconButton label="Año siguiente" disabled={year >= LAST_YEAR} onClick={() => show(year + 1)}>
              <IconChevronRight className="icon" aria-hidden="true" />
            </IconButton>
          </div>
          {canEdit && (
            <>
              {official}
              <Button size="small" icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => setOpen('new')}>
                Agregar día
              </Button>
            </>
          )}
        </div>
      </ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los días sin clases."
        nothing={rows.length === 0 && <EmptyState action={canEdit ? official : undefined}>No has marcado días.</EmptyState>}
      >
        <YearStrip year={year} holidays={rows} today={today} />
        <HolidayRows holidays={rows} onOpen={canEdit ? setOpen : null} />
      </Loaded>
      {canEdit && <Absences today={today} />}
      <Suspense>
        {open === 'official' && <OfficialDialog year={year} today={today} onClose={() => setOpen(null)} />}
        {open !== null && open !== 'official' && (
          <HolidayDialog
            holiday={open === 'new' ? null : (rows.find(({ holiday_id }) => holiday_id === open.holiday_id) ?? open)}
            day={year === thisYear ? today : `${year}-01-01`}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </>
  )
}
