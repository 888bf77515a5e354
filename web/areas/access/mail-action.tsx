import { Suspense, useEffect, useState } from 'react'
import { publicErrors } from '#contract/copy/errors-public.ts'
import { paths } from '#contract/paths.ts'
import { confirmed, useNewPassword } from '#web/features/account/new-password.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { isPassing, toFailure } from '#web/lib/errors.ts'
import { checkFilled, emailProblem, useForm } from '#web/lib/form.ts'
import { CHALLENGED, type Identity } from '#web/lib/identity.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { returnDestination, useReturnQuery } from '#web/lib/return-path.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailField } from '#web/ui/field.tsx'
import type { AccessHandle } from './layout.tsx'

const SecondFactorStep = lazyPart(() => import('#web/features/account/second-factor-step.tsx'))

export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu lugar te está esperando', background: 'bg_recovery' },
  shell: true,
}

type Step =
  | { is: 'reading' }
  | { is: 'failed'; mode: string; message: string }
  | { is: 'unknown'; message: string }
  | { is: 'password'; email: string | null }
  | { is: 'link' }
  | { is: 'done'; title: string; text: string }

const DONE: Record<string, Extract<Step, { is: 'done' }>> = {
  verifyEmail: { is: 'done', title: 'Correo confirmado', text: 'Gracias. Tu dirección quedó confirmada.' },
  verifyAndChangeEmail: { is: 'done', title: 'Correo actualizado', text: 'Desde ahora entras con tu correo nuevo.' },
  recoverEmail: {
    is: 'done',
    title: 'Correo recuperado',
    text: 'Tu cuenta volvió a este correo y cerramos todas las sesiones. Para entrar, elige otra contraseña en «¿Olvidaste tu contraseña?».',
  },
}

/** Advice for a link that no longer works, often because it was already used. */
const AFTER: Record<string, string> = {
  verifyEmail: 'Si ya confirmaste tu correo, no hace falta otro enlace.',
  verifyAndChangeEmail: 'Si ya cambiaste tu correo, entra con el nuevo. Si no, entra con el de siempre.',
  recoverEmail: 'Si tu correo cambió y no fuiste tú, escríbenos.',
}

/** Opened by the links in the identity service's emails, in embedded and in Google mode (`?mode=…&oobCode=…`). */
export default function MailAction() {
  const site = useSite()
  const [step, setStep] = useState<Step>({ is: 'reading' })
  const [identity, setIdentity] = useState<Identity | null>(null)
  const search = useReturnQuery()

  useEffect(() => {
    const query = new URLSearchParams(location.search)
    const mode = query.get('mode') ?? ''
    const code = query.get('oobCode') ?? ''
    async function read() {
      const opened = await openSession(site.firebaseConfig)
      setIdentity(opened)
      if (mode === 'signIn') return setStep({ is: 'link' })
      if (mode === 'resetPassword') return setStep({ is: 'password', email: (await opened.readMailCode(code)).email })
      const done = DONE[mode]
      if (!done) throw { code: 'auth/invalid-action-code', message: '' }
      await opened.applyMailCode(code)
      setStep(done)
    }
    read().catch((error) => {
      const { message } = toFailure(error)
      // After a network failure the link may still be valid.
      setStep(isPassing(error) ? { is: 'unknown', message } : { is: 'failed', mode, message })
    })
  }, [site.firebaseConfig])

  return (
    <>
      <PageTitle>Tu cuenta</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      {step.is === 'reading' && <p role="status">Revisando tu enlace</p>}
      {step.is === 'failed' && (
        <>
          <h1 className="t2">Este enlace no funciona</h1>
          <Banner tone="danger" live>
            {step.message}
          </Banner>
          {AFTER[step.mode] && <p>{AFTER[step.mode]}</p>}
          {step.mode === 'resetPassword' ? (
            <Button as={AppLink} to={`${paths.recovery}${search}`}>
              Pedir otro enlace
            </Button>
          ) : (
            <Button as={AppLink} to={`${paths.login}${search}`}>
              Entrar
            </Button>
          )}
        </>
      )}
      {step.is === 'unknown' && (
        <>
          <h1 className="t2">No pudimos abrir este enlace</h1>
          <Banner tone="danger" live>
            {step.message}
          </Banner>
          <Button onClick={() => location.reload()}>Intentar de nuevo</Button>
        </>
      )}
      {step.is === 'done' && (
        <>
          <h1 className="t2">{step.title}</h1>
          <p role="status">{step.text}</p>
          <Button as={AppLink} to={`${paths.login}${search}`}>
            Entrar
          </Button>
        </>
      )}
      {step.is === 'password' && identity && <NewPassword identity={identity} email={step.email} onDone={setStep} />}
      {step.is === 'link' && identity && <LinkLogin identity={identity} />}
    </>
  )
}

