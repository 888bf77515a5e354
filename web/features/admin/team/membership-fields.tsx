import { useQuery } from '@tanstack/react-query'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { Role } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioCards, Switch } from '#web/ui/choice.tsx'
import { Select } from '#web/ui/field.tsx'
import { changesText, hasRight, type Membership, RIGHT_GROUPS, ROLE_OPTIONS, reasonText, rightLabel, withRight } from './team-text.ts'

export interface MemberForm extends Membership {
  /** null = all locations */
  location_ids: readonly number[] | null
  instructor_id: number | null
}

/** The role, locations, single rights and coach of a member. Rights that the caller lacks cannot be given. */
export function MembershipFields({ value, onChange }: { value: MemberForm; onChange: (value: MemberForm) => void }) {
  const staff = useStaff()
  const locations =
    useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } })).data?.locations ?? []
  const coaches =
    useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } })).data?.instructors ?? []
  // Another role begins with the rights of that role.
  const setRole = (role: Role) => onChange({ ...value, role, rights_added: [], rights_removed: [] })
  const chosen = value.location_ids
  return (
    <>
      <RadioCards legend="Función" options={ROLE_OPTIONS} value={value.role} onChange={setRole} />
      {locations.length > 1 && (
        <fieldset className="team-locations">
          <legend className="field-label">Estudios donde trabaja</legend>
          <Checkbox
            checked={chosen === null}
            onChange={(event) => onChange({ ...value, location_ids: event.currentTarget.checked ? null : [] })}
          >
            Todos
          </Checkbox>
          {locations.map(({ location_id, name }) => (
            <Checkbox
              key={location_id}
              disabled={chosen === null}
              checked={chosen === null || chosen.includes(location_id)}
              onChange={(event) =>
                onChange({
                  ...value,
                  location_ids: event.currentTarget.checked
                    ? [...(chosen ?? []), location_id]
                    : (chosen ?? []).filter((other) => other !== location_id),
                })
              }
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
      )}
      <Select
        label="Su perfil de coach"
        optional
        hint="Con él ve sus clases y quién viene."
        value={value.instructor_id ?? ''}
        onChange={(event) => onChange({ ...value, instructor_id: Number(event.currentTarget.value) || null })}
      >
        <option value="">No da clases</option>
        {coaches.map((coach) => (
          <option key={coach.instructor_id} value={coach.instructor_id}>
            {instructorName(coach)}
          </option>
        ))}
      </Select>
      <details className="team-rights">
        <summary>
          Permisos
          {changesText(value) && <Badge tone="brand">{changesText(value)}</Badge>}
        </summary>
        {(value.rights_added.length > 0 || value.rights_removed.length > 0) && (
          <button type="button" className="link" onClick={() => onChange({ ...value, rights_added: [], rights_removed: [] })}>
            Volver a los de {roleLabels[value.role]}
          </button>
        )}
        {RIGHT_GROUPS.map(({ title, keys }) => (
          <fieldset key={title} className="team-group">
            <legend>{title}</legend>
            {keys.map((key) => (
              <Switch
                key={key}
                checked={hasRight(value, key)}
                disabled={!may(staff, key)}
                hint={reasonText(value, key) || undefined}
                onChange={(event) => onChange({ ...value, ...withRight(value, key, event.currentTarget.checked) })}
              >
                {rightLabel(key)}
              </Switch>
            ))}
          </fieldset>
        ))}
      </details>
    </>
  )
}
