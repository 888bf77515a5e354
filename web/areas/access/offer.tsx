import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { z } from 'zod'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { spotName } from '#contract/copy/names.ts'
import { paths } from '#contract/paths.ts'
import { allSpots, spotRows } from '#contract/spots.ts'
import { formatWall } from '#contract/time.ts'
import type { waitlistOfferView } from '#contract/waitlist.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import type { AccessHandle } from './layout.tsx'
import { Ending, OfferedClass } from './link-parts.tsx'

type Offer = z.infer<typeof waitlistOfferView>

/** The same cached document for every link; the browser loads the offer. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Se liberó tu lugar', background: 'bg_login' },
  shell: true,
}

/** Opened by the link of a waitlist offer: accept the spot on hold or decline it, without logging in (settled 22). */
export default function OfferPage() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Lista de espera</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink />
    </QueryClientProvider>
  )
}

function ByLink() {
  const { token = '' } = useParams()
  const offerQuery = useQuery(queries.waitlist.offer.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } }))
  const [passed, setPassed] = useState(false)
  if (offerQuery.isError) {
    const { code, message } = toFailure(offerQuery.error)
    // A truncated link fails validation instead of being looked up: treat both codes as an invalid link.
    const invalid = code === 'OFFER_INVALID' || code === 'INVALID_INPUT'
    return (
      <Ending
        title={invalid ? accountErrors.OFFER_INVALID.message : 'No pudimos abrir este enlace'}
        text={invalid ? 'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o responde desde tus listas de espera.' : message}
      >
        {invalid ? (
          <Button as={AppLink} to={paths.mystudio.waitlists}>
            Ver mis listas de espera
          </Button>
        ) : (
          <Button onClick={() => void offerQuery.refetch()}>Intentar de nuevo</Button>
        )}
      </Ending>
    )
  }
  const offer = offerQuery.data?.offer
  return (
    <Loading loading={!offer} skeleton={<Skeleton height="320px" />}>
      {offer &&
        (offer.state === 'open' ? (
          <Open key={token} token={token} offer={offer} onAnswer={(accepted) => setPassed(!accepted)} />
        ) : offer.state === 'booked' ? (
          <Ending title="El lugar es tuyo" text={`${offer.class_type}, ${formatWall(offer.class_date, 'class')}. Te esperamos.`}>
            <Button as={AppLink} to={paths.mystudio.reservations}>
              Ver mis reservaciones
            </Button>
          </Ending>
        ) : (
          <Ending
            title={passed ? 'Dejaste pasar el lugar' : accountErrors.OFFER_GONE.message}
            text={passed ? 'Gracias por avisar: ya es de quien sigue.' : 'Pasó a quien sigue en la lista, o la clase ya comenzó.'}
          >
            <Button as={AppLink} to={paths.mystudio.calendar}>
              Ver el calendario
            </Button>
          </Ending>
        ))}
    </Loading>
  )
}

/** Refusals that are solved by buying a package. */
const NO_CREDIT: readonly string[] = ['NO_CREDITS', 'NO_MATCHING_CREDITS']

function Open({ token, offer, onAnswer }: { token: string; offer: Offer; onAnswer: (accepted: boolean) => void }) {
  const site = useSite()
  const client = browserQueries()
  const [spot, setSpot] = useState<string | null>(null)
  const [wrong, setWrong] = useState<{ code: string; message: string } | null>(null)
  const rows = spotRows(offer.spot_map)
  const free = new Set(offer.spots)
  const closed = new Set(offer.closed_spots)
  const takenSpots = new Set(allSpots(offer.spot_map).filter((spot) => !free.has(spot) && !closed.has(spot)))
  const key = queries.waitlist.offer.queryKey({ input: { token } })
  const answer = useMutation({
    meta: { handled: true },
    mutationFn: (accept: boolean) => api.waitlist.answer({ token, accept, ...(accept && spot ? { spot } : {}) }),
    onSuccess(answered, accept) {
      onAnswer(accept)
      client.setQueryData(key, { offer: answered.offer })
    },
    async onError(error) {
      const { code, message } = toFailure(error)
      setWrong({ code, message })
      await client.invalidateQueries({ queryKey: key })
    },
  })
  const answerOffer = (accept: boolean) => {
    setWrong(null)
    answer.mutate(accept)
  }
  return (
    <>
      <OfferedClass cls={offer} lead={`${offer.name}, hay un lugar para ti en`} />
      {offer.until_wall && (
        <Banner tone="brand" title={`Apartado hasta el ${formatWall(offer.until_wall, 'class')}`}>
          Después pasa a quien sigue en la lista.
        </Banner>
      )}
      {rows && free.size > 0 && (
        <div className="stack">
          <p className="small muted">
            {spot ? spotName(spot, offer.seats?.find((seat) => seat.spot === spot)?.label) : 'Elige tu lugar, o te damos el primero libre.'}
          </p>
          <SpotMap rows={rows} seats={offer.seats} taken={takenSpots} broken={closed} value={spot} choosing="me" onChoose={setSpot} />
        </div>
      )}
      {wrong && (
        <Banner tone="danger" live>
          {wrong.message}{' '}
          {NO_CREDIT.includes(wrong.code) && (
            <AppLink className="link" to={paths.packages(site)}>
              Comprar Clases
            </AppLink>
          )}
        </Banner>
      )}
      <div className="stack">
        <Button full loading={answer.isPending && answer.variables} onClick={() => answerOffer(true)}>
          Tomar mi lugar
        </Button>
        <Button full variant="outline" loading={answer.isPending && !answer.variables} onClick={() => answerOffer(false)}>
          Dejarlo pasar
        </Button>
      </div>
      <p className="small muted">Al tomarlo se usa tu crédito como en cualquier reservación.</p>
    </>
  )
}
