import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import '#web/features/admin/messages/messages.css'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { AutomaticEvent } from '#contract/channels.ts'
import { AUTOMATIC_GROUPS, automaticGroupLabels, groupOfMessage } from '#contract/copy/automatic-messages.ts'
import { customerStateLabels } from '#contract/copy/customer-list.ts'
import { messageChannelLabels, messageEventLabels } from '#contract/copy/message-log.ts'
import type { EventTemplates, MessageTemplate } from '#contract/message-templates.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { automationFigures } from '#web/features/admin/messages/broadcast-text.ts'
import { TemplateTable } from '#web/features/admin/messages/template-table.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

const TemplatePanel = lazy(async () => ({ default: (await import('#web/features/admin/messages/template-panel.tsx')).TemplatePanel }))

const AutomationPanel = lazy(async () => ({ default: (await import('#web/features/admin/messages/automation-panel.tsx')).AutomationPanel }))

export const handle: AdminHandle = { title: 'Automáticos' }

/** Automáticos: the messages that leave by themselves, by which channels and with which text. */
export default function MessageTemplates() {
  const panel = useDialogParam(['mensaje', 'estado'] as const)
  const query = useQuery(queries.messageTemplates.all.queryOptions({ meta: { handled: true } }))
  const { templates = [], whatsapp_connected = false } = query.data ?? {}
  // Dialogs are addressed by number: the place in the list, from 1.
  const opened = panel.open?.name === 'mensaje' ? templates[panel.open.id - 1] : undefined
  const open = (event: AutomaticEvent) => panel.show('mensaje', templates.findIndex((template) => template.event === event) + 1)
  const staff = useStaff()
  useShortcuts('Automáticos', ROW_SHORTCUTS)
  return (
    <>
      <ScreenHead title="Automáticos" about="Lo que sale solo: por dónde, con qué palabras y qué dice WhatsApp de cada texto.">
        {may(staff, 'settings.edit') && (
          <Button as={AppLink} variant="outline" to={adminPaths.settingsArea('mensajes')}>
            Horas y medios
          </Button>
        )}
      </ScreenHead>
      <Loaded query={query} skeleton={<ListSkeleton rows={8} />} failed="No pudimos cargar los mensajes automáticos." nothing={null}>
        <div className="template-groups">
          {templates.filter(isRejected).map(({ event, channels }) => (
            <Rejected key={event} event={event} channels={channels} onOpen={() => open(event)} />
          ))}
          {AUTOMATIC_GROUPS.map((group) => (
            <TemplateTable
              key={group}
              title={automaticGroupLabels[group]}
              templates={templates.filter(({ event }) => groupOfMessage(event) === group)}
              onOpen={open}
            />
          ))}
        </div>
      </Loaded>
      <Automations
        opened={panel.open?.name === 'estado' ? panel.open.id : null}
        onShow={(id) => panel.show('estado', id)}
        onClose={panel.close}
      />
      {opened && (
        <Suspense>
          <TemplatePanel key={opened.event} templates={opened} isWhatsAppConnected={whatsapp_connected} onClose={panel.close} />
        </Suspense>
      )}
    </>
  )
}

interface AutomationsProps {
  /** the number of the open one; 0: a new one; null: none */
  opened: number | null
  onShow: (id: number) => void
  onClose: () => void
}

/** The messages that are sent when a customer changes to a state. */
function Automations({ opened, onShow, onClose }: AutomationsProps) {
  const { zone } = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.automations.all.queryOptions({ meta: { handled: true } }))
  const rows = query.data?.automations ?? []
  const shown = rows.find(({ automation_id }) => automation_id === opened) ?? null
  const add = (
    <Button variant="outline" icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => onShow(0)}>
      Agregar
    </Button>
  )
  return (
    <section className="automations" aria-labelledby="automations">
      <div className="automations-head">
        <h2 id="automations" className="t3">
          Al cambiar de estado
        </h2>
        {rows.length > 0 && add}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed="No pudimos cargar los mensajes al cambiar de estado."
        nothing={
          rows.length === 0 && (
            <EmptyState action={add}>
              Escríbele a tiempo a quien pasa a En riesgo o Por vencer: se manda solo, una vez al día, a quien aceptó promociones.
            </EmptyState>
          )
        }
      >
        <ul className="panel-card catalogue-list" aria-label="Mensajes al cambiar de estado">
          {rows.map((row) => (
            <li key={row.automation_id}>
              <button type="button" className="catalogue-row" data-row onClick={() => onShow(row.automation_id)}>
                <span className="strong">
                  {customerStateLabels[row.customer_state]}: {row.subject}
                </span>
                <span className="small muted page-facts">
                  {!row.enabled && <Badge tone="outline">Apagado</Badge>}
                  {row.stopped_because && <Badge tone="warn">No sale</Badge>}
                  {row.channels.map((channel) => (
                    <Badge key={channel} tone="neutral">
                      {messageChannelLabels[channel]}
                    </Badge>
                  ))}
                  {automationFigures(row, row.last_at && formatInstant(new Date(row.last_at), zone, 'date'))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Loaded>
      {(shown || opened === 0) && (
        <Suspense>
          <AutomationPanel
            key={opened}
            automation={shown}
            onChanged={() => client.invalidateQueries({ queryKey: queries.automations.key() })}
            onClose={onClose}
          />
        </Suspense>
      )}
    </section>
  )
}

const rejectionOf = (channels: readonly MessageTemplate[]) =>
  channels.find(({ enabled, approval }) => enabled && approval?.status === 'rejected')?.approval

const isRejected = ({ channels }: EventTemplates) => rejectionOf(channels) !== undefined

/** A text that WhatsApp rejected: why, and what is sent meanwhile. */
function Rejected({ event, channels, onOpen }: Pick<EventTemplates, 'event' | 'channels'> & { onOpen: () => void }) {
  const rejection = rejectionOf(channels)
  return (
    <Banner tone="danger" title={`WhatsApp rechazó “${messageEventLabels[event]}”`}>
      {rejection?.reason && <p>{rejection.reason}</p>}
      {!rejection?.is_live && <p>Mientras, sale el último texto aprobado o el de costumbre.</p>}
      <Button variant="quiet" size="small" onClick={onOpen}>
        Corregir
      </Button>
    </Banner>
  )
}
