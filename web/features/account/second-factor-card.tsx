import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, useForm } from '#web/lib/form.ts'
import type { Identity } from '#web/lib/identity.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProveIdentity } from './prove-identity.tsx'
import './second-factor-card.css'

type Action = 'enrol' | 'codes' | 'off'
type Step =
  | { is: 'loading' }
  | { is: 'failed'; message: string }
  /** `since`: null without a second factor */
  | { is: 'idle'; since: string | null; done?: string }
  /** the user proves their identity before a change */
  | { is: 'proving'; action: Action }
  | { is: 'enrolling'; key: string; uri: string }
  | { is: 'codes'; codes: string[] }

/** Enables and disables the second factor, and creates new recovery codes (docs/domain.md P17). */
export function SecondFactorCard() {
  const site = useSite()
  const [identity, setIdentity] = useState<Identity | null>(null)
  const [step, setStep] = useState<Step>({ is: 'loading' })
  const title = useRef<HTMLHeadingElement>(null)

  const load = useCallback(
    async (done?: string) => {
      try {
        const opened = await openSession(site.firebaseConfig)
        setIdentity(opened)
        const since = await opened.secondFactor.since()
        setStep({ is: 'idle', since, ...(done ? { done } : {}) })
      } catch (error) {
        setStep({ is: 'failed', message: toFailure(error).message })
      }
    },
    [site.firebaseConfig],
  )
  useEffect(() => void load(), [load])

  /** Changes the step and moves the focus to the title, so that screen readers start at its head. */
  function go(next: Step) {
    setStep(next)
    title.current?.focus()
  }

  async function act(action: Action) {
    if (!identity) return
    const { secondFactor } = identity
    if (action === 'enrol') go({ is: 'enrolling', ...(await secondFactor.start(site.business_name)) })
    else if (action === 'codes') go({ is: 'codes', codes: await secondFactor.newRecoveryCodes() })
    else {
      await secondFactor.turnOff()
      await load('Desactivaste la verificación en dos pasos.')
    }
  }

  return (
    <section className="card padded second-factor" aria-labelledby="segundo-paso">
      <h2 id="segundo-paso" ref={title} className="t3" tabIndex={-1}>
        Verificación en dos pasos
      </h2>
      {step.is === 'loading' && <Skeleton height="96px" />}
      {step.is === 'failed' && (
        <>
          <p role="alert">{step.message}</p>
          <Button variant="outline" onClick={() => void load()}>
            Intentar de nuevo
          </Button>
        </>
      )}
      {step.is === 'idle' && <Idle step={step} onAct={(action) => go({ is: 'proving', action })} />}
      {step.is === 'proving' && identity && (
        <ProveIdentity identity={identity} onProven={() => act(step.action)} onCancel={() => void load()}>
          {step.action === 'off'
            ? 'Para desactivarla, confirma que eres tú con tu contraseña y un código.'
            : 'Confirma que eres tú con tu contraseña.'}
        </ProveIdentity>
      )}
      {step.is === 'enrolling' && identity && (
        <Enrol step={step} identity={identity} onCancel={() => void load()} onCodes={(codes) => go({ is: 'codes', codes })} />
      )}
      {step.is === 'codes' && <Codes codes={step.codes} onDone={() => void load('La verificación en dos pasos está activa.')} />}
    </section>
  )
}

function Idle({ step: { since, done }, onAct }: { step: Extract<Step, { is: 'idle' }>; onAct: (action: Action) => void }) {
  const site = useSite()
  return (
    <>
      {done && (
        <Banner tone="ok" live>
          {done}
        </Banner>
      )}
      <div>
        {since ? (
          <Badge tone="ok" icon={<IconShieldCheck className="icon" aria-hidden="true" />}>
            Activa desde el {formatInstant(new Date(since), site.zone, 'date')}
          </Badge>
        ) : (
          <Badge tone="neutral" icon={<IconShieldOff className="icon" aria-hidden="true" />}>
            Sin activar
          </Badge>
        )}
      </div>
      <p>
        {since
          ? 'Al entrar te pedimos, además de tu contraseña, un código de tu app.'
          : 'Para el equipo del estudio: al entrar te pedimos, además de tu contraseña, un código que solo muestra tu teléfono. Así nadie entra solo con tu contraseña.'}
      </p>
      {since ? (
        <div className="row wraps gap-8">
          <Button variant="outline" onClick={() => onAct('codes')}>
            Códigos nuevos de recuperación
          </Button>
          <Button variant="outline" onClick={() => onAct('off')}>
            Desactivar
          </Button>
        </div>
      ) : (
        <div>
          <Button onClick={() => onAct('enrol')}>Activar</Button>
        </div>
      )}
    </>
  )
}

interface EnrolProps {
  step: Extract<Step, { is: 'enrolling' }>
  identity: Identity
  onCancel: () => void
  onCodes: (codes: string[]) => void
}

function Enrol({ step: { key, uri }, identity, onCancel, onCodes }: EnrolProps) {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    // The QR code library is loaded only when a code is shown.
    void import('qrcode')
      .then(({ default: qr }) => qr.toDataURL(uri, { width: 480, margin: 2, errorCorrectionLevel: 'M' }))
      .then((url) => current && setPicture(url))
    return () => {
      current = false
    }
  }, [uri])
  const form = useForm({
    fields: { code: { label: 'Código', check: checkFilled } },
    submit: async ({ code = '' }) => {
      await identity.secondFactor.finish(code)
      onCodes(await identity.secondFactor.newRecoveryCodes())
    },
  })
  return (
    <form method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      <ol className="second-factor-steps">
        <li>
          <p>Instala una app de códigos en tu teléfono, como Google Authenticator o Microsoft Authenticator.</p>
        </li>
        <li>
          <p>Escanea este código con la app, o escribe la clave.</p>
          {picture ? (
            <img className="second-factor-qr" src={picture} width={240} height={240} alt="Código QR con la clave para tu app" />
          ) : (
            <Skeleton width="240px" height="240px" />
          )}
          <div className="second-factor-key">
            <code>{key.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={key} what="la clave" />
          </div>
        </li>
        <li>
          <p>Escribe el código de seis dígitos que muestra.</p>
        </li>
      </ol>
      {form.message && !form.errors.code && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      <TextField
        label="Código"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={12}
        error={form.errors.code}
      />
      <div className="row wraps gap-8">
        <Button type="submit" loading={form.busy}>
          Activar
        </Button>
        <Button variant="outline" disabled={form.busy} onClick={onCancel}>
          Cancelar
        </Button>
      </div>
    </form>
  )
}

function Codes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  if (!codes.length)
    return (
      <>
        <p role="status">La verificación en dos pasos está activa.</p>
        <Button onClick={onDone}>Listo</Button>
      </>
    )
  return (
    <>
      <Banner tone="warn" title="Guarda estos códigos de recuperación" live>
        Con ellos entras si pierdes tu teléfono. Cada uno sirve una sola vez y no los volveremos a mostrar.
      </Banner>
      <ul className="second-factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row wraps gap-8">
        <CopyButton text={codes.join('\n')} what="la lista de códigos" />
        <Button onClick={onDone}>Ya los guardé</Button>
      </div>
    </>
  )
}
