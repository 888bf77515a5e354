import type { MouseEvent } from 'react'
import { ADMIN_HOME } from '#contract/admin-home.ts'
import { paths } from '#contract/paths.ts'
import { toFailure } from '#web/lib/errors.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'

/** Whether a call failed because the account has no customer. */
export const lacksCustomer = (error: unknown): boolean => toFailure(error).code === 'NO_CUSTOMER'

/** The same, and the account belongs to staff. */
export const worksHere = (error: unknown): boolean => lacksCustomer(error) && typeof toFailure(error).data.role === 'string'

/**
 * Explains an account without a customer: an interrupted sign-up, or staff. Signing up with the same email and password creates the
 * customer. `back`: the path to open afterwards.
 */
export function NoCustomer({ error, back }: { error: unknown; back?: string }) {
  const site = useSite()
  const { message } = toFailure(error)
  const staff = worksHere(error)
  const href = back ? paths.signupThen(back) : paths.signup
  const signUp = async (event: MouseEvent) => {
    // The sign-up page redirects signed-in visitors: sign out first.
    event.preventDefault()
    await endSession()
    location.assign(href)
  }
  if (!staff)
    return (
      <>
        <p role="alert">{message}</p>
        <Button as="a" href={href} onClick={signUp}>
          Terminar mi registro
        </Button>
      </>
    )
  return (
    <>
      <p role="alert">
        {`Entraste con una cuenta del equipo de ${site.business_name}. Para reservar y comprar, regístrate también como cliente, con el mismo correo y la misma contraseña.`}
      </p>
      <Button as="a" href={ADMIN_HOME}>
        Ir a la administración
      </Button>
      <a className="link" href={href} onClick={signUp}>
        Registrarme como cliente
      </a>
    </>
  )
}