function NewPassword({ identity, email, onDone }: { identity: Identity; email: string | null; onDone: (step: Step) => void }) {
  const chosen = useNewPassword('Contraseña nueva', { forStaff: true })
  const form = useForm({
    fields: {
      password: { label: 'Contraseña nueva', check: checkFilled },
      password_confirm: confirmed,
    },
    submit: async ({ password = '' }) => {
      const code = new URLSearchParams(location.search).get('oobCode') ?? ''
      const status = await identity.validatePassword(password).catch(() => null)
      if (status && !status.valid) throw { code: 'auth/password-does-not-meet-requirements', message: '' }
      await identity.resetPassword(code, password).catch((error: unknown) => {
        chosen.recheck()
        throw error
      })
      onDone({ is: 'done', title: 'Contraseña actualizada', text: 'Cerramos tus otras sesiones. Entra con tu contraseña nueva.' })
    },
  })
  return (
    <>
      <h1 className="t2">Elige tu contraseña</h1>
      {email && <p className="muted">Para la cuenta {email}.</p>}
      <form className="card padded stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
        {form.message && (
          <Banner tone="danger" live>
            {form.message}
          </Banner>
        )}
        <input type="hidden" name="username" autoComplete="username" value={email ?? ''} />
        {chosen.draw(form.errors)}
        <Button type="submit" full loading={form.busy}>
          Guardar contraseña
        </Button>
      </form>
    </>
  )
}

function LinkLogin({ identity }: { identity: Identity }) {
  const [challenged, setChallenged] = useState(false)
  const form = useForm({
    fields: { email: { label: 'Correo electrónico', check: emailProblem } },
    submit: async ({ email = '' }) => {
      const user = await identity.signInWithLink(email.trim(), location.href).catch((error: unknown) => {
        if (toFailure(error).code === CHALLENGED) return setChallenged(true)
        // The service only reports that the address differs from the one the link was sent to.
        if (toFailure(error).code !== 'auth/invalid-email') throw error
        const issues = [{ path: 'email', message: 'Este enlace llegó a otro correo. Escribe el mismo en el que lo recibiste.' }]
        throw { code: 'INVALID_INPUT', ...publicErrors.INVALID_INPUT, data: { issues } }
      })
      if (user) location.replace(returnDestination())
    },
  })
  async function answer(code: string) {
    await identity.answerChallenge(code)
    location.replace(returnDestination())
  }
  if (challenged)
    return (
      <>
        <h1 className="t2">Confirma que eres tú</h1>
        <Suspense>
          {/* The link is used up, so "back" can only go to the log-in with a password. */}
          <SecondFactorStep answer={answer} onBack={() => location.assign(paths.login)} />
        </Suspense>
      </>
    )
  return (
    <>
      <h1 className="t2">Confirma tu correo</h1>
      <form className="card padded stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
        {form.message && (
          <Banner tone="danger" live>
            {form.message}
          </Banner>
        )}
        <EmailField hint="El mismo en el que recibiste el enlace." error={form.errors.email} />
        <Button type="submit" full loading={form.busy}>
          Entrar
        </Button>
      </form>
      <p>
        <AppLink className="link link-alone" to={paths.login}>
          Entrar con tu contraseña
        </AppLink>
      </p>
    </>
  )
}
