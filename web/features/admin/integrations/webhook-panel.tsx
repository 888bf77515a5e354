import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { type Webhook, type WebhookEvent, webhookEvents } from '#contract/webhooks.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { ProvenPanel } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { EventTypesField } from './event-types-field.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'

interface WebhookPanelProps {
  webhook: Webhook
  onChanged: () => Promise<unknown>
  onClose: () => void
}

interface EventsDraft {
  /** in alphabetical order */
  event_types: WebhookEvent[]
}

const toDraft = ({ event_types }: Webhook): EventsDraft => ({ event_types: [...event_types].sort() })

const valueTexts = ({ event_types }: EventsDraft) => ({ Eventos: event_types.map((type) => webhookEvents[type]).join(', ') })

/** One webhook: what it gets, whether it arrives, what was sent and answered. */
export function WebhookPanel({ webhook, onChanged, onClose }: WebhookPanelProps) {
  const site = useSite()
  const { webhook_endpoint_id } = webhook
  const [removing, setRemoving] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { run, proof } = useProven()
  const act = useMutation({
    meta: { handled: true },
    async mutationFn({ call }: { call: () => Promise<unknown>; done?: string }) {
      await run(call)
    },
    async onSuccess(_, { done }) {
      await onChanged()
      if (done) showAlert('success', done)
    },
  })

  const edit = useVersionedEdit({
    stored: webhook,
    start: toDraft(webhook),
    toDraft,
    follows: true,
    send: ({ event_types }: EventsDraft, from: Webhook | null): Promise<void> =>
      run(async () => {
        const saved = await api.webhooks.update({ webhook_endpoint_id, event_types, ...(from && { if_updatedAt: from.updatedAt }) })
        await onChanged()
        edit.follow(saved.webhook)
        showAlert('success', 'Guardado.')
      }),
    reload: onChanged,
    onSaved: () => undefined,
  })
  const { conflict } = edit
  const { event_types: events } = edit.draft
  const failure = edit.refusal ?? (act.isError ? toFailure(act.error) : null)
  const problem = !edit.isChanged ? 'Sin cambios.' : events.length ? null : 'Elige al menos un evento.'
  const waiting = webhook.waiting === 1 ? 'Espera 1 evento.' : `Esperan ${webhook.waiting} eventos.`
  return (
    <ProvenPanel
      title={webhook.description || webhook.url}
      proof={proof}
      loading={act.isPending || edit.isSaving}
      problem={problem}
      onSave={edit.save}
      onClose={onClose}
    >
      <div className="record-panel">
        <p className="muted webhook-url">{webhook.url}</p>
        {webhook.stopped_at && (
          <Banner tone="danger">
            Lleva tres días sin responder y dejamos de intentar. {waiting} Revisa el otro programa y enciéndelo otra vez: todo se envía.
          </Banner>
        )}
        {!webhook.stopped_at && webhook.failing_since && (
          <Banner tone="warn">
            No responde como debe desde {formatInstant(new Date(webhook.failing_since), site.zone, 'class')}. {waiting} Se intenta otra vez
            solo.
          </Banner>
        )}
        {failure && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        {secret && <ShownSecret secret={secret} what="la firma" />}
        {proof}
        {!proof && (
          <div className="team-form">
            <Switch
              checked={webhook.is_active && !webhook.stopped_at}
              hint="Apagado no recibe lo que pase mientras tanto."
              onChange={(event) => {
                const is_active = event.currentTarget.checked
                act.mutate({ call: () => api.webhooks.update({ webhook_endpoint_id, is_active }), done: 'Guardado.' })
              }}
            >
              Enviar eventos
            </Switch>
            <EventTypesField value={events} onChange={(value) => edit.setDraft({ event_types: value.sort() })} />
            <div className="webhook-verbs">
              <Button
                variant="outline"
                size="small"
                onClick={() => act.mutate({ call: () => api.webhooks.test({ webhook_endpoint_id }), done: 'Prueba enviada.' })}
              >
                Enviar prueba
              </Button>
              <Button
                variant="outline"
                size="small"
                onClick={() => act.mutate({ call: async () => setSecret((await api.webhooks.rotate({ webhook_endpoint_id })).secret) })}
              >
                Cambiar secreto
              </Button>
              <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
                Eliminar
              </Button>
            </div>
            <WebhookDeliveries webhook_endpoint_id={webhook_endpoint_id} />
          </div>
        )}
      </div>
      {conflict && (
        <ConflictDialog title="Alguien más cambió este webhook" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} />
        </ConflictDialog>
      )}
      <ConfirmDialog
        open={removing}
        title="Eliminar webhook"
        yes="Sí, eliminar"
        no="No, volver"
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await act
            .mutateAsync({ call: () => api.webhooks.remove({ webhook_endpoint_id }), done: 'Webhook eliminado.' })
            .then(onClose)
            .catch(() => undefined)
          setRemoving(false)
        }}
      >
        ¿Dejamos de enviar a esta dirección? Lo que espera se pierde.
      </ConfirmDialog>
    </ProvenPanel>
  )
}
