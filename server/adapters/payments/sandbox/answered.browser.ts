/** Reports to the studio's page that the bank's challenge was answered. Must not use anything outside this function's file. */
import type { FromCardFrame } from '#contract/card-frame.ts'

/** Runs on the page after the bank's challenge. */
export function answered(): void {
  const { padre = '', resultado = 'failed', mensaje } = document.body.dataset
  const message: FromCardFrame = {
    estudio: 'challenge',
    outcome: resultado === 'done' ? 'done' : 'failed',
    ...(mensaje ? { message: mensaje } : {}),
  }
  if (padre && window.parent !== window) window.parent.postMessage(message, padre)
}
