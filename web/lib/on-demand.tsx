/**
 * A dialog in a chunk of its own, loaded when it is first opened, or earlier when the user is about to open it (`preload`). React's `lazy`
 * would keep a failed load for the life of the page, and would show its fallback once even for a chunk that is loaded already.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * `load`: imports the chunk and picks the component. Until it is there, a dialog shows that it is loading, or that it could not be loaded.
 */
export function onDemand<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | undefined
  let loading: Promise<unknown> | undefined
  const start = (): Promise<unknown> => {
    loading ??= load().then(
      (loaded) => {
        part = loaded
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }

  /** `wanted`: the dialog is open; it is loaded at the first time. */
  function OnDemand({ wanted, ...props }: Props & { wanted: boolean }): ReactNode {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    const isLoading = wanted && !part && state === 'loading'
    useEffect(() => {
      if (!isLoading) return
      start().then(
        () => setState('loaded'),
        () => setState('failed'),
      )
    }, [isLoading])
    const Part = part
    // Stays mounted when it closes: it has a closing transition, and some keep a report to show.
    if (Part) return <Part {...(props as unknown as Props)} />
    if (!wanted) return null
    return <NotLoadedYet failed={state === 'failed'} onClose={props.onClose} again={() => setState('loading')} />
  }
  /** Starts loading. A failure is the caller's, and is shown when the dialog is opened. */
  OnDemand.preload = start
  return OnDemand
}

function NotLoadedYet({ failed, onClose, again }: { failed: boolean; onClose: () => void; again: () => void }) {
  if (!failed)
    return (
      <Dialog open onClose={onClose} title="Cargando">
        <Skeleton height="160px" />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="No pudimos abrirlo"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cerrar
          </Button>
          <Button onClick={again}>Intentar de nuevo</Button>
        </>
      }
    >
      <p role="alert">Revisa tu conexión e intenta de nuevo; si sigue igual, vuelve a cargar la página.</p>
    </Dialog>
  )
}
