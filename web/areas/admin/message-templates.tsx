import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import '#web/features/admin/messages/messages.css'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageChannelLabels, messageEventLabels } from '#contract/copy/message-log.ts'
import type { MessageTemplate } from '#contract/message-templates.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { APPROVAL_NAMES } from '#web/features/admin/messages/template-draft.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Badge } from '#web/ui/badge.tsx'

const TemplatePanel = lazy(async () => ({ default: (await import('#web/features/admin/messages/template-panel.tsx')).TemplatePanel }))

export const handle: AdminHandle = { title: 'Automáticos' }

/** Automáticos: the messages that leave by themselves, by which channels and with which text. */
export default function MessageTemplates() {
  const panel = useDialogParam(['mensaje'] as const)
  const query = useQuery(queries.messageTemplates.all.queryOptions({ meta: { handled: true } }))
  const { templates = [], whatsapp_connected = false } = query.data ?? {}
  // Dialogs are addressed by number: the place in the list, from 1.
  const opened = panel.open ? templates[panel.open.id - 1] : undefined
  useShortcuts('Automáticos', ROW_SHORTCUTS)
  return (
    <>
      <ScreenHead title="Automáticos" about="Lo que sale solo: por dónde, con qué palabras y qué dice WhatsApp de cada texto." />
      <Loaded query={query} skeleton={<ListSkeleton rows={8} />} failed="No pudimos cargar los mensajes automáticos." nothing={null}>
        <ul className="panel-card catalogue-list" aria-label="Mensajes automáticos">
          {templates.map(({ event, channels }, at) => (
            <li key={event}>
              <button type="button" className="catalogue-row" data-row onClick={() => panel.show('mensaje', at + 1)}>
                <span className="strong">{messageEventLabels[event]}</span>
                <span className="small muted page-facts">
                  {channels.map((one) => (
                    <ChannelFact key={one.channel} of={one} />
                  ))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
      {opened && (
        <Suspense>
          <TemplatePanel key={opened.event} templates={opened} isWhatsAppConnected={whatsapp_connected} onClose={panel.close} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the message goes by a channel, with an own text, and what WhatsApp decided about it. */
function ChannelFact({ of: { channel, enabled, locked, is_own, approval } }: { of: MessageTemplate }) {
  if (!enabled) return null
  return (
    <span className="template-channels">
      <Badge tone="neutral" icon={locked ? <IconLock className="icon" aria-hidden="true" /> : undefined}>
        {messageChannelLabels[channel]}
        {locked && <span className="sr-only">, siempre</span>}
        {is_own && ' · texto propio'}
      </Badge>
      {approval && approval.status !== 'unknown' && (
        <Badge tone={APPROVAL_NAMES[approval.status].tone}>{APPROVAL_NAMES[approval.status].label}</Badge>
      )}
    </span>
  )
}
