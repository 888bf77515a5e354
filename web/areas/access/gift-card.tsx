import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { GIFT_CARD_DELIVERY_DAYS } from '#contract/gift-card-delivery.ts'
import { formatPesos } from '#contract/money.ts'
import { giftCardsPath, paths } from '#contract/paths.ts'
import { addDays } from '#contract/time.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { dropDrafts, useDraft, VISITORS_DRAFT } from '#web/lib/use-dialog-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'

export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Regala movimiento', background: 'bg_login' },
  shell: true,
}

/** /tarjetas-de-regalo: buys a gift card of one of the studio's amounts; paid on the page of a payment link (docs/domain.md I9). */
export default function GiftCardPage() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Tarjetas de regalo</PageTitle>
      <Offer />
    </QueryClientProvider>
  )
}

function Offer() {
  const offer = useQuery(queries.giftCardOrders.offer.queryOptions({ staleTime: 0, meta: { handled: true } }))
  if (offer.isError && !offer.data)
    return (
      <>
        <h1 className="t2">Tarjetas de regalo</h1>
        <p role="alert">No pudimos cargar las tarjetas de regalo. Revisa tu conexión.</p>
        <Button variant="outline" onClick={() => void offer.refetch()}>
          Intentar de nuevo
        </Button>
      </>
    )
  const amounts = offer.data?.amounts
  return (
    <Loading
      loading={!amounts}
      skeleton={
        <>
          <h1 className="sr-only">Tarjetas de regalo</h1>
          <Skeleton height="712px" />
        </>
      }
    >
      {amounts && (amounts.length > 0 ? <Order amounts={amounts} /> : <Closed />)}
    </Loading>
  )
}

function Closed() {
  return (
    <>
      <h1 className="t2">Tarjetas de regalo</h1>
      <p>Por ahora no se venden en línea. Pregunta en recepción.</p>
      <p>
        <Button as={AppLink} to={paths.home}>
          Ir al sitio
        </Button>
      </p>
    </>
  )
}

const RECIPIENTS = [
  { value: 'other', label: 'A otra persona' },
  { value: 'me', label: 'A mí' },
] as const

function Order({ amounts }: { amounts: readonly string[] }) {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  const today = todayIn(site.zone)
  // Drafts, because the log-in and sign-up pages come between this form and its payment.
  const [chosenAmount, setAmount] = useDraft(`${VISITORS_DRAFT}regalo:cantidad`)
  const [chosenRecipient, setRecipient] = useDraft(`${VISITORS_DRAFT}regalo:quien`)
  const [name, setName] = useDraft(`${VISITORS_DRAFT}regalo:nombre`)
  const [email, setEmail] = useDraft(`${VISITORS_DRAFT}regalo:correo`)
  const [message, setMessage] = useDraft(`${VISITORS_DRAFT}regalo:dedicatoria`)
  const [day, setDay] = useDraft(`${VISITORS_DRAFT}regalo:dia`)
  const amount = amounts.includes(chosenAmount) ? chosenAmount : (amounts[0] ?? '')
  const recipient = chosenRecipient === 'me' ? 'me' : 'other'
  const buy = useIdempotentMutation(api.giftCardOrders.buy, {
    onSuccess({ path }) {
      dropDrafts()
      location.assign(path)
    },
    onError: () => {},
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    buy.mutate({
      amount,
      ...(recipient === 'other'
        ? { recipient: { name: name.trim(), email: email.trim() }, message: message.trim(), deliver_on: day || null }
        : {}),
    })
  }
  return (
    <form className="stack gap-16" onSubmit={submit}>
      <h1 className="t2">Regala una tarjeta</h1>
      <p className="muted">Sirve para pagar en {site.business_name}, en una o varias compras.</p>
      <Segmented
        label="Cantidad"
        options={amounts.map((value) => ({ value, label: formatPesos(value).replace(/\.00$/, '') }))}
        value={amount}
        onChange={setAmount}
      />
      <Segmented label="El código se envía" options={RECIPIENTS} value={recipient} onChange={setRecipient} />
      {recipient === 'other' && (
        <>
          <TextField label="Su nombre" required maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <TextField
            label="Su correo"
            type="email"
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <TextArea
            label="Dedicatoria"
            optional
            maxLength={500}
            rows={3}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <TextField
            label="Día de envío"
            type="date"
            optional
            hint="Si lo dejas vacío, se envía en cuanto la pagues."
            min={today}
            max={addDays(today, GIFT_CARD_DELIVERY_DAYS)}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        </>
      )}
      {buy.isError && (
        <Banner tone="danger" live>
          {toFailure(buy.error).message}
        </Banner>
      )}
      {session.state === 'signed-out' ? (
        <Button as="a" full href={paths.loginThen(giftCardsPath)}>
          Entrar para pagarla
        </Button>
      ) : (
        <Button full type="submit" loading={buy.isPending || buy.isSuccess || session.state === 'starting'}>
          Pagar {formatPesos(amount)}
        </Button>
      )}
    </form>
  )
}
