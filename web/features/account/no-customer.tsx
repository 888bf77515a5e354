import type { MouseEvent } from 'react'
import { paths } from '#contract/paths.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { failureOf } from '#web/lib/errors.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'

/** Whether a failed call says that there is a login without a customer. */
export const lacksCustomer = (error: unknown): boolean => failureOf(error).code === 'NO_CUSTOMER'

/** The same, of somebody of the studio's staff. */
export const worksHere = (error: unknown): boolean => lacksCustomer(error) && typeof failureOf(error).data.role === 'string'

/**
 * A login without a customer: a sign-up that was cut off half-way, or somebody of the studio's staff. The same e-mail and password
 * make the customer; `back`: where to go on afterwards.
 */
export function NoCustomer({ error, back }: { error: unknown; back?: string }) {
  const site = useSite()
  const { message } = failureOf(error)
  const staff = worksHere(error)
  const href = back ? paths.signupThen(back) : paths.signup
  const signUp = async (event: MouseEvent) => {
    // Sign-up sends on whoever arrives signed in.
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
      <Button as="a" href={adminPaths.home}>
        Ir a la administración
      </Button>
      <a className="link" href={href} onClick={signUp}>
        Registrarme como cliente
      </a>
    </>
  )
}
