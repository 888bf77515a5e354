import { type ReactNode, useState } from 'react'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, useForm } from '#web/lib/form.ts'
import { CHALLENGED, type Identity } from '#web/lib/identity.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import SecondFactorStep from './second-factor-step.tsx'

interface ProveIdentityProps {
  identity: Identity
  onProven: () => Promise<void>
  onCancel: () => void
  /** the sentence above the field */
  children: ReactNode
}

/** The password again, and a code if there is a second factor: changes of how one gets in require a recent sign-in (docs/domain.md P15). */
export function ProveIdentity({ identity, onProven, onCancel, children }: ProveIdentityProps) {
  const [challenged, setChallenged] = useState(false)
  const form = useForm({
    fields: { password: { label: 'Contraseña', check: checkFilled } },
    submit: async ({ password = '' }) => {
      try {
        await identity.secondFactor.prove(password)
      } catch (error) {
        if (toFailure(error).code !== CHALLENGED) throw error
        return setChallenged(true)
      }
      await onProven()
    },
  })
  if (challenged)
    return (
      <SecondFactorStep
        answer={async (code) => {
          await identity.secondFactor.answer(code)
          await onProven()
        }}
        onBack={onCancel}
      />
    )
  return (
    <form method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      <p>{children}</p>
      {form.message && !form.errors.password && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      <PasswordField label="Contraseña" name="password" error={form.errors.password} />
      <div className="row wraps gap-8">
        <Button type="submit" loading={form.busy}>
          Continuar
        </Button>
        <Button variant="outline" disabled={form.busy} onClick={onCancel}>
          Cancelar
        </Button>
      </div>
    </form>
  )
}
