import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import type { FromCardFrame, ToCardFrame } from '#contract/card-frame.ts'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './card-fields.css'

export interface CardFieldsHandle {
  /** A token of what was typed; rejects with the frame's own sentence. */
  tokenize(): Promise<string>
}

/** The page's own look, for a frame that cannot read it. */
const LOOK = [
  'paper',
  'ink',
  'ink-2',
  'line',
  'line-3',
  'brand',
  'brand-ink',
  'danger',
  'radius-input',
  'radius-control',
  'radius-small',
  'font-text',
]
const LONGEST_ANSWER_MS = 20_000
/** How long a frame may be silent: while it is on its way, and once the browser says that it has arrived. */
const LONGEST_WAY_MS = 20_000
const LONGEST_SILENCE_MS = 4_000

/** The room kept for the fields until they say how tall they are. */
const BEFORE = 329

function useFrame(origin: string | null, hear: (message: FromCardFrame) => void) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return
      const message = event.data as FromCardFrame | null
      if (typeof message === 'object' && message !== null && typeof message.estudio === 'string') latest.current(message)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [origin])
  const say = (message: ToCardFrame) => frame.current?.contentWindow?.postMessage(message, origin ?? '')
  return { frame, say }
}

interface CardFieldsProps {
  ref: Ref<CardFieldsHandle>
  /** origin of the processor's frame */
  origin: string
  /** whether the fields are complete: an empty card field holds the pay button (S1-5.17) */
  onReady: (ready: boolean) => void
  /** the frame never came, or the browser keeps it out (a page opened under a name that the processor does not know) */
  onFailed: () => void
}

/** The card form, in the processor's frame: numbers never touch this page (settled 13). */
export function CardFields({ ref, origin, onReady, onFailed }: CardFieldsProps) {
  const [height, setHeight] = useState<number | null>(null)
  const [patience, setPatience] = useState(LONGEST_WAY_MS)
  const [address, setAddress] = useState<string | null>(null)
  const asked = useRef(new Map<string, { resolve(token: string): void; reject(error: unknown): void }>())
  const { frame, say } = useFrame(origin, (message) => {
    if (message.estudio === 'ready') {
      const own = getComputedStyle(document.documentElement)
      say({ estudio: 'look', variables: Object.fromEntries(LOOK.map((name) => [`--${name}`, own.getPropertyValue(`--${name}`)])) })
    } else if (message.estudio === 'state') {
      setHeight(Math.max(120, Math.min(900, message.height)))
      onReady(message.complete)
    } else if (message.estudio === 'token') {
      asked.current.get(message.id)?.resolve(message.token)
      asked.current.delete(message.id)
    } else if (message.estudio === 'refused') {
      asked.current.get(message.id)?.reject({ code: 'CARD_FORMAT', status: 402, message: message.message, data: {} })
      asked.current.delete(message.id)
    } else if (message.estudio === 'escape')
      // The key as it would have come from anywhere else on the page: a dialog around the fields hears it.
      frame.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  })
  // The frame is told who its page is; known in the browser only.
  useEffect(() => setAddress(`${origin}/sandbox/tarjeta?padre=${encodeURIComponent(location.origin)}`), [origin])
  useEffect(() => () => onReady(false), [onReady])
  useEffect(() => {
    if (height !== null || !address) return
    const timer = setTimeout(onFailed, patience)
    return () => clearTimeout(timer)
  }, [height, address, patience, onFailed])

  useImperativeHandle(ref, () => ({
    tokenize: () =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID()
        asked.current.set(id, { resolve, reject })
        setTimeout(() => {
          if (asked.current.delete(id)) reject({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })
        }, LONGEST_ANSWER_MS)
        say({ estudio: 'tokenize', id })
      }),
  }))

  return (
    <div className="card-place">
      {height === null && <Skeleton height={`${BEFORE}px`} />}
      {address && (
        <iframe
          ref={frame}
          className="card-frame"
          title="Datos de la tarjeta"
          src={address}
          style={height === null ? { height: BEFORE, visibility: 'hidden' } : { height }}
          onLoad={() => setPatience(LONGEST_SILENCE_MS)}
        />
      )}
    </div>
  )
}

interface ChallengeProps {
  origin: string
  /** the secret of the payment that the bank asks about; null while nothing is asked */
  secret: string | null
  /** null: confirmed; otherwise the sentence of what went wrong */
  onAnswer: (failed: string | null) => void
}

/** The bank's own question (3-D Secure), in its frame. */
export function CardChallenge({ origin, secret, onAnswer }: ChallengeProps) {
  const title = useId()
  const [height, setHeight] = useState<number | null>(null)
  const { frame } = useFrame(origin, (message) => {
    if (message.estudio === 'size') setHeight(Math.max(120, Math.min(900, message.height)))
    if (message.estudio === 'challenge') onAnswer(message.outcome === 'done' ? null : (message.message ?? 'Tu banco no autorizó el pago.'))
  })
  return (
    <Dialog
      open={secret !== null}
      onClose={() => onAnswer('Cerraste la confirmación de tu banco.')}
      title={<span id={title}>Confirma con tu banco</span>}
    >
      {secret && (
        <iframe
          ref={frame}
          className="card-challenge"
          style={height === null ? undefined : { height }}
          title="Confirmación de tu banco"
          src={`${origin}/sandbox/3ds?secreto=${encodeURIComponent(secret)}&padre=${encodeURIComponent(location.origin)}`}
        />
      )}
    </Dialog>
  )
}
