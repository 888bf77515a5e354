import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { CardLinkView, OverdueTry } from '#contract/card-links.ts'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { CardEntry, type CardOrigins, useBankChallenge } from '#web/features/checkout/card-entry.tsx'
import type { CardFieldsHandle } from '#web/features/checkout/card-fields.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/card-change.ts'
import type { AccessHandle } from './layout.tsx'
import { Ending } from './link-parts.tsx'

/** The same cached document for every link; the browser loads which subscription it is about. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu lugar te sigue esperando', background: 'bg_login' },
  shell: true,
}

export function loader({ context }: Route.LoaderArgs) {
  const { cardFrames, providerSites } = context.get(rendering)
  return { frame: cardFrames[0] ?? null, sites: providerSites }
}

/** Opened by the email about an unpaid renewal: saves another card without logging in. */
export default function CardChangePage({ loaderData: cardOrigins }: Route.ComponentProps) {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Cambiar mi tarjeta</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink cardOrigins={cardOrigins} />
    </QueryClientProvider>
  )
}

function ByLink({ cardOrigins }: { cardOrigins: CardOrigins }) {
  const { token = '' } = useParams()
  const cardLink = useQuery(queries.cardLinks.shown.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } }))
  const [done, setDone] = useState<Done | null>(null)
  if (done?.paid)
    return (
      <Ending
        title={done.changed ? 'Listo, guardamos tu tarjeta' : 'Listo, tu cargo quedó pagado'}
        text={done.changed && done.card_label ? `Desde hoy se cobra a ${done.card_label}.` : null}
      >
        <Button as={AppLink} to={paths.mystudio.calendar}>
          Ir a Mis Clases
        </Button>
      </Ending>
    )
  if (cardLink.isError) {
    const { code, message } = toFailure(cardLink.error)
    // A truncated link fails validation instead of being looked up: treat both codes as an invalid link.
    const invalid = code === 'CARD_LINK_INVALID' || code === 'INVALID_INPUT'
    const expired = code === 'CARD_LINK_GONE'
    return (
      <Ending
        title={invalid ? accountErrors.CARD_LINK_INVALID.message : expired ? 'Este enlace ya no sirve' : 'No pudimos abrir este enlace'}
        text={invalid ? 'Tal vez se cortó al copiarlo. Ábrelo desde tu correo, o cambia la tarjeta desde Mis Compras.' : message}
      >
        {expired || invalid ? (
          <Button as={AppLink} to={paths.mystudio.purchases}>
            Ver mis compras
          </Button>
        ) : (
          <Button onClick={() => void cardLink.refetch()}>Intentar de nuevo</Button>
        )}
      </Ending>
    )
  }
  const shown = cardLink.data?.subscription
  return (
    <Loading
      loading={!shown}
      skeleton={
        <>
          <h1 className="sr-only">Cambiar mi tarjeta</h1>
          <Skeleton height="420px" />
        </>
      }
    >
      {shown && (
        <NewCard
          token={token}
          shown={shown}
          cardOrigins={cardOrigins}
          last={done}
          onDone={setDone}
          onFailed={() => void cardLink.refetch()}
        />
      )}
    </Loading>
  )
}

/** The result of the last try. */
interface Done extends OverdueTry {
  /** the new card is charged from now on */
  changed: boolean
  card_label: string | null
}

/** How often to poll for the result of a charge that the bank confirmed, and the pause between two polls. */
const MAX_POLLS = 5
const POLL_MS = 1_500

/** Runs the bank's 3-D Secure challenge for an overdue charge and polls for its result, because the processor reports it with a delay. */
async function payAfterChallenge(
  token: string,
  tried: OverdueTry,
  confirmAtBank: (secret: string, intent: 'payment') => Promise<string | null>,
) {
  if (!tried.clientSecret) return tried
  const failed = await confirmAtBank(tried.clientSecret, 'payment')
  if (failed) throw { code: 'CARD_CONFIRMATION', status: 402, message: failed, data: {} }
  let result = await api.cardLinks.confirm({ token })
  for (let poll = 1; !result.paid && !result.declined && poll < MAX_POLLS; poll++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    result = await api.cardLinks.confirm({ token })
  }
  return result
}

interface NewCardProps {
  token: string
  shown: CardLinkView
  cardOrigins: CardOrigins
  /** the last try did not pay the overdue amount */
  last: Done | null
  onDone: (done: Done) => void
  /** the challenge of the bank may have changed: load it again */
  onFailed: () => void
}

