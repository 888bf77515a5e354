import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'

/** The same cached document for every link; the browser loads whose it is. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tú decides qué te llega', background: 'bg_login' },
  shell: true,
}

/** Opened by the link of a promotion: stops them, or allows them again, without logging in (BR6). Opening it changes nothing. */
export default function Unsubscribe() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Promociones</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink />
    </QueryClientProvider>
  )
}

function ByLink() {
  const { token = '' } = useParams()
  const site = useSite()
  const client = browserQueries()
  const options = queries.broadcasts.subscription.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } })
  const query = useQuery(options)
  const change = useMutation({
    meta: { handled: true },
    mutationFn: (subscribed: boolean) => api.broadcasts.subscribe({ token, subscribed }),
    onSuccess: (answer) => client.setQueryData(options.queryKey, answer),
  })
  if (query.isError) {
    const { code, message } = toFailure(query.error)
    // A truncated link fails validation instead of being looked up.
    const isInvalid = code === 'UNSUBSCRIBE_INVALID' || code === 'INVALID_INPUT'
    return (
      <>
        <h1 className="t2">{isInvalid ? 'Este enlace no es válido.' : 'No pudimos abrir este enlace'}</h1>
        <p role="status">
          {isInvalid ? 'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o cámbialo en tu cuenta, en Mis Mensajes.' : message}
        </p>
        <p>
          {isInvalid ? (
            <Button as={AppLink} to={paths.mystudio.messages}>
              Ir a Mis Mensajes
            </Button>
          ) : (
            <Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>
          )}
        </p>
      </>
    )
  }
  const { name, subscribed } = query.data ?? {}
  return (
    <Loading loading={!query.data} skeleton={<Skeleton height="220px" />}>
      <h1 className="t2">{subscribed ? '¿Dejar las promociones?' : 'Ya no te mandaremos promociones'}</h1>
      {change.isError && (
        <Banner tone="danger" live>
          {toFailure(change.error).message}
        </Banner>
      )}
      <p role="status">
        {subscribed
          ? `${name}, ya no te escribiremos de clases nuevas, paquetes ni eventos de ${site.business_name}. Lo de tus reservaciones y pagos te sigue llegando.`
          : 'Lo de tus reservaciones y pagos te sigue llegando.'}
      </p>
      <p>
        {subscribed ? (
          <Button loading={change.isPending} onClick={() => change.mutate(false)}>
            Dejar de recibirlas
          </Button>
        ) : (
          <Button variant="outline" loading={change.isPending} onClick={() => change.mutate(true)}>
            Volver a recibirlas
          </Button>
        )}
      </p>
    </Loading>
  )
}
