import { useState } from 'react'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { fiscalFolio } from './fiscal-text.ts'

/** Mails the files of an invoice to its person or to another address. `short`: in a row of a table. */
export function MailInvoice({ document, short = false }: { document: FiscalDocument; short?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="outline"
        aria-haspopup="dialog"
        aria-label={`Enviar por correo ${fiscalFolio(document)}`}
        onClick={() => setOpen(true)}
      >
        {short ? 'Correo' : 'Enviar por correo'}
      </Button>
      {open && <MailDialog document={document} onClose={() => setOpen(false)} />}
    </>
  )
}

function MailDialog({ document, onClose }: { document: FiscalDocument; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const sending = useIdempotentMutation(api.fiscal.mail, {
    onSuccess() {
      showAlert('success', `${fiscalFolio(document)} va en camino.`)
      onClose()
    },
    onError: () => undefined,
  })
  const failure = sending.isError ? toFailure(sending.error) : null
  const issues = failure?.data.issues as { path: string; message: string }[] | undefined
  const isGlobal = document.kind === 'global'
  const missing = isGlobal && email.trim() === '' ? 'Escribe a qué correo.' : null
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title={`Enviar ${fiscalFolio(document)} por correo`}
      actions={
        <Button
          loading={sending.isPending}
          reason={missing}
          onClick={() => {
            if (missing) return
            const { fiscal_document_id } = document
            sending.mutate({ fiscal_document_id, ...(email.trim() ? { email: email.trim() } : {}) })
          }}
        >
          Enviar
        </Button>
      }
    >
      {failure && !issues && (
        <Banner tone="danger" live>
          {failure.message}
        </Banner>
      )}
      <p>{document.state === 'cancelled' ? 'Van su XML, su PDF y el acuse de cancelación.' : 'Van su XML y su PDF.'}</p>
      <TextField
        label="Correo"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        optional={!isGlobal}
        hint={isGlobal ? undefined : 'Vacío: al de la persona que compró.'}
        error={issues?.find(({ path }) => path === 'email')?.message}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </Dialog>
  )
}
