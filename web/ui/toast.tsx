import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'
import './toast.css'

export interface ToastMessage {
  /** changes with each message, so that the same text can be shown twice in a row */
  id: number
  kind: 'success' | 'alert'
  message: ReactNode
  detail?: ReactNode
  /** milliseconds (design section 6: success 3 000, alert 5 000) */
  lasts: number
}

/** An open modal makes everything outside it inert: the toast must be inside the topmost one. */
function topmost(): Element {
  return [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
}

/** The current message, one at a time; a new one replaces it. Hover and focus pause its timer. */
export function Toasts({ toast, onDone }: { toast: ToastMessage | null; onDone: (id: number) => void }) {
  const [host, setHost] = useState<Element | null>(null)
  const id = toast?.id
  useEffect(() => {
    const find = (): void => setHost(topmost())
    find()
    document.addEventListener('close', find, true)
    // A dialog that is removed from the page fires no `close` event, and would remove the toast with it.
    const watch = new MutationObserver(() => setHost((before) => (before?.isConnected === false ? topmost() : before)))
    if (id !== undefined) watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('close', find, true)
      watch.disconnect()
    }
  }, [id])
  if (!host) return null
  return createPortal(
    <div className="toasts">
      <div role="status">{toast?.kind === 'success' && <Toast key={toast.id} toast={toast} onDone={onDone} />}</div>
      <div role="alert">{toast?.kind === 'alert' && <Toast key={toast.id} toast={toast} onDone={onDone} />}</div>
    </div>,
    host,
  )
}

function Toast({ toast, onDone }: { toast: ToastMessage; onDone: (id: number) => void }) {
  const { id, kind, message, detail, lasts } = toast
  const [paused, setPaused] = useState(false)
  const remainingMs = useRef(lasts)
  useEffect(() => {
    if (paused) return
    const since = performance.now()
    const timer = setTimeout(() => onDone(id), remainingMs.current)
    return () => {
      clearTimeout(timer)
      remainingMs.current -= performance.now() - since
    }
  }, [paused, id, onDone])

  const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle
  const pause = (on: boolean) => () => setPaused(on)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only stop the clock
    <div
      className={`toast toast-${kind}`}
      style={{ '--lasts': `${lasts}ms` } as CSSProperties}
      onMouseEnter={pause(true)}
      onMouseLeave={pause(false)}
      onFocus={pause(true)}
      onBlur={pause(false)}
    >
      <Icon className="icon" aria-hidden="true" />
      <div className="grow">
        <p className="strong">{message}</p>
        {detail && <p className="small">{detail}</p>}
      </div>
      {kind === 'alert' && (
        <IconButton bare label="Cerrar" onClick={() => onDone(id)}>
          <IconX className="icon" aria-hidden="true" />
        </IconButton>
      )}
      <span className="toast-bar" />
    </div>
  )
}
