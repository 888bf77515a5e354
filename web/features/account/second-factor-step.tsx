import { useEffect, useRef, useState } from 'react'
import { checkFilled, useForm } from '#web/lib/form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

interface StepProps {
  /** completes the waiting sign-in with the code; its failures are shown here */
  answer: (code: string) => Promise<unknown>
  /** returns to the password */
  onBack: () => void
}

/** Asks for the code of an authenticator app, or a recovery code (docs/domain.md P17). Loaded when a sign-in needs it. */
export default function SecondFactorStep({ answer, onBack }: StepProps) {
  const [lost, setLost] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => title.current?.focus(), [])
  const form = useForm({
    fields: { code: { label: 'Código', check: checkFilled } },
    submit: async ({ code = '' }) => {
      await answer(code)
      setLeaving(true)
    },
  })
  return (
    <form method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      <h2 ref={title} className="t3" tabIndex={-1}>
        Verificación en dos pasos
      </h2>
      <p>{lost ? 'Escribe uno de los códigos de recuperación que guardaste.' : 'Escribe el código de seis dígitos que muestra tu app.'}</p>
      {form.message && !form.errors.code && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      <TextField
        key={lost ? 'recuperacion' : 'app'}
        label={lost ? 'Código de recuperación' : 'Código'}
        name="code"
        inputMode={lost ? 'text' : 'numeric'}
        autoComplete={lost ? 'off' : 'one-time-code'}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={24}
        error={form.errors.code}
      />
      <Button type="submit" full loading={form.busy || leaving}>
        Continuar
      </Button>
      <p>
        <button type="button" className="link link-alone" onClick={() => setLost(!lost)}>
          {lost ? 'Usar el código de mi app' : 'Usar un código de recuperación'}
        </button>
      </p>
      <p>
        <button type="button" className="link link-alone" onClick={onBack}>
          Volver
        </button>
      </p>
    </form>
  )
}
