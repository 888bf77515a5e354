import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import type { FromCardFrame, ToCardFrame } from '#contract/card-frame.ts'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './card-fields.css'

export interface CardFieldsHandle {
  /** A token for the typed card; rejects with the frame's own sentence. */
  tokenize(): Promise<string>
}

/** The page's colours and sizes, sent to the frame because it cannot read them. */
const STYLE_VARIABLES = [
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
const ANSWER_TIMEOUT_MS = 20_000
/** How long the frame may send nothing: while it is loading, and after the browser reports that it has loaded. */
const LOAD_TIMEOUT_MS = 20_000
const SILENCE_TIMEOUT_MS = 4_000

/** The height in px reserved for the fields until the frame reports its own. */
const INITIAL_HEIGHT = 329
/** The frame is larger than its place by these, above and below together, so that its focus rings are not cut; in px. */
const FRAME_MARGINS = 12

function useFrame(origin: string | null, onMessage: (message: FromCardFrame) => void) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(onMessage)
  latest.current = onMessage
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return
      const message = event.data as FromCardFrame | null
      if (typeof message === 'object' && message !== null && typeof message.estudio === 'string') latest.current(message)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [origin])
  const send = (message: ToCardFrame) => frame.current?.contentWindow?.postMessage(message, origin ?? '')
  return { frame, send }
}

interface CardFieldsProps {
  ref: Ref<CardFieldsHandle>
  /** origin of the processor's frame */
  origin: string
  /** the customer's name, proposed as the name on the card */
  holder?: string | undefined
  /** whether the fields are complete; the pay button stays disabled until then (S1-5.17) */
  onReady: (ready: boolean) => void
  /** the frame did not load, or the browser blocked it (the page was opened on a host that the processor does not allow) */
  onFailed: () => void
}

/** The card form in the processor's frame, so that card numbers never reach this page (settled 13). */
export function CardFields({ ref, origin, holder, onReady, onFailed }: CardFieldsProps) {
  const [height, setHeight] = useState<number | null>(null)
  const [timeout, setTimeoutMs] = useState(LOAD_TIMEOUT_MS)
  const [address, setAddress] = useState<string | null>(null)
  const pendingTokens = useRef(new Map<string, { resolve(token: string): void; reject(error: unknown): void }>())
  const { frame, send } = useFrame(origin, (message) => {
    if (message.estudio === 'ready') {
      const styles = getComputedStyle(document.documentElement)
      send({
        estudio: 'look',
        ...(holder && { holder }),
        variables: Object.fromEntries(STYLE_VARIABLES.map((name) => [`--${name}`, styles.getPropertyValue(`--${name}`)])),
      })
    } else if (message.estudio === 'state') {
      setHeight(Math.max(120, Math.min(900, message.height)))
      onReady(message.complete)
    } else if (message.estudio === 'token') {
      pendingTokens.current.get(message.id)?.resolve(message.token)
      pendingTokens.current.delete(message.id)
    } else if (message.estudio === 'refused') {
      pendingTokens.current.get(message.id)?.reject({ code: 'CARD_FORMAT', status: 402, message: message.message, data: {} })
      pendingTokens.current.delete(message.id)
    } else if (message.estudio === 'escape')
      // Repeat the key as an event of this page, so that a dialog around the fields closes.
      frame.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  })
  // The frame must know its parent's origin, which only the browser knows.
  useEffect(() => setAddress(`${origin}/sandbox/tarjeta?padre=${encodeURIComponent(location.origin)}`), [origin])
  useEffect(() => () => onReady(false), [onReady])
  useEffect(() => {
    if (height !== null || !address) return
    const timer = setTimeout(onFailed, timeout)
    return () => clearTimeout(timer)
  }, [height, address, timeout, onFailed])

  useImperativeHandle(ref, () => ({
    tokenize: () =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID()
        pendingTokens.current.set(id, { resolve, reject })
        setTimeout(() => {
          if (pendingTokens.current.delete(id)) reject({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })
        }, ANSWER_TIMEOUT_MS)
        send({ estudio: 'tokenize', id })
      }),
  }))

  return (
    <div className="card-place" style={height === null ? { minHeight: INITIAL_HEIGHT - FRAME_MARGINS } : undefined}>
      {height === null && <Skeleton height={`${INITIAL_HEIGHT}px`} />}
      {address && (
        <iframe
          ref={frame}
          className="card-frame"
          title="Datos de la tarjeta"
          src={address}
          style={height === null ? { height: INITIAL_HEIGHT, visibility: 'hidden' } : { height }}
          onLoad={() => setTimeoutMs(SILENCE_TIMEOUT_MS)}
        />
      )}
    </div>
  )
}

interface ChallengeProps {
  origin: string
  /** the secret of the payment to confirm; null while there is no challenge */
  secret: string | null
  /** null: confirmed; otherwise the reason in Spanish */
  onAnswer: (failed: string | null) => void
}

/** The bank's challenge (3-D Secure) in its frame. */
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
