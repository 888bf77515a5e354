import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { CoachCard } from '#web/features/admin/catalogue/coach-cards.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { payRuleList } from './rule-list.ts'

/** The rules that can decide the coach's pay: own ones, otherwise those for all coaches. */
export function CoachPayCard({ instructor_id }: { instructor_id: number }) {
  const site = useSite()
  const today = todayIn(site.zone)
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const query = useQuery(queries.payRules.all.queryOptions({ meta: { handled: true } }))
  const types = useQuery(queries.catalogue.classTypes.queryOptions(lists)).data?.class_types ?? []
  const locations = useQuery(queries.catalogue.locations.queryOptions(lists)).data?.locations ?? []
  const rules = payRuleList(
    {
      coaches: [],
      types: types.map((type) => ({ value: String(type.class_type_id), label: type.name })),
      locations: locations.map((location) => ({ value: String(location.location_id), label: location.name })),
    },
    today,
  )
  const current = (query.data?.pay_rules ?? []).filter(({ from_day }) => from_day <= today)
  const own = current.filter((rule) => rule.instructor_id === instructor_id)
  const shown = own.length > 0 ? own : current.filter((rule) => rule.instructor_id === null)
  return (
    <CoachCard title="Pago">
      {query.isError && <p className="muted">No pudimos cargar las reglas de pago.</p>}
      {query.data && (
        <p className="muted">
          {own.length > 0
            ? 'Tiene reglas propias.'
            : shown.length > 0
              ? 'Se le paga con las reglas de todos.'
              : 'Ninguna regla dice cuánto se le paga.'}
        </p>
      )}
      <ul className="coach-classes">
        {shown.map((rule) => (
          <li key={rule.pay_rule_id}>{rules.about(rule)}</li>
        ))}
      </ul>
      <AppLink to={adminPaths.payRules} className="link link-alone">
        Reglas de pago
      </AppLink>
    </CoachCard>
  )
}
