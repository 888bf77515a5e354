import { failureOf } from '#web/lib/errors.ts'
import { paths } from '#web/lib/paths.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'

/** Whether a failed call says that there is a login without a customer. */
export const lacksCustomer = (error: unknown): boolean => failureOf(error).code === 'NO_CUSTOMER'

/**
 * A login without a customer: a sign-up that was cut off half-way, or somebody of the studio's staff. The same e-mail and password
 * make the customer; `back`: where to go on afterwards.
 */
export function NoCustomer({ error, back }: { error: unknown; back?: string }) {
  const site = useSite()
  const { data, message } = failureOf(error)
  const staff = typeof data.role === 'string'
  const href = back ? paths.signupThen(back) : paths.signup
  return (
    <>
      <p role="alert">
        {staff
          ? `Entraste con una cuenta del equipo de ${site.business_name}. Para reservar y comprar, regístrate también como cliente, con el mismo correo y la misma contraseña.`
          : message}
      </p>
      <Button
        as="a"
        href={href}
        onClick={async (event) => {
          // Sign-up sends on whoever arrives signed in.
          event.preventDefault()
          await endSession()
          location.assign(href)
        }}
      >
        {staff ? 'Registrarme como cliente' : 'Terminar mi registro'}
      </Button>
      {staff && (
        <a className="link" href={paths.loginThen(paths.security)}>
          Seguridad de tu cuenta
        </a>
      )}
    </>
  )
}
