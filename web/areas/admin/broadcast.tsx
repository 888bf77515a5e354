import '#web/features/admin/frame/record-editor.css'
import '#web/features/admin/messages/messages.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { BroadcastFields } from '#web/features/admin/messages/broadcast-fields.tsx'
import { BroadcastPreview, ReachCard, useBroadcastReach } from '#web/features/admin/messages/broadcast-reach.tsx'
import { peopleCount } from '#web/features/admin/messages/broadcast-text.ts'
import { TestButtons } from '#web/features/admin/messages/test-buttons.tsx'
import { useBroadcastDraft } from '#web/features/admin/messages/use-broadcast-draft.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'

export const handle: AdminHandle = { title: 'Mensaje nuevo', detail: true }

/** A new broadcast: audience, channels, text and time; beside it the recipients, and who is left out and why. */
export default function NewBroadcast() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useBroadcastDraft()
  const { draft, audience, texts, sendAt, problems } = form
  const reach = useBroadcastReach(audience, draft.channels)
  const { preview } = reach
  const [confirming, setConfirming] = useState(false)
  const [left, setLeft] = useState(false)
  const send = useIdempotentMutation(api.broadcasts.create, {
    async onSuccess() {
      setLeft(true)
      showAlert('success', sendAt ? 'Mensaje programado.' : 'Mensaje enviándose.')
      await client.invalidateQueries({ queryKey: queries.broadcasts.key() })
      setTimeout(() => void navigate(adminPaths.broadcasts), 0)
    },
    onError: () => setConfirming(false),
  })
  const submit = () => {
    form.showProblems()
    if (Object.keys(problems).length > 0) showAlert('alert', 'Revisa los campos marcados.')
    else setConfirming(true)
  }
  const hasTexts = draft.subject !== '' || draft.text !== ''
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title="Mensaje nuevo" about="A muchos clientes a la vez. Las promociones solo llegan a quien las aceptó." />
        {send.error && (
          <Banner tone="danger" live>
            {toFailure(send.error).message}
          </Banner>
        )}
        <BroadcastFields form={form} />
        <div className="save-bar">
          <p className="small" role="status">
            {preview ? `Llega a ${peopleCount(preview.reached)} de ${preview.total.toLocaleString('es-MX')}.` : ' '}
          </p>
          <TestButtons channels={draft.channels} {...texts} />
          <Button loading={send.isPending} onClick={submit}>
            {sendAt ? 'Programar' : 'Enviar'}
          </Button>
        </div>
      </div>
      <aside className="record-aside" aria-label="A quiénes llega y cómo se ve">
        <ReachCard reach={reach} />
        <BroadcastPreview form={form} />
      </aside>
      <LeaveGuard when={hasTexts && !left && !send.isPending} />
      <ConfirmDialog
        open={confirming}
        title={sendAt ? 'Programar mensaje' : 'Enviar mensaje'}
        yes={sendAt ? 'Sí, programar' : 'Sí, enviar'}
        no="No, seguir escribiendo"
        destructive={false}
        onClose={() => setConfirming(false)}
        onConfirm={() =>
          audience ? send.mutateAsync({ ...texts, audience, channels: [...draft.channels], at: sendAt }).catch(() => undefined) : undefined
        }
      >
        {preview
          ? `Le llega a ${peopleCount(preview.reached)}${preview.left_out_total ? `; a ${peopleCount(preview.left_out_total)} no` : ''}.`
          : 'Todavía no se ha contado a cuántas personas llega.'}{' '}
        {sendAt ? 'Lo puedes detener o cancelar antes de que salga.' : 'Lo que sale no se puede recoger.'}
      </ConfirmDialog>
    </div>
  )
}
