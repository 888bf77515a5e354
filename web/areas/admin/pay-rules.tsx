import '#web/features/admin/payroll/payroll.css'
import { useQuery } from '@tanstack/react-query'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { payRuleList } from '#web/features/admin/payroll/rule-list.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'

export const handle: AdminHandle = { title: 'Reglas de pago', detail: true }

const LISTS = { staleTime: 300_000, meta: { handled: true } }

/** Reglas de pago: how much coaches are paid for a class. */
export default function PayRules() {
  const { zone } = useSite()
  const coaches = useQuery(queries.catalogue.instructors.queryOptions(LISTS)).data?.instructors ?? []
  const types = useQuery(queries.catalogue.classTypes.queryOptions(LISTS)).data?.class_types ?? []
  const locations = useQuery(queries.catalogue.locations.queryOptions(LISTS)).data?.locations ?? []
  const list = payRuleList(
    {
      coaches: coaches.map((coach) => ({ value: String(coach.instructor_id), label: instructorFullName(coach) })),
      types: types.map(({ class_type_id, name }) => ({ value: String(class_type_id), label: name })),
      locations: locations.map(({ location_id, name }) => ({ value: String(location_id), label: name })),
    },
    todayIn(zone),
  )
  return <ListScreen list={list} />
}
