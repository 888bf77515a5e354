import { IconBrandWhatsapp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { CounterOrder } from '#contract/counter-orders.ts'
import { formatPesos } from '#contract/money.ts'
import { whatsappLink } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { itemsText } from './sale-text.ts'

/** A payment link with the buttons to send it. */
export function LinkToSend({ order: { purchase, lines, charge }, link }: { order: CounterOrder; link: NonNullable<CounterOrder['link']> }) {
  const site = useSite()
  const { customer, purchase_id } = purchase
  const text = `Hola, ${customer.name}. Aquí puedes pagar ${itemsText(lines)} (${formatPesos(charge)}) en ${site.business_name}: ${link.url}`
  const send = useMutation({ meta: { handled: true }, mutationFn: () => api.counterOrders.send({ purchase_id }) })
  return (
    <div className="stack gap-12">
      <TextField label="Enlace de pago" readOnly value={link.url} onFocus={(event) => event.currentTarget.select()} />
      <p className="small muted">
        Sirve hasta el {formatInstant(new Date(link.until), site.zone, 'class')}. Ya se envió a {customer.email}.
      </p>
      <div className="row gap-8 wraps">
        {customer.phone && (
          <Button
            as="a"
            size="small"
            href={`${whatsappLink(customer.phone)}?text=${encodeURIComponent(text)}`}
            target="_blank"
            rel="noreferrer"
            icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
          >
            Enviar por WhatsApp
          </Button>
        )}
        <CopyButton text={link.url} what="el enlace" />
        <Button variant="outline" size="small" loading={send.isPending} onClick={() => send.mutate()}>
          Enviar otra vez por correo
        </Button>
        <span role="status" className="small">
          {send.isSuccess && 'Enviado.'}
        </span>
      </div>
      {send.isError && (
        <Banner tone="danger" live>
          {toFailure(send.error).message}
        </Banner>
      )}
    </div>
  )
}
