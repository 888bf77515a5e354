/** Tells the studio's page how tall the bank's question is, so that its frame leaves no empty strip. Uses nothing from outside itself. */
import type { FromCardFrame } from '#contract/card-frame.ts'

/** Runs in the bank's question, while it is framed. */
export function challenge(): void {
  const { padre = '' } = document.body.dataset
  if (!padre || window.parent === window) return
  const tellSize = () => {
    const message: FromCardFrame = { estudio: 'size', height: Math.ceil(document.documentElement.getBoundingClientRect().height) }
    window.parent.postMessage(message, padre)
  }
  new ResizeObserver(tellSize).observe(document.documentElement)
}
