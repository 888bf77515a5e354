import { IconBulb, IconCamera, IconCameraOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { type CodeReader, openCodeReader } from './code-reader.ts'

/** The same code is reported again only after this time; another code is reported at once. */
const SAME_CODE_MS = 5_000
/** The pause between two reads of the picture. */
const PAUSE_MS = 120

type State = 'off' | 'starting' | 'on' | 'refused' | 'none'

const TEXTS: Record<Exclude<State, 'on'>, string> = {
  off: 'La cámara lee el código que el cliente lleva en su teléfono.',
  starting: 'Abriendo la cámara…',
  refused: 'El navegador no permite usar la cámara. Puedes escribir el nombre o usar un lector.',
  none: 'Este equipo no tiene cámara. Escribe el nombre o usa un lector.',
}

/**
 * The camera, which reads codes while it is on; without a camera or permission, an explanation. `about`: what it is for, before it is on.
 */
export function Camera({ onCode, about = TEXTS.off }: { onCode: (code: string) => void; about?: string }) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<State>(() => (navigator.mediaDevices ? 'off' : 'none'))
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [torch, setTorch] = useState<boolean | null>(null)
  const handler = useRef(onCode)
  handler.current = onCode

  const start = async () => {
    setState('starting')
    try {
      const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } })
      const capabilities = opened.getVideoTracks()[0]?.getCapabilities?.() as { torch?: boolean } | undefined
      setTorch(capabilities?.torch ? false : null)
      setStream(opened)
      setState('on')
    } catch (error) {
      setState(error instanceof DOMException && error.name === 'NotFoundError' ? 'none' : 'refused')
    }
  }

  // If the permission was granted before, start without a click.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the screen opens
  useEffect(() => {
    void navigator.permissions
      ?.query({ name: 'camera' as PermissionName })
      .then(async ({ state: allowed }) => {
        if (allowed === 'granted' && navigator.mediaDevices) await start()
      })
      .catch(() => undefined)
  }, [])

  useEffect(() => {
    const shown = video.current
    if (!stream || !shown) return
    let running = true
    let reader: CodeReader | null = null
    shown.srcObject = stream
    const read = async () => {
      reader = await openCodeReader()
      let last = { code: '', at: 0 }
      while (running) {
        const code = shown.readyState >= 2 && !document.hidden ? await reader.read(shown).catch(() => null) : null
        const at = performance.now()
        if (running && code && (code !== last.code || at - last.at > SAME_CODE_MS)) handler.current(code)
        if (code) last = { code, at: code === last.code ? Math.max(last.at, at) : at }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
    void shown
      .play()
      .then(read)
      .catch(() => setState('refused'))
    return () => {
      running = false
      reader?.close()
      for (const track of stream.getTracks()) track.stop()
    }
  }, [stream])

  const onTorch = () => {
    const next = !torch
    void stream
      ?.getVideoTracks()[0]
      ?.applyConstraints({ advanced: [{ torch: next } as MediaTrackConstraintSet] })
      .then(() => setTorch(next))
      .catch(() => setTorch(null))
  }

  return (
    <div className="scan-camera ground-stage">
      {state === 'on' ? (
        <>
          <video ref={video} className="scan-video" playsInline muted aria-label="Cámara" />
          <span aria-hidden="true" className="scan-frame" />
          {torch !== null && (
            <IconButton label={torch ? 'Apagar la luz' : 'Encender la luz'} aria-pressed={torch} className="scan-torch" onClick={onTorch}>
              <IconBulb className="icon" aria-hidden="true" />
            </IconButton>
          )}
        </>
      ) : (
        <div className="scan-camera-off">
          {state === 'refused' || state === 'none' ? (
            <IconCameraOff className="icon" aria-hidden="true" />
          ) : (
            <IconCamera className="icon" aria-hidden="true" />
          )}
          <p role={state === 'off' ? undefined : 'status'}>{state === 'off' ? about : TEXTS[state]}</p>
          {state !== 'none' && (
            <Button loading={state === 'starting'} onClick={() => void start()}>
              {state === 'refused' ? 'Intentar de nuevo' : 'Usar la cámara'}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
