import { type ReactNode, useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import { useIdempotentMutation } from '#web/lib/api.ts'
import type { CallContext } from '#web/lib/client.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'

interface ReasonDialogProps {
  title: string
  yes: string
  no: string
  danger?: boolean
  /** the consequence, shown before the action */
  consequence?: string
  /** a further reason why it cannot be sent yet, besides a missing reason */
  problem?: string | null
  /** `how`: passes the idempotency key of this action on to the call */
  send: (reason: string, how: { context: CallContext }) => Promise<unknown>
  /** another action with the same reason, beside the main one */
  other?: { label: string; send: (reason: string, how: { context: CallContext }) => Promise<unknown> }
  onDone: () => void
  onClose: () => void
  /** what the text is, when it is not a reason */
  label?: string
  hint?: string
  /** what is missing while it is too short */
  missing?: string
  /** the next step of a refusal, by its code */
  steps?: Readonly<Partial<Record<ErrorCode, ReactNode>>>
  /** further fields */
  children?: ReactNode
}

/** Confirms an action that needs a reason, which is stored with it. */
export function ReasonDialog({
  title,
  yes,
  no,
  danger = false,
  consequence,
  problem,
  send,
  other,
  onDone,
  onClose,
  steps = {},
  children,
  ...text
}: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const sending = useIdempotentMutation(send, { onSuccess: onDone, onError: () => undefined })
  const sendingOther = useIdempotentMutation(other?.send ?? send, { onSuccess: onDone, onError: () => undefined })
  const failed = sending.error ?? sendingOther.error
  const isBusy = sending.isPending || sendingOther.isPending
  const { code, message } = toFailure(failed)
  const step = (steps as Readonly<Record<string, ReactNode>>)[code]
  const missing = problem ?? (reason.trim().length < 3 ? (text.missing ?? 'Escribe el motivo.') : null)
  return (
    <Dialog
      open
      onClose={isBusy ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {no}
          </Button>
          {other && (
            <Button
              variant="outline"
              loading={sendingOther.isPending}
              reason={missing}
              onClick={() => !missing && !isBusy && sendingOther.mutate(reason.trim())}
            >
              {other.label}
            </Button>
          )}
          <Button
            variant={danger ? 'danger' : 'filled'}
            loading={sending.isPending}
            reason={missing}
            onClick={() => !missing && !isBusy && sending.mutate(reason.trim())}
          >
            {yes}
          </Button>
        </>
      }
    >
      {failed && (
        <Banner tone="danger" live {...(step ? { title: message } : {})}>
          {step ?? message}
        </Banner>
      )}
      {children}
      <TextArea
        label={text.label ?? 'Motivo'}
        hint={text.hint}
        rows={2}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {consequence && <Banner tone="warn">{consequence}</Banner>}
    </Dialog>
  )
}
