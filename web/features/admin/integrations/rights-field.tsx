import { apiKeyRights } from '#contract/api-keys.ts'
import type { Right } from '#contract/rights.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { RIGHT_GROUPS, rightLabel } from '#web/features/admin/team/team-text.ts'
import { Switch } from '#web/ui/choice.tsx'

/** The rights of a key, in the groups of the team's screen. */
export function RightsField({ value, onChange }: { value: readonly Right[]; onChange: (value: Right[]) => void }) {
  const staff = useStaff()
  return (
    <div className="key-rights">
      {RIGHT_GROUPS.map(({ title, keys }) => (
        <fieldset key={title} className="team-group">
          <legend>{title}</legend>
          {keys
            .filter((key) => apiKeyRights.includes(key))
            .map((key) => (
              <Switch
                key={key}
                checked={value.includes(key)}
                disabled={!may(staff, key) && !value.includes(key)}
                onChange={(event) => onChange(event.currentTarget.checked ? [...value, key] : value.filter((other) => other !== key))}
              >
                {rightLabel(key)}
              </Switch>
            ))}
        </fieldset>
      ))}
    </div>
  )
}
