import './submit-button.css'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'

interface SubmitProps {
  loading?: boolean
  children: ReactNode
}

/**
 * The submit button of a form in server-rendered HTML. Disabled until the page's scripts run: before that the browser itself would send
 * the form, the password included. The typed values stay; after ten seconds a text says that the page is still loading.
 */
export function SubmitButton({ loading = false, children }: SubmitProps) {
  const awake = useAwake()
  return (
    <div>
      <Button type="submit" full loading={loading} disabled={!awake} className={awake ? '' : 'btn-asleep'}>
        {children}
      </Button>
      {!awake && (
        <>
          <noscript>Activa JavaScript para continuar.</noscript>
          <p className="small muted asleep-late">Está tardando. Revisa tu conexión.</p>
        </>
      )}
    </div>
  )
}

const never = () => () => undefined

/** Whether the page is hydrated: false on the server and until the scripts run. */
export const useAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
