import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { ADMIN_HOME } from '#contract/admin-home.ts'
import { paths } from '#contract/paths.ts'
import type { InviteView } from '#contract/team.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { endSession, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { AccessHandle } from './layout.tsx'
import { Ending } from './link-parts.tsx'

/** The same cached document for every link; the browser loads the invitation. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Te esperamos en el equipo', background: 'bg_login' },
  shell: true,
}

/** Opened by the link of an invitation to the staff: log in with the invited address, then accept (docs/domain.md, E9, E10). */
export default function InvitationPage() {
  return (
    <QueryClientProvider client={browserQueries()}>
      <PageTitle>Invitación al equipo</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <ByLink />
    </QueryClientProvider>
  )
}

function ByLink() {
  const { token = '' } = useParams()
  const { business_name } = useSite()
  const read = useQuery(queries.team.inviteView.queryOptions({ input: { token }, staleTime: 0, meta: { handled: true } }))
  if (read.isError) {
    const { code, message } = toFailure(read.error)
    const unknown = code === 'NOT_FOUND' || code === 'INVALID_INPUT'
    return unknown ? (
      <Ending
        title="No encontramos esta invitación"
        text="Tal vez el enlace se cortó al copiarlo. Ábrelo desde tu correo, o pide que te lo envíen otra vez."
      />
    ) : (
      <Ending title="No pudimos abrir esta invitación" text={message}>
        <Button onClick={() => void read.refetch()}>Intentar de nuevo</Button>
      </Ending>
    )
  }
  const invite = read.data?.invite
  return (
    <Loading loading={!invite} skeleton={<Skeleton height="240px" />}>
      {invite &&
        (invite.state === 'open' ? (
          <Open token={token} invite={invite} />
        ) : invite.state === 'accepted' ? (
          <Ending title={`Ya eres del equipo de ${business_name}`} text="Esta invitación ya se aceptó.">
            <Button as="a" href={ADMIN_HOME}>
              Ir a la administración
            </Button>
          </Ending>
        ) : (
          <Ending title="Esta invitación ya no sirve" text={'Venció o se retiró. Pide que te la envíen otra vez.'} />
        ))}
    </Loading>
  )
}

function Open({ token, invite }: { token: string; invite: InviteView }) {
  const site = useSite()
  const session = useSession(site.firebaseConfig)
  const ownPath = useLocation().pathname
  return (
    <>
      <div className="stack gap-8">
        <h1 className="t2">Únete al equipo de {site.business_name}</h1>
        <p>
          {invite.name}, te invitaron con la función de <strong>{invite.role_label}</strong>.
        </p>
        <p className="muted">{invite.email}</p>
      </div>
      {session.state === 'signed-in' ? (
        <Accepting token={token} email={session.email} invited={invite.email} />
      ) : session.state === 'signed-out' ? (
        <SigningIn token={token} email={invite.email} ownPath={ownPath} />
      ) : session.state === 'failed' ? (
        <p role="alert">No pudimos cargar tu cuenta. Revisa tu conexión.</p>
      ) : (
        <Skeleton height="96px" />
      )}
    </>
  )
}

function Accepting({ token, email, invited }: { token: string; email: string; invited: string }) {
  const accepting = useMutation({
    meta: { handled: true },
    mutationFn: () => api.team.acceptInvite({ token }),
    onSuccess: () => location.assign(ADMIN_HOME),
  })
  const confirming = useMutation({ meta: { handled: true }, mutationFn: () => api.people.confirm() })
  const failure = accepting.error ? toFailure(accepting.error) : null
  if (email.toLowerCase() !== invited)
    return (
      <div className="stack">
        <Banner tone="warn" live>
          Entraste como {email}. Esta invitación es para {invited}.
        </Banner>
        <Button full variant="outline" onClick={() => void endSession()}>
          Entrar con otra cuenta
        </Button>
      </div>
    )
  return (
    <div className="stack">
      {failure && (
        <Banner tone="danger" live>
          {failure.message}
        </Banner>
      )}
      {failure?.code === 'INVITE_EMAIL_UNCONFIRMED' && (
        <Button full variant="outline" loading={confirming.isPending} disabled={confirming.isSuccess} onClick={() => confirming.mutate()}>
          {confirming.isSuccess ? 'Te enviamos el enlace' : 'Enviarme el enlace para confirmar'}
        </Button>
      )}
      <Button full loading={accepting.isPending} onClick={() => accepting.mutate()}>
        Aceptar la invitación
      </Button>
    </div>
  )
}

function SigningIn({ token, email, ownPath }: { token: string; email: string; ownPath: string }) {
  const sending = useMutation({ meta: { handled: true }, mutationFn: () => api.team.invitePassword({ token }) })
  return (
    <div className="stack">
      {sending.isSuccess && (
        <Banner tone={sending.data.sent ? 'brand' : 'warn'} live>
          {sending.data.sent
            ? `Te enviamos un correo a ${email} para elegir tu contraseña. Después vuelve a abrir esta invitación.`
            : 'No pudimos enviarte el correo. Entra con tu cuenta, o inténtalo más tarde.'}
        </Banner>
      )}
      {sending.isError && (
        <Banner tone="danger" live>
          {toFailure(sending.error).message}
        </Banner>
      )}
      <Button full as="a" href={paths.loginThen(ownPath)}>
        Entrar y aceptar
      </Button>
      <Button full variant="outline" loading={sending.isPending} disabled={sending.isSuccess} onClick={() => sending.mutate()}>
        No tengo contraseña
      </Button>
      <p className="small muted">Si ya eres cliente, entra con tu correo y contraseña de siempre: conservas tu cuenta.</p>
    </div>
  )
}
