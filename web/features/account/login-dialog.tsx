import { useState } from 'react'
import { Toaster } from '#web/features/site/toaster.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { DocumentToAccept } from './document-names.tsx'
import { LoginForm } from './login-form.tsx'
import { SignupForm } from './signup-form.tsx'

interface LoginDialogProps {
  documents: readonly DocumentToAccept[]
  onClose: () => void
  /** signed in: the caller continues what was interrupted */
  onDone: () => void
}

/** Log-in or sign-up in a dialog, to continue with the chosen class (S2-2.36, S2-2.37). Loaded on demand. */
export default function LoginDialog({ documents, onClose, onDone }: LoginDialogProps) {
  const [form, setForm] = useState<'login' | 'signup'>('login')
  return (
    <Dialog open onClose={onClose} title={form === 'login' ? 'Entra para reservar' : 'Crea tu cuenta para reservar'}>
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
        <LoginForm onDone={onDone} onSignup={() => setForm('signup')} />
      ) : (
        <SignupForm documents={documents} onDone={onDone} onLogin={() => setForm('login')} />
      )}
      <Toaster />
    </Dialog>
  )
}
