/** Tells the studio's page that the bank's question was answered. Uses nothing from outside itself. */
import type { FromCardFrame } from '#contract/card-frame.ts'

/** Runs after the bank's question. */
export function answered(): void {
  const { padre = '', resultado = 'failed', mensaje } = document.body.dataset
  const message: FromCardFrame = {
    estudio: 'challenge',
    outcome: resultado === 'done' ? 'done' : 'failed',
    ...(mensaje ? { message: mensaje } : {}),
  }
  if (padre && window.parent !== window) window.parent.postMessage(message, padre)
}
