import { IconBrandWhatsapp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whatsappLink } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

/** Sends the receipt of a sale: by mail, or its link with WhatsApp. */
export default function SendReceipt({ sale_id, onClose }: { sale_id: number; onClose: () => void }) {
  const site = useSite()
  const [email, setEmail] = useState('')
  const link = useQuery({ queryKey: ['sale-receipt-link', sale_id], queryFn: () => api.counterSales.receiptLink({ sale_id }), gcTime: 0 })
  const sending = useIdempotentMutation(api.counterSales.mailReceipt, {
    onSuccess() {
      showAlert('success', 'El recibo va en camino.')
      onClose()
    },
    onError: () => undefined,
  })
  const failure = sending.isError ? toFailure(sending.error) : link.isError ? toFailure(link.error) : null
  const issues = failure?.data.issues as { path: string; message: string }[] | undefined
  const { url, until, to } = link.data ?? { url: '', until: '', to: null }
  const typed = email.trim()
  const missing = link.data && !to?.email && typed === '' ? 'Escribe a qué correo.' : null
  const text = `Hola${to ? `, ${to.name}` : ''}. Este es tu recibo de ${site.business_name}: ${url}`
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title="Enviar recibo"
      actions={
        <Button
          loading={sending.isPending || link.isPending}
          reason={missing}
          onClick={() => {
            if (!missing) sending.mutate({ sale_id, ...(typed ? { email: typed } : {}) })
          }}
        >
          Enviar por correo
        </Button>
      }
    >
      {failure && !issues && (
        <Banner tone="danger" live>
          {failure.message}
        </Banner>
      )}
      <p>Lleva todo lo que se vendió y cada forma de pago, en PDF.</p>
      <TextField
        label="Correo"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        optional={Boolean(to?.email)}
        hint={to?.email ? `Vacío: a ${to.email}.` : undefined}
        error={issues?.find(({ path }) => path === 'email')?.message}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {link.data && (
        <div className="stack gap-8">
          <div className="row gap-8 wraps">
            {to?.phone && (
              <Button
                as="a"
                size="small"
                variant="outline"
                href={`${whatsappLink(to.phone)}?text=${encodeURIComponent(text)}`}
                target="_blank"
                rel="noreferrer"
                icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
              >
                Enviar por WhatsApp
              </Button>
            )}
            <CopyButton text={url} what="el enlace" />
          </div>
          <p className="small muted">El enlace abre sin iniciar sesión hasta el {formatInstant(new Date(until), site.zone, 'date')}.</p>
        </div>
      )}
    </Dialog>
  )
}
