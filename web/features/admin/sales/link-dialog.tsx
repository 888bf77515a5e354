import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { whatsappLink } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

interface LinkDialogProps {
  title: string
  create: () => Promise<{ url: string; until: string }>
  phone: string | null | undefined
  /** The message that takes the link along. */
  messageOf: (url: string) => string
  /** How long the link works, before the day: "Sirve hasta el". */
  validity: string
  onClose: () => void
  children: ReactNode
}

/** Creates a link for a customer, to be copied or sent by WhatsApp. */
export function LinkDialog({ title, create, phone, messageOf, validity, onClose, children }: LinkDialogProps) {
  const site = useSite()
  const link = useMutation({ meta: { handled: true }, mutationFn: create })
  return (
    <Dialog
      open
      onClose={link.isPending ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cerrar
          </Button>
          {!link.data && (
            <Button loading={link.isPending} onClick={() => link.mutate()}>
              Crear enlace
            </Button>
          )}
          {phone && link.data && (
            <a
              className={buttonClass({})}
              href={`${whatsappLink(phone)}?text=${encodeURIComponent(messageOf(link.data.url))}`}
              target="_blank"
              rel="noopener"
            >
              Enviar por WhatsApp
            </a>
          )}
        </>
      }
    >
      {children}
      {link.isError && (
        <Banner tone="danger" live>
          {toFailure(link.error).message}
        </Banner>
      )}
      {link.data && (
        <>
          <TextField label="Enlace" readOnly value={link.data.url} onFocus={(event) => event.currentTarget.select()} />
          <div className="row gap-8 wraps">
            <CopyButton text={link.data.url} what="el enlace" />
            <span className="small muted">
              {validity} {formatInstant(new Date(link.data.until), site.zone, 'date')}.
            </span>
          </div>
        </>
      )}
    </Dialog>
  )
}
