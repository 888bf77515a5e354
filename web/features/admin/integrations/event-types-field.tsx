import { type WebhookEvent, webhookEvents } from '#contract/webhooks.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

const EVENTS = Object.entries(webhookEvents) as [WebhookEvent, string][]

/** Which events a webhook gets. */
export function EventTypesField({ value, onChange }: { value: readonly WebhookEvent[]; onChange: (value: WebhookEvent[]) => void }) {
  return (
    <fieldset className="team-group">
      <legend>Eventos</legend>
      {EVENTS.map(([key, label]) => (
        <Checkbox
          key={key}
          checked={value.includes(key)}
          onChange={(event) => onChange(event.currentTarget.checked ? [...value, key] : value.filter((other) => other !== key))}
        >
          {label} <code className="small muted">{key}</code>
        </Checkbox>
      ))}
    </fieldset>
  )
}
