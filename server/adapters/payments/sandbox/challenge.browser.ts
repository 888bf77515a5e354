/**
 * Reports the height of the bank's challenge to the studio's page, which sizes its frame. Must not use anything outside this function's
 * file.
 */
import type { FromCardFrame } from '#contract/card-frame.ts'

/** Runs on the page of the bank's challenge, when framed. */
export function challenge(): void {
  const { padre = '' } = document.body.dataset
  if (!padre || window.parent === window) return
  const postHeight = () => {
    const message: FromCardFrame = { estudio: 'size', height: Math.ceil(document.documentElement.getBoundingClientRect().height) }
    window.parent.postMessage(message, padre)
  }
  new ResizeObserver(postHeight).observe(document.documentElement)
}
