import '#web/ui/choice.css'
import { adminPaths } from '#contract/admin-paths.ts'
import { AUTOMATIC_EVENTS, CHANNELS, type Channel, isAlwaysSent, type MessageEvent, messageEvents } from '#contract/channels.ts'
import type { EditedSetting } from '#contract/content.ts'
import { messageChannelLabels, messageChannelPhrases, messageEventLabels } from '#contract/copy/message-log.ts'
import { AppLink } from '#web/lib/link.tsx'
import { FieldError } from '#web/ui/field-error.tsx'

type Matrix = Readonly<Record<string, readonly string[]>>

interface ChannelMatrixProps {
  setting: EditedSetting
  /** the events whose channels are not the usual ones */
  value: Matrix
  problem: string | undefined
  disabled: boolean
  onChange: (value: Matrix) => void
}

const isSame = (a: readonly string[], b: readonly string[]) => CHANNELS.every((channel) => a.includes(channel) === b.includes(channel))

/** The channels of each message; default values are not stored. */
export default function ChannelMatrix({ setting, value, problem, disabled, onChange }: ChannelMatrixProps) {
  const channelsOf = (event: MessageEvent): readonly string[] => value[event] ?? messageEvents[event].channels
  function toggle(event: MessageEvent, channel: Channel, on: boolean) {
    const next = CHANNELS.filter((option) => (option === channel ? on : channelsOf(event).includes(option)))
    const { [event]: _, ...others } = value
    onChange(isSame(next, messageEvents[event].channels) ? others : { ...others, [event]: next })
  }
  return (
    <div className="setting-matrix">
      <table>
        <caption>
          <span className="strong">{setting.label}</span>
          <span className="small muted">
            {setting.help}{' '}
            <AppLink className="link" to={adminPaths.messageTemplates}>
              Sus textos están en Automáticos
            </AppLink>
          </span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Aviso</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {messageChannelLabels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {AUTOMATIC_EVENTS.map((event) => (
            <tr key={event}>
              <th scope="row">
                {messageEventLabels[event]}
                {value[event] && <span className="setting-dot" title="Distinto de lo usual" />}
              </th>
              {CHANNELS.map((channel) => (
                <td key={channel}>
                  <label className="check">
                    <span className="sr-only">
                      {messageEventLabels[event]} {messageChannelPhrases[channel]}
                    </span>
                    <input
                      type="checkbox"
                      checked={isAlwaysSent(event, channel) || channelsOf(event).includes(channel)}
                      disabled={disabled || isAlwaysSent(event, channel)}
                      onChange={(changed) => toggle(event, channel, changed.currentTarget.checked)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  )
}
