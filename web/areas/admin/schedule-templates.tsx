import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ScheduleTemplate } from '#contract/schedule-templates.ts'
import { isLocalDate, mondayOf } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { TemplateCard } from '#web/features/admin/timetable/template-card.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Plantillas', detail: true }

const ApplyTemplate = lazy(() => import('#web/features/admin/timetable/apply-template.tsx'))
const TemplateDialog = lazy(() => import('#web/features/admin/timetable/template-dialog.tsx'))

/** Plantillas: weeks with a name that are put into other weeks. */
export default function ScheduleTemplates() {
  const site = useSite()
  const today = todayIn(site.zone)
  const [query, setQuery] = useSearchParams()
  const [open, setOpen] = useState<{ kind: 'apply' | 'change'; template: ScheduleTemplate } | null>(null)
  const list = useQuery(queries.scheduleTemplates.list.queryOptions({ meta: { handled: true } }))
  const templates = list.data?.templates ?? []
  /** What was opened, as it is stored now. */
  const newest = (opened: ScheduleTemplate) =>
    templates.find((template) => template.schedule_template_id === opened.schedule_template_id) ?? opened
  const requestedWeek = query.get('semana')
  const week = requestedWeek !== null && isLocalDate(requestedWeek) ? mondayOf(requestedWeek) : null
  const showNew = () => setQuery({ semana: mondayOf(today) }, { replace: true, preventScrollReset: true })
  const close = () => {
    setOpen(null)
    setQuery({}, { replace: true, preventScrollReset: true })
  }
  useShortcuts('Plantillas', [!open && week === null && { keys: 'n', label: 'Guardar una semana', act: showNew }])
  const add = (
    <Button size="small" icon={<IconPlus className="icon" aria-hidden="true" />} onClick={showNew}>
      Guardar una semana
    </Button>
  )
  return (
    <>
      <ScreenHead title="Plantillas" about="Semanas con nombre, para ponerlas en otras.">
        {templates.length > 0 && add}
      </ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar las plantillas."
        nothing={
          templates.length === 0 && (
            <EmptyState action={add}>Guarda una semana con su nombre, Normal o Verano, y ponla en otras cuando la necesites.</EmptyState>
          )
        }
      >
        <ul className="plan-templates">
          {templates.map((template) => (
            <li key={template.schedule_template_id}>
              <TemplateCard
                template={template}
                onApply={() => setOpen({ kind: 'apply', template })}
                onChange={() => setOpen({ kind: 'change', template })}
              />
            </li>
          ))}
        </ul>
      </Loaded>
      <Suspense>
        {open?.kind === 'apply' && <ApplyTemplate template={open.template} today={today} onClose={close} />}
        {(week !== null || open?.kind === 'change') && (
          <TemplateDialog
            template={open?.kind === 'change' ? newest(open.template) : null}
            week={week ?? mondayOf(today)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
