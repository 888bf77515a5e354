import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { CHANNELS, MESSAGE_EVENTS } from '#contract/channels.ts'
import { messageChannelLabels, messageEventLabels, messageStatusLabels } from '#contract/copy/message-log.ts'
import { pageCount } from '#contract/paging.ts'
import { isLocalDate } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { MailBanner } from '#web/features/admin/messages/mail-banner.tsx'
import { MessageCard, messageColumns } from '#web/features/admin/messages/message-columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { ChipSelect } from '#web/ui/chip-select.tsx'

const MessagePanel = lazy(async () => ({ default: (await import('#web/features/admin/messages/message-panel.tsx')).MessagePanel }))

export const handle: AdminHandle = { title: 'Mensajes' }

/** Messages per page of the log, as the server pages it. */
const PER_PAGE = 50

const STATES = (Object.keys(messageStatusLabels) as (keyof typeof messageStatusLabels)[]).map((value) => ({
  value,
  label: messageStatusLabels[value],
}))
const EVENTS = MESSAGE_EVENTS.map((value) => ({ value, label: messageEventLabels[value] }))
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: messageChannelLabels[value] }))

/** Mensajes: sent messages, the state of their delivery, and why one did not arrive. */
export default function Messages() {
  const { zone } = useSite()
  const client = useQueryClient()
  const table = useTableQuery(['estado', 'mensaje', 'por', 'desde', 'hasta', 'orden'])
  const panel = useDialogParam(['abierto'] as const)
  const { estado, mensaje, por, desde, hasta } = table.filters
  const status = STATES.find(({ value }) => value === estado)?.value
  const event = EVENTS.find(({ value }) => value === mensaje)?.value
  const channel = CHANNEL_OPTIONS.find(({ value }) => value === por)?.value
  const head = tableOrder(table, ['created', '-created'], '-created')
  const input = {
    page: table.page,
    sort: head.sort,
    ...(table.q ? { query: table.q.slice(0, 100) } : {}),
    ...(status ? { status } : {}),
    ...(event ? { event } : {}),
    ...(channel ? { channel } : {}),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const { page: _, ...all } = input
  const query = useQuery({
    ...queries.messages.log.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { messages = [], total = 0, has_more = false } = query.data ?? {}
  const open = (message_id: number) => panel.show('abierto', message_id)
  const staff = useStaff()
  const resend = useMutation({
    meta: { handled: true },
    mutationFn: (message_id: number) => api.messages.resend({ message_id }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.messages.key() })
      showAlert('success', 'Mensaje reenviado.')
    },
    onError: alertFailure,
  })
  const resendFocused = () => {
    const id = Number((document.activeElement as HTMLElement | null)?.dataset.row ?? 0)
    const found = messages.find(({ message_id }) => message_id === id)
    if (found?.resendable && !resend.isPending) resend.mutate(id)
  }
  useShortcuts('Este mensaje', [may(staff, 'customers.edit') && { keys: 'r', label: 'Reenviar el mensaje con foco', act: resendFocused }])
  return (
    <>
      <ScreenHead title="Mensajes" about="Lo que se envió a tus clientes y a tu equipo." />
      <MailBanner />
      <DataTable
        caption="Mensajes"
        list="mensajes"
        query={query}
        table={table}
        searchLabel="Nombre, correo o teléfono"
        filters={
          <>
            <ChipSelect
              label="Estado"
              all="Todos los estados"
              options={STATES}
              value={estado}
              onChange={(value) => table.setFilter('estado', value)}
            />
            <ChipSelect
              label="Mensaje"
              all="Todos los mensajes"
              options={EVENTS}
              value={mensaje}
              onChange={(value) => table.setFilter('mensaje', value)}
            />
            <ChipSelect
              label="Por"
              all="Todos los medios"
              options={CHANNEL_OPTIONS}
              value={por}
              onChange={(value) => table.setFilter('por', value)}
            />
            <DayFilter label="Desde" value={desde} onChange={(value) => table.setFilter('desde', value)} />
            <DayFilter label="Hasta" value={hasta} onChange={(value) => table.setFilter('hasta', value)} />
            <ExportMenu load={(format) => api.listExports.messages({ ...all, format })} />
          </>
        }
        columns={messageColumns(zone, open, sortHead({ header: 'Cuándo', by: 'created', first: 'down', ...head }))}
        rows={messages}
        rowKey={(row) => row.message_id}
        card={(row) => <MessageCard row={row} zone={zone} onOpen={open} />}
        totals={total === 1 ? '1 mensaje' : `${has_more ? 'Más de ' : ''}${total.toLocaleString('es-MX')} mensajes`}
        pages={query.data && pageCount(total, PER_PAGE)}
        failed="No pudimos cargar los mensajes."
        empty={<EmptyState>Todavía no se ha enviado nada.</EmptyState>}
      />
      {panel.open && (
        <Suspense>
          <MessagePanel
            message_id={panel.open.id}
            shown={messages.find(({ message_id }) => message_id === panel.open?.id)}
            onChanged={() => client.invalidateQueries({ queryKey: queries.messages.key() })}
            onClose={panel.close}
          />
        </Suspense>
      )}
    </>
  )
}