function NewCard({ token, shown, cardOrigins, last, onDone, onFailed }: NewCardProps) {
  const fields = useRef<CardFieldsHandle>(null)
  const [ready, setReady] = useState(false)
  const { confirmAtBank, challenge } = useBankChallenge(shown.card, cardOrigins)
  const pay = useMutation({
    meta: { handled: true },
    async mutationFn(how: 'same-card' | 'new-card'): Promise<Done> {
      if (how === 'same-card') {
        const tried = await payAfterChallenge(token, await api.cardLinks.confirm({ token }), confirmAtBank)
        return { ...tried, changed: false, card_label: shown.card_label }
      }
      const { clientSecret, paid, card_label } = await sendCard()
      const tried = await payAfterChallenge(token, { clientSecret, paid, declined: !paid && !clientSecret }, confirmAtBank)
      return { ...tried, changed: true, card_label }
    },
    onSuccess: onDone,
    onError: onFailed,
  })
  async function sendCard() {
    const token_id = (await fields.current?.tokenize()) ?? ''
    const first = await api.cardLinks.change({ token, token_id })
    if (!first.setup) return first
    const failed = await confirmAtBank(first.setup.clientSecret, 'setup')
    if (failed) throw { code: 'PAYMENT_SOURCE_FAILED', ...accountErrors.PAYMENT_SOURCE_FAILED }
    return api.cardLinks.change({ token, setup_id: first.setup.id })
  }
  const amount = formatPesos(shown.amount)
  return (
    <>
      <div className="stack gap-8">
        <p className="muted">
          {shown.name}, {shown.confirm_charge ? 'confirma el cargo de' : 'guarda la tarjeta de'}
        </p>
        <h1 className="t2">{shown.title}</h1>
        <p className="hour">{shown.next_date ? `${amount} el ${formatWall(shown.next_date, 'date')}` : amount}</p>
        {shown.card_label && <p className="small muted">Hasta hoy se cobra a {shown.card_label}.</p>}
      </div>
      {pay.isError ? (
        <Banner tone="danger" live>
          {toFailure(pay.error).message}
        </Banner>
      ) : last?.declined ? (
        <Banner tone="danger" live title="Tu banco no aceptó el cargo">
          {last.changed
            ? `Guardamos la tarjeta, pero el cargo de ${amount} no pasó. Prueba con otra.`
            : `El cargo de ${amount} no pasó. Prueba con otra tarjeta.`}
        </Banner>
      ) : last ? (
        <Banner tone="warn" live title="Tu banco está procesando el cargo">
          Te avisamos por correo cuando pase. No necesitas pagar de nuevo.
        </Banner>
      ) : shown.confirm_charge ? (
        <Banner tone="warn" title="Tu banco quiere que confirmes este cargo">
          Es tu renovación: sin tu confirmación no se cobra y no hay clases nuevas.
        </Banner>
      ) : (
        shown.past_due && (
          <Banner tone="warn" title="Tu renovación está pendiente">
            Al guardar la tarjeta se cobran {amount}.
          </Banner>
        )
      )}
      {shown.confirm_charge && (
        <>
          <Button
            full
            loading={pay.isPending && pay.variables === 'same-card'}
            disabled={pay.isPending}
            onClick={() => pay.mutate('same-card')}
          >
            Confirmar {amount} con mi banco
          </Button>
          <h2 className="t4">O paga con otra tarjeta</h2>
        </>
      )}
      {shown.card ? (
        <>
          <CardEntry ref={fields} card={shown.card} {...cardOrigins} onReady={setReady} />
          <Button
            full
            variant={shown.confirm_charge ? 'outline' : 'filled'}
            loading={pay.isPending && pay.variables === 'new-card'}
            disabled={pay.isPending}
            reason={ready ? null : 'Completa los datos de tu tarjeta.'}
            onClick={() => pay.mutate('new-card')}
          >
            {shown.past_due ? `Guardar y pagar ${amount}` : 'Guardar tarjeta'}
          </Button>
        </>
      ) : (
        <Banner tone="warn">{accountErrors.PAYMENT_METHOD_UNAVAILABLE.message}</Banner>
      )}
      <p className="small muted">La guarda el procesador de pagos; el estudio no ve ni guarda el número.</p>
      {challenge}
    </>
  )
}
