import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatWall } from '#contract/time.ts'
import { Toaster } from '#web/features/site/toaster.tsx'
import { forgetTyped } from '#web/lib/typed-fields.ts'
import { forgetWantedClass, noteWantedClass, toNotedClass, wantedPath, wasSignedInHere } from '#web/lib/wanted-class.ts'
import { Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { DocumentToAccept } from './document-names.tsx'
import { LoginForm } from './login-form.tsx'
import { SignupForm } from './signup-form.tsx'

interface LoginDialogProps {
  /** the class to reserve */
  cls: Parameters<typeof toNotedClass>[0] & { location: { name: string } }
  documents: readonly DocumentToAccept[]
  onClose: () => void
}

/**
 * Log-in or sign-up in a dialog, to continue with the chosen class (S2-2.36, S2-2.37). On a device without an earlier sign-in the sign-up
 * comes first. Loaded on demand.
 */
export default function LoginDialog({ cls, documents, onClose }: LoginDialogProps): ReactNode {
  const [form, setForm] = useState<'login' | 'signup'>(() => (wasSignedInHere() ? 'login' : 'signup'))
  const wanted = useMemo(() => toNotedClass(cls), [cls])
  // Noted for the links of mails: an address that has to be confirmed leads back to the class, too.
  useEffect(() => noteWantedClass(wanted), [wanted])
  const onDone = () => location.assign(wantedPath(wanted))
  const close = () => {
    forgetWantedClass()
    forgetTyped()
    onClose()
  }
  return (
    <Dialog open onClose={close} title={form === 'login' ? 'Entra para reservar' : 'Crea tu cuenta para reservar'}>
      <p>
        <b>{wanted.name}</b>
        <br />
        <span className="muted">{[formatWall(wanted.class_date, 'class'), cls.location.name].join(' · ')}</span>
      </p>
      <Segmented
        label="Cuenta"
        options={[
          { value: 'login', label: 'Ya tengo cuenta' },
          { value: 'signup', label: 'Crear cuenta' },
        ]}
        value={form}
        onChange={setForm}
      />
      {form === 'login' ? (
        <LoginForm onDone={onDone} onSignup={() => setForm('signup')} returnTo={wantedPath(wanted)} />
      ) : (
        <SignupForm documents={documents} onDone={onDone} inside />
      )}
      <Toaster />
    </Dialog>
  )
}
