import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEvent } from '#contract/webhooks.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { ProvenDialog } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { EventTypesField } from './event-types-field.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** Creates a webhook and shows the secret that signs its messages once. */
export function NewWebhookDialog({ onDone, onClose }: { onDone: () => Promise<unknown>; onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<WebhookEvent[]>([])
  const [shown, setShown] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { run, proof } = useProven()
  const wrong = {
    url: URL.canParse(url.trim()) ? null : 'Escribe una dirección completa, como https://ejemplo.mx/avisos.',
    events: events.length ? null : 'Elige al menos un evento.',
  }
  const create = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      run(async () => {
        setSecret((await api.webhooks.create({ url: url.trim(), description: description.trim(), event_types: events })).secret)
        await onDone()
      }),
  })
  const failure = create.isError ? toFailure(create.error) : null
  const refused = fieldErrors(failure).url
  if (secret)
    return (
      <Dialog open onClose={onClose} title="Webhook creado" actions={<Button onClick={onClose}>Ya lo guardé</Button>}>
        <ShownSecret secret={secret} what="la firma" />
        <p className="small muted">
          Con él, tu programa comprueba que cada mensaje es nuestro, como dice la especificación Standard Webhooks.
        </p>
      </Dialog>
    )
  return (
    <ProvenDialog
      title="Webhook nuevo"
      verb="Crear webhook"
      proof={proof}
      loading={create.isPending}
      failed={failure && !refused ? failure.message : null}
      onSubmit={() => {
        setShown(true)
        if (!wrong.url && !wrong.events) create.mutate()
      }}
      onClose={onClose}
    >
      <TextField
        label="Dirección"
        hint="La que te da el otro programa. Empieza con https://."
        inputMode="url"
        autoComplete="off"
        maxLength={500}
        error={(shown ? wrong.url : null) ?? refused ?? null}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextField
        label="Para qué es"
        optional
        maxLength={120}
        autoComplete="off"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {shown && wrong.events && (
        <Banner tone="danger" live>
          {wrong.events}
        </Banner>
      )}
      <EventTypesField value={events} onChange={setEvents} />
    </ProvenDialog>
  )
}
