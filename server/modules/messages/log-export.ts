/** The delivery log as a file (docs/domain.md, "Lists as files"). */
import { messageChannelLabels, messageEventLabels, messageStatusLabels, whyNotSent } from '#contract/copy/message-log.ts'
import type { LoggedMessage } from '#contract/notifications.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { contactColumns, EXPORT_MAX_ROWS, type ExportColumn, exportList, momentColumns, rowsByPage } from '#server/modules/list-export.ts'
import { type LogInput, loggedMessages } from './message-log.ts'

/** Without the texts of the messages, which may contain log-in links. EXPORT_TOO_LARGE. */
export function exportMessages(ctx: Ctx, input: LogInput & { format: 'csv' | 'xlsx' }): Promise<File> {
  const columns: ExportColumn<LoggedMessage>[] = [
    ...momentColumns<LoggedMessage>('Fecha', (row) => new Date(row.createdAt), ctx.zone),
    { header: 'Para', cell: (row) => row.name || null },
    ...contactColumns<LoggedMessage>(ctx, (row) => ({
      email: row.channel === 'mail' ? row.address : null,
      phone: row.channel === 'whatsapp' ? row.address : null,
    })),
    { header: 'Por', cell: (row) => messageChannelLabels[row.channel] },
    { header: 'Mensaje', cell: (row) => messageEventLabels[row.event] },
    { header: 'Título', cell: (row) => row.title },
    { header: 'Estado', cell: (row) => messageStatusLabels[row.status] },
    { header: 'Motivo', cell: (row) => whyNotSent(row) },
    { header: 'Intentos', cell: (row) => row.tries },
    ...momentColumns<LoggedMessage>('Enviado', (row) => (row.sentAt === null ? null : new Date(row.sentAt)), ctx.zone),
  ]
  const { status, event, channel } = input
  const labels = {
    status: status && messageStatusLabels[status],
    event: event && messageEventLabels[event],
    channel: channel && messageChannelLabels[channel],
  }
  return exportList(ctx, {
    name: 'mensajes',
    title: 'Mensajes',
    columns,
    input: { ...input, ...labels },
    rows: rowsByPage<LoggedMessage>(
      (row) => row.message_id,
      async (page) => {
        const { messages, total } = await loggedMessages(ctx, input, page, EXPORT_MAX_ROWS + 1)
        return { rows: messages, total }
      },
    ),
  })
}
