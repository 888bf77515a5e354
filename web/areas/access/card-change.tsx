import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { CardChange, CardLinkShown } from '#contract/card-links.ts'
import { formatPesos } from '#contract/money.ts'
import { spokenInside } from '#contract/spoken-inside.ts'
import { formatWall } from '#contract/time.ts'
import { CardEntry, type CardPlaces, useBankQuestion } from '#web/features/card-entry.tsx'
import type { CardFieldsHandle } from '#web/features/card-fields.tsx'
import { PageTitle } from '#web/features/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/card-change.ts'
import type { AccessHandle } from './layout.tsx'

/** One document for every link: which subscription it is about is asked in the browser. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu lugar te sigue esperando', background: 'bg_login' },
  shell: true,
}

export function loader({ context }: Route.LoaderArgs) {
  const { cardFrames, providerSites } = context.get(rendering)
  return { frame: cardFrames[0] ?? null, sites: providerSites }
}

/** Where the mail about an unpaid renewal leads: another card, without logging in (payments study section 2). */
export default function CardChangePage({ loaderData: places }: Route.ComponentProps) {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Cambiar mi tarjeta</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink places={places} />
    </QueryClientProvider>
  )
}

function ByLink({ places }: { places: CardPlaces }) {
  const { token = '' } = useParams()
  const asked = useQuery(queries.cardLinks.shown.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } }))
  const [done, setDone] = useState<CardChange | null>(null)
  if (done?.paid)
    return (
      <Ending title="Listo, cambiamos tu tarjeta" text={done.card_label ? `Desde hoy se cobra a ${done.card_label}.` : null}>
        <Button as={AppLink} to={paths.mystudio.calendar}>
          Ir a Mis Clases
        </Button>
      </Ending>
    )
  if (asked.isError) {
    const { code, message } = failureOf(asked.error)
    // A link that was cut does not even look like one.
    const invalid = code === 'CARD_LINK_INVALID' || code === 'INVALID_INPUT'
    const gone = code === 'CARD_LINK_GONE'
    return (
      <Ending
        title={invalid ? spokenInside.CARD_LINK_INVALID.message : gone ? 'Este enlace ya no sirve' : 'No pudimos abrir este enlace'}
        text={invalid ? 'Tal vez se cortó al copiarlo. Ábrelo desde tu correo, o cambia la tarjeta desde Mis Compras.' : message}
      >
        {gone || invalid ? (
          <Button as={AppLink} to={paths.mystudio.purchases}>
            Ver mis compras
          </Button>
        ) : (
          <Button onClick={() => void asked.refetch()}>Intentar de nuevo</Button>
        )}
      </Ending>
    )
  }
  const shown = asked.data?.subscription
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
      {shown && <NewCard token={token} shown={shown} places={places} declined={done !== null} onDone={setDone} />}
    </Loading>
  )
}

function Ending({ title, text, children }: { title: string; text: string | null; children: ReactNode }) {
  return (
    <>
      <h1 className="t2">{title}</h1>
      {text && <p role="status">{text}</p>}
      {children && <p>{children}</p>}
    </>
  )
}

interface NewCardProps {
  token: string
  shown: CardLinkShown
  places: CardPlaces
  /** a card was changed and what is overdue was still not paid */
  declined: boolean
  onDone: (change: CardChange) => void
}

function NewCard({ token, shown, places, declined, onDone }: NewCardProps) {
  const fields = useRef<CardFieldsHandle>(null)
  const [ready, setReady] = useState(false)
  const { ask, question } = useBankQuestion(shown.card, places)
  const change = useMutation({
    meta: { handled: true },
    async mutationFn() {
      const token_id = (await fields.current?.tokenize()) ?? ''
      const first = await api.cardLinks.change({ token, token_id })
      if (!first.setup) return first
      const failed = await ask(first.setup.clientSecret, 'setup')
      if (failed) throw { code: 'PAYMENT_SOURCE_FAILED', ...spokenInside.PAYMENT_SOURCE_FAILED }
      return api.cardLinks.change({ token, setup_id: first.setup.id })
    },
    onSuccess: onDone,
  })
  const amount = formatPesos(shown.amount)
  return (
    <>
      <div className="stack gap-8">
        <p className="muted">{shown.name}, cambia la tarjeta de</p>
        <h1 className="t2">{shown.title}</h1>
        <p className="hour">{shown.next_date ? `${amount} el ${formatWall(shown.next_date, 'date')}` : amount}</p>
        {shown.card_label && <p className="small muted">Hasta hoy se cobra a {shown.card_label}.</p>}
      </div>
      {change.isError ? (
        <Notice tone="danger" live>
          {failureOf(change.error).message}
        </Notice>
      ) : declined ? (
        <Notice tone="danger" live title="Tu banco no aceptó el cargo">
          Guardamos la tarjeta, pero el cargo de {amount} no pasó. Prueba con otra.
        </Notice>
      ) : (
        shown.past_due && (
          <Notice tone="warn" title="Tu renovación está pendiente">
            Al guardar la tarjeta se cobran {amount}.
          </Notice>
        )
      )}
      {shown.card ? (
        <>
          <CardEntry ref={fields} card={shown.card} {...places} onReady={setReady} />
          <Button
            full
            loading={change.isPending}
            reason={ready ? null : 'Completa los datos de tu tarjeta.'}
            onClick={() => change.mutate()}
          >
            {shown.past_due ? `Guardar y pagar ${amount}` : 'Guardar tarjeta'}
          </Button>
        </>
      ) : (
        <Notice tone="warn">{spokenInside.PAYMENT_METHOD_UNAVAILABLE.message}</Notice>
      )}
      <p className="small muted">La guarda el procesador de pagos; el estudio no ve ni guarda el número.</p>
      {question}
    </>
  )
}
