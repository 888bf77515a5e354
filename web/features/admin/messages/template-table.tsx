import { IconLock } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AutomaticEvent, CHANNELS, type Channel } from '#contract/channels.ts'
import { messageChannelLabels, messageChannelPhrases, messageEventLabels } from '#contract/copy/message-log.ts'
import type { EventTemplates, MessageTemplate } from '#contract/message-templates.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { APPROVAL_NAMES } from './template-draft.ts'

interface TemplateTableProps {
  title: string
  templates: readonly EventTemplates[]
  onOpen: (event: AutomaticEvent) => void
}

/** The automatic messages of a group: when each is sent and by which channels, which are switched here. */
export function TemplateTable({ title, templates, onOpen }: TemplateTableProps) {
  return (
    <table className="panel-card template-table">
      <thead>
        <tr>
          <th scope="col">
            <h2 className="t3">{title}</h2>
          </th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col" className="small muted">
              {messageChannelLabels[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {templates.map(({ event, when, channels }) => (
          <tr key={event}>
            <th scope="row">
              <button type="button" className="template-open" data-row onClick={() => onOpen(event)}>
                <span className="strong">{messageEventLabels[event]}</span>
                <span className="small muted">{when}</span>
              </button>
            </th>
            {channels.map((channel) => (
              <td key={channel.channel}>
                <ChannelSwitch event={event} of={channel} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether the message is sent by a channel, has an own text there, and its approval by WhatsApp. */
function ChannelSwitch({ event, of }: { event: AutomaticEvent; of: MessageTemplate }) {
  const { channel, enabled, locked, is_own, approval } = of
  const client = useQueryClient()
  const change = useMutation({
    meta: { handled: true },
    mutationFn: (isOn: boolean) => api.messageTemplates.change({ event, channel, enabled: isOn }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.messageTemplates.key() })
      showAlert('success', 'Guardado.')
    },
    onError: (error) => showAlert('alert', toFailure(error).message),
  })
  return (
    <div className="template-channel">
      {locked ? (
        <span className="template-always small">
          <ChannelName channel={channel} />
          <span className="muted">
            <IconLock className="icon" aria-hidden="true" /> Siempre
          </span>
        </span>
      ) : (
        <Switch
          aria-label={`${messageEventLabels[event]} ${messageChannelPhrases[channel]}`}
          checked={change.isPending ? change.variables : enabled}
          onChange={(changed) => !change.isPending && change.mutate(changed.currentTarget.checked)}
        >
          <ChannelName channel={channel} />
        </Switch>
      )}
      {is_own && enabled && <Badge tone="neutral">Texto propio</Badge>}
      {approval && enabled && approval.status !== 'unknown' && (
        <Badge tone={APPROVAL_NAMES[approval.status].tone}>{APPROVAL_NAMES[approval.status].label}</Badge>
      )}
    </div>
  )
}

/** The name of a channel, which on a wide screen is the head of its column. */
const ChannelName = ({ channel }: { channel: Channel }) => <span className="template-channel-name">{messageChannelLabels[channel]}</span>
