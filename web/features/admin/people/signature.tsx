import { type PointerEvent, useRef } from 'react'
import { SIGNATURE_HEIGHT, SIGNATURE_POINTS, SIGNATURE_WIDTH, type Strokes } from '#contract/customer-records.ts'
import { Button } from '#web/ui/button.tsx'
import './signature.css'

/** Points closer than this, in units of the sheet, are left out. */
const STEP = 3

const lineOf = (stroke: Strokes[number]): string => stroke.map(([x, y]) => `${x},${y}`).join(' ')

interface SignatureProps {
  strokes: Strokes
  /** whose signature it is */
  label: string
}

/** A drawn signature. */
export function Signature({ strokes, label }: SignatureProps) {
  return (
    <svg className="signature" viewBox={`0 0 ${SIGNATURE_WIDTH} ${SIGNATURE_HEIGHT}`} role="img" aria-label={label}>
      <Lines strokes={strokes} />
    </svg>
  )
}

function Lines({ strokes }: { strokes: Strokes }) {
  return strokes.map((stroke, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: strokes are only appended
    <polyline key={at} points={lineOf(stroke)} />
  ))
}

interface SignaturePadProps {
  strokes: Strokes
  onChange: (strokes: Strokes) => void
}

/** A sheet to sign on with a finger, a pen or a mouse. Instead of drawing the name can be typed into a separate field. */
export function SignaturePad({ strokes, onChange }: SignaturePadProps) {
  const drawing = useRef<number | null>(null)
  const points = strokes.reduce((sum, stroke) => sum + stroke.length, 0)

  function pointOf(event: PointerEvent<SVGSVGElement>): [number, number] {
    const box = event.currentTarget.getBoundingClientRect()
    const along = (at: number, from: number, size: number, most: number) => Math.round(Math.min(Math.max((at - from) / size, 0), 1) * most)
    return [along(event.clientX, box.left, box.width, SIGNATURE_WIDTH), along(event.clientY, box.top, box.height, SIGNATURE_HEIGHT)]
  }
  function start(event: PointerEvent<SVGSVGElement>) {
    if (!event.isPrimary || event.button !== 0 || strokes.length >= 100 || points + 2 > SIGNATURE_POINTS) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drawing.current = event.pointerId
    const at = pointOf(event)
    onChange([...strokes, [at, at]])
  }
  function draw(event: PointerEvent<SVGSVGElement>) {
    const last = strokes.at(-1)
    const end = last?.at(-1)
    if (drawing.current !== event.pointerId || !last || !end || points >= SIGNATURE_POINTS) return
    const at = pointOf(event)
    if (Math.hypot(at[0] - end[0], at[1] - end[1]) < STEP) return
    onChange([...strokes.slice(0, -1), [...last, at]])
  }
  function stop() {
    drawing.current = null
  }
  return (
    <div className="signature-pad">
      <div className="row spread">
        <span className="strong">Firma</span>
        <Button variant="outline" size="small" disabled={strokes.length === 0} onClick={() => onChange([])}>
          Borrar firma
        </Button>
      </div>
      <svg
        className="signature signature-sheet"
        viewBox={`0 0 ${SIGNATURE_WIDTH} ${SIGNATURE_HEIGHT}`}
        role="img"
        aria-label={strokes.length > 0 ? 'Tu firma' : 'Firma aquí con el dedo'}
        onPointerDown={start}
        onPointerMove={draw}
        onPointerUp={stop}
        onPointerCancel={stop}
      >
        {strokes.length === 0 && (
          <text x={SIGNATURE_WIDTH / 2} y={SIGNATURE_HEIGHT / 2}>
            Firma aquí con el dedo
          </text>
        )}
        <Lines strokes={strokes} />
      </svg>
    </div>
  )
}
