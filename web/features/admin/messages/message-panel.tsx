import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { messageChannelLabels, messageEventLabels } from '#contract/copy/message-log.ts'
import type { LoggedMessage } from '#contract/notifications.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import { messageTime, State } from './message-columns.tsx'
import './messages.css'

interface MessagePanelProps {
  message_id: number
  /** the message if the page of the list has it; otherwise it is read by its id */
  shown: LoggedMessage | undefined
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** One message: its text as it was sent, the state of its delivery, and sending it again. */
export function MessagePanel({ message_id, shown, onChanged, onClose }: MessagePanelProps) {
  const query = useQuery({
    ...queries.messages.log.queryOptions({ input: { message_id }, meta: { handled: true } }),
    enabled: !shown,
  })
  const message = shown ?? query.data?.messages[0]
  return (
    <Drawer open side="right" label="Mensaje" closeLabel="Cerrar" onClose={onClose} head={<h2 className="t3">Mensaje</h2>}>
      {message ? (
        <Details key={message.resends} message={message} onChanged={onChanged} />
      ) : (
        <Loaded query={query} skeleton={<ListSkeleton rows={2} />} failed="No pudimos cargar el mensaje." nothing={null}>
          <p className="record-panel muted">Este mensaje ya no está en la lista.</p>
        </Loaded>
      )}
    </Drawer>
  )
}

function Details({ message, onChanged }: { message: LoggedMessage; onChanged: () => Promise<unknown> }) {
  const { zone } = useSite()
  const staff = useStaff()
  const { customer_id, createdAt, sentAt, resends, reason } = message
  return (
    <div className="record-panel">
      <div>
        <p className="strong">{message.name}</p>
        <p className="small muted">
          {messageEventLabels[message.event]} · {messageChannelLabels[message.channel]} · {messageTime(sentAt ?? createdAt, zone)}
        </p>
      </div>
      <div>
        <State row={message} />
        {resends > 0 && <p className="small muted">{resends === 1 ? 'Se reenvió una vez.' : `Se reenvió ${resends} veces.`}</p>}
      </div>
      <section className="message-text-card" aria-label="Lo que se mandó">
        <p className="strong">{message.title}</p>
        <p className="sent-text">{message.text}</p>
      </section>
      {reason && (
        <details>
          <summary className="message-reason">Respuesta del servicio</summary>
          <p className="small muted sent-text">{reason}</p>
        </details>
      )}
      {message.resendable && may(staff, 'customers.edit') && <Resend message={message} onChanged={onChanged} />}
      {customer_id !== null && (
        <p>
          <AppLink to={adminPaths.customer(customer_id)} className="link link-alone">
            Ver ficha
          </AppLink>
        </p>
      )}
    </div>
  )
}

/** Sends it again; the address can be corrected first, unless the customer changes it from their own account. */
function Resend({ message, onChanged }: { message: LoggedMessage; onChanged: () => Promise<unknown> }) {
  const { message_id, channel, customer_id, has_account } = message
  const before = message.address ?? ''
  const [typed, setTyped] = useState(before)
  const isMail = channel === 'mail'
  const correctable = customer_id !== null && !(isMail && has_account)
  const address = typed.trim()
  const corrected = correctable && address !== before
  const send = useMutation({
    meta: { handled: true },
    mutationFn: () => api.messages.resend({ message_id, ...(corrected ? (isMail ? { email: address } : { phone: address }) : {}) }),
    async onSuccess() {
      await onChanged()
      showAlert('success', 'Mensaje reenviado.')
    },
  })
  const refused = send.error ? toFailure(send.error) : null
  const issues = fieldErrors(refused)
  const wrong = issues.email ?? issues.phone
  return (
    <form
      className="message-resend"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      {refused && !wrong && (
        <Banner tone="danger" live>
          {refused.message}
        </Banner>
      )}
      {correctable ? (
        <TextField
          label={isMail ? 'Su correo' : 'Su teléfono'}
          hint="Si lo corriges, también cambia en su ficha."
          type={isMail ? 'email' : 'tel'}
          autoComplete="off"
          maxLength={isMail ? 254 : 20}
          error={wrong}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : (
        customer_id !== null && <p className="small muted">Tiene cuenta: su correo, {before}, lo cambia desde ella.</p>
      )}
      <Button type="submit" loading={send.isPending} reason={correctable && address === '' ? 'Escribe a dónde enviarlo.' : null}>
        {corrected ? 'Corregir y reenviar' : 'Reenviar'}
      </Button>
    </form>
  )
}
