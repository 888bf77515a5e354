import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { KeyList } from '#web/features/admin/integrations/key-list.tsx'
import { WebhookList } from '#web/features/admin/integrations/webhook-list.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'
import '#web/features/admin/team/team.css'
import '#web/features/admin/integrations/integrations.css'

export const handle: AdminHandle = { title: 'Integraciones' }

/** Integraciones: API keys with their rights, and the webhooks of the studio. */
export default function Integrations() {
  const panel = useDialogParam(['llave', 'webhook'] as const)
  const of = (name: 'llave' | 'webhook') => (panel.open?.name === name ? panel.open.id : null)
  useShortcuts('Integraciones', [...ROW_SHORTCUTS, { keys: 'n', label: 'Llave nueva', act: () => panel.show('llave', 0) }])
  return (
    <>
      <ScreenHead title="Integraciones" about="Para los programas que trabajan con tu estudio.">
        <Button as="a" href="/api/reference/" variant="outline">
          Referencia de la API
        </Button>
      </ScreenHead>
      <KeyList open={of('llave')} onShow={(id) => panel.show('llave', id)} onClose={panel.close} />
      <WebhookList open={of('webhook')} onShow={(id) => panel.show('webhook', id)} onClose={panel.close} />
    </>
  )
}
