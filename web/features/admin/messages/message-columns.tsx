import { messageChannelLabels, messageStatusLabels, whyNotSent } from '#contract/copy/message-log.ts'
import type { LoggedMessage } from '#contract/notifications.ts'
import { formatInstant } from '#contract/time.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Column } from '#web/ui/table.tsx'
import { MESSAGE_TONES } from './message-tones.ts'
import './messages.css'

type Open = (message_id: number) => void

/** The columns of the log; the title opens the message. `when`: the head of the column of their time. */
export const messageColumns = (
  zone: string,
  onOpen: Open,
  when: Pick<Column<LoggedMessage>, 'header' | 'head' | 'sorted' | 'order'>,
): readonly Column<LoggedMessage>[] => [
  { header: 'Mensaje', cell: (row) => <Title row={row} onOpen={onOpen} /> },
  { header: 'Persona', cell: (row) => row.name },
  { header: 'Por', cell: (row) => <span className="muted">{messageChannelLabels[row.channel]}</span> },
  { ...when, cell: (row) => <span className="nowrap">{messageTime(row.createdAt, zone)}</span> },
  { header: 'Estado', cell: (row) => <State row={row} /> },
]

/** A message as a card. */
export function MessageCard({ row, zone, onOpen }: { row: LoggedMessage; zone: string; onOpen: Open }) {
  return (
    <>
      <Title row={row} onOpen={onOpen} />
      <p>{row.name}</p>
      <p className="small muted">
        {messageChannelLabels[row.channel]} · {messageTime(row.createdAt, zone)}
      </p>
      <p>
        <State row={row} />
      </p>
    </>
  )
}

/** "23 nov 2026, 10:05". */
export const messageTime = (at: string, zone: string): string =>
  `${formatInstant(new Date(at), zone, 'date')}, ${formatInstant(new Date(at), zone, 'hour')}`

function Title({ row, onOpen }: { row: LoggedMessage; onOpen: Open }) {
  return (
    <button type="button" className="message-open strong" data-row={row.message_id} onClick={() => onOpen(row.message_id)}>
      {row.title}
    </button>
  )
}

/** The state, and why it was not sent. */
export function State({ row }: { row: LoggedMessage }) {
  const why = whyNotSent(row)
  return (
    <>
      <Badge tone={MESSAGE_TONES[row.status]}>{messageStatusLabels[row.status]}</Badge>
      {why && <p className="small muted">{why}</p>}
    </>
  )
}
