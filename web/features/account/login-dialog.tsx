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
  /** signed in: the caller goes on with what was interrupted */
  onDone: () => void
}

/** Log in or sign up where one is, to go on with the class that was chosen (S2-2.36, S2-2.37). Fetched when somebody needs it. */
export default function LoginDialog({ documents, onClose, onDone }: LoginDialogProps) {
  const [asking, setAsking] = useState<'login' | 'signup'>('login')
  return (
    <Dialog open onClose={onClose} title={asking === 'login' ? 'Entra para reservar' : 'Crea tu cuenta para reservar'}>
      <Segmented
        label="Cuenta"
        options={[
          { value: 'login', label: 'Ya tengo cuenta' },
          { value: 'signup', label: 'Crear cuenta' },
        ]}
        value={asking}
        onChange={setAsking}
      />
      {asking === 'login' ? (
        <LoginForm onDone={onDone} onSignup={() => setAsking('signup')} />
      ) : (
        <SignupForm documents={documents} onDone={onDone} onLogin={() => setAsking('login')} />
      )}
      <Toaster />
    </Dialog>
  )
}
