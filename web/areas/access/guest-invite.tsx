import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { validation } from '#contract/copy/messages.ts'
import { spotInSentence } from '#contract/copy/names.ts'
import type { GuestInviteView } from '#contract/guest-invites.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'
import { Ending, OfferedClass } from './link-parts.tsx'

/** The same cached document for every link; the browser loads the invitation. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Te guardaron un lugar', background: 'bg_login' },
  shell: true,
}

/** Opened by the link of “Ven conmigo”: the guest takes the place held for them, without an account (docs/domain.md R31). */
export default function GuestInvitePage() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Ven conmigo</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink />
    </QueryClientProvider>
  )
}

function ByLink() {
  const { token = '' } = useParams()
  const query = useQuery(queries.guestInvites.one.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } }))
  if (query.isError) {
    const { code, message } = toFailure(query.error)
    // A truncated link fails validation instead of being looked up.
    const invalid = code === 'GUEST_INVITE_INVALID' || code === 'INVALID_INPUT'
    return (
      <Ending
        title={invalid ? 'Este enlace no es válido.' : 'No pudimos abrir este enlace'}
        text={invalid ? 'Tal vez se cortó al copiarlo.' : message}
      >
        <Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>
      </Ending>
    )
  }
  const invitation = query.data?.invitation
  return (
    <Loading loading={!invitation} skeleton={<Skeleton height="320px" />}>
      {invitation && <Shown token={token} of={invitation} />}
    </Loading>
  )
}

function Shown({ token, of }: { token: string; of: GuestInviteView }) {
  const when = `${of.class_type}, ${formatWall(of.class_date, 'class')}`
  if (of.state === 'open') return <Open key={token} token={token} of={of} />
  const calendar = (
    <Button as={AppLink} to={paths.schedule} variant={of.state === 'taken' ? 'outline' : 'filled'}>
      Ver el calendario
    </Button>
  )
  if (of.state === 'gone')
    return (
      <Ending title="Este lugar ya no está apartado" text={`Era para ${when}. Pídele a ${of.host} otro enlace, o reserva el tuyo.`}>
        {calendar}
      </Ending>
    )
  const seat = of.guest_spot ? ` Tu lugar es ${spotInSentence(of.guest_spot, of.guest_seat_label)}.` : ''
  return (
    <Ending title={`${of.guest ?? 'Alguien'} va con ${of.host}`} text={`${when}, en ${of.location}.${seat}`}>
      {calendar}
    </Ending>
  )
}

function Open({ token, of }: { token: string; of: GuestInviteView }) {
  const client = browserQueries()
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const key = queries.guestInvites.one.queryKey({ input: { token } })
  const accept = useMutation({
    meta: { handled: true },
    mutationFn: (guestName: string) => api.guestInvites.accept({ token, name: guestName }),
    onSuccess: (answer) => client.setQueryData(key, answer),
    onError: () => client.invalidateQueries({ queryKey: key }),
  })
  function submit() {
    const guestName = name.trim()
    setWrong(guestName.length < 2 ? validation.guestName : null)
    if (guestName.length >= 2) accept.mutate(guestName)
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <OfferedClass cls={of} lead={`${of.host} te invita a`} />
      {of.until_wall && <Banner tone="brand" title={`Tu lugar está apartado hasta el ${formatWall(of.until_wall, 'class')}`} />}
      <TextField
        label="¿Quién viene?"
        autoComplete="name"
        maxLength={80}
        error={wrong ?? undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {accept.isError && (
        <Banner tone="danger" live>
          {toFailure(accept.error).message}
        </Banner>
      )}
      <Button full type="submit" loading={accept.isPending}>
        Tomar mi lugar
      </Button>
      <p className="small muted">No pagas nada: el lugar va por cuenta de {of.host}. No necesitas cuenta.</p>
    </form>
  )
}
