import './submit-button.css'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'

interface SubmitProps {
  loading?: boolean
  children: ReactNode
}

/**
 * What sends a form of a page that arrives as HTML. Until the page's scripts are there it sends nothing: the browser would send by
 * itself what was typed, a password too. What was typed stays, and it says that it waits.
 */
export function SubmitButton({ loading = false, children }: SubmitProps) {
  const awake = useAwake()
  return (
    <>
      <Button type="submit" full loading={loading} disabled={!awake} className={awake ? '' : 'btn-asleep'}>
        {children}
      </Button>
      {!awake && (
        <>
          <noscript>Activa JavaScript para continuar.</noscript>
          <p className="small muted asleep-late">Está tardando. Revisa tu conexión.</p>
        </>
      )}
    </>
  )
}

const never = () => () => undefined

/** Whether the page's scripts are there. */
export const useAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
