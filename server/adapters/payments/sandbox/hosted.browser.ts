/**
 * The processor's hosted page: its card fields are a frame too, and only the token is sent. Must not use anything outside this function's
 * file.
 */
import type { FromCardFrame, ToCardFrame } from '#contract/card-frame.ts'

/** Runs on the processor's own payment page. */
export function hosted(): void {
  const frame = document.querySelector('iframe')
  const form = document.querySelector('form')
  const button = form?.querySelector('button')
  const token = form?.querySelector<HTMLInputElement>('input[name=token]')

  addEventListener('message', (event: MessageEvent<FromCardFrame | null>) => {
    if (event.origin !== location.origin || event.source !== frame?.contentWindow || !event.data) return
    const message = event.data
    if (message.estudio === 'state' && frame) frame.style.height = `${Math.max(120, Math.min(900, message.height))}px`
    if (message.estudio === 'refused' && button) button.disabled = false
    if (message.estudio === 'token' && form && token) {
      token.value = message.token
      form.submit()
    }
  })
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button) button.disabled = true
    const message: ToCardFrame = { estudio: 'tokenize', id: 'hosted' }
    frame?.contentWindow?.postMessage(message, location.origin)
  })
}
