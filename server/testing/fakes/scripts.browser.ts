/**
 * Browser scripts of the processors, as far as the product uses them; `browser-site.ts` serves their source. Card fields are frames of the
 * fake's origin, as in reality: the page gets a token and never a number. Each function is self-contained.
 */

/** Runs in the frame of one field, or of a whole form: reports whether it is complete, and returns a token on request. */
export function fieldScript(tokens: Record<string, string>): void {
  const input = document.querySelector('input')
  const kind = new URLSearchParams(location.search).get('campo') ?? ''
  const digits = () => (input?.value ?? '').replace(/\D/g, '')
  input?.addEventListener('input', () => {
    const least = kind === 'cardCvc' ? 3 : kind === 'cardExpiry' ? 4 : 16
    parent.postMessage({ fake: 'change', kind, empty: digits() === '', complete: digits().length >= least }, '*')
  })
  addEventListener('message', ({ data, ports }) => {
    if (data !== 'token') return
    const token = tokens[digits().slice(-4)]
    // Conekta's tokens are usable once: each submission gets a new one.
    ports[0]?.postMessage(token?.startsWith('tok_') ? `${token}~${crypto.randomUUID()}` : (token ?? null))
  })
  // The field is enabled only when the script listens to it.
  input?.removeAttribute('disabled')
}

/** Runs in the window of the bank's challenge. */
export function bankScript(): void {
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () =>
      parent.postMessage({ fake: 'bank', yes: button.value === 'yes', opens: button.value !== 'blocked' }, '*'),
    )
    button.disabled = false
  }
}

/** `https://js.stripe.com/endive/stripe.js` */
export function stripeScript(base: string): void {
  const framed = (address: string, title: string, into: Element) => {
    const frame = document.createElement('iframe')
    frame.src = `${base}${address}`
    frame.title = title
    frame.style.cssText = 'width:100%;height:45px;border:0'
    into.append(frame)
    return frame
  }
  const create = (kind: string) => {
    let frame: HTMLIFrameElement | undefined
    let hear: ((now: object) => void) | undefined
    const listen = (event: MessageEvent) => {
      if (event.source === frame?.contentWindow && event.data?.fake === 'change') hear?.({ ...event.data, brand: 'visa' })
    }
    addEventListener('message', listen)
    return {
      mount(into: Element) {
        frame = framed(`/campo?campo=${kind}`, `Stripe ${kind}`, into)
      },
      on(_event: string, heard: (now: object) => void) {
        hear = heard
      },
      destroy() {
        removeEventListener('message', listen)
        frame?.remove()
      },
      token: () =>
        new Promise<string | null>((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => resolve(data)
          frame?.contentWindow?.postMessage('token', base, [port2])
        }),
    }
  }
  const confirm = async (secret: string) => {
    const frame = framed('/banco', 'Banco de Stripe', document.body)
    frame.style.cssText = 'position:fixed;inset:20% 0 auto;margin:auto;width:320px;height:160px;z-index:10'
    const yes = await new Promise<boolean>((resolve) => {
      const listen = (event: MessageEvent) => {
        if (event.source !== frame.contentWindow || event.data?.fake !== 'bank') return
        removeEventListener('message', listen)
        resolve(event.data.yes)
      }
      addEventListener('message', listen)
    })
    frame.remove()
    await fetch(`${base}/confirmar`, { method: 'POST', body: JSON.stringify({ secret, yes }) })
    return yes ? {} : { error: { code: 'payment_intent_authentication_failure', message: 'No pudimos autenticar tu método de pago.' } }
  }
  const Stripe = (key: string) => ({
    elements: () => ({ create }),
    async createPaymentMethod({ card }: { card: ReturnType<typeof create> }) {
      if (!key.startsWith('pk_')) return { error: { message: 'Invalid API Key' } }
      const id = await card.token()
      if (id?.startsWith('no:')) return { error: { code: 'card_not_supported', message: id.slice(3) } }
      return id ? { paymentMethod: { id } } : { error: { code: 'incorrect_number', message: 'incorrect' } }
    },
    confirmCardPayment: confirm,
    confirmCardSetup: confirm,
  })
  Object.assign(window, { Stripe })
}

/** `https://www.paypal.com/sdk/js` */
export function paypalScript(base: string): void {
  interface Look {
    createOrder?: () => Promise<string>
    createSubscription?: () => Promise<string>
    onApprove: (approved: object, actions: object) => Promise<void>
    onCancel: () => void
    onError: (error: unknown) => void
  }
  const Buttons = (look: Look) => ({
    async render(into: Element) {
      // A restarted order is approved again instead of creating another one.
      let same: string | undefined
      const frame = document.createElement('iframe')
      frame.src = `${base}/paypal`
      frame.title = 'PayPal'
      frame.style.cssText = 'width:100%;height:56px;border:0'
      into.append(frame)
      addEventListener('message', async (event) => {
        if (event.source !== frame.contentWindow || event.data?.fake !== 'bank') return
        try {
          const id = same ?? (await (look.createSubscription ?? look.createOrder)?.())
          same = undefined
          if (!event.data.opens) throw new Error('Unable to open popup window')
          if (!event.data.yes) return look.onCancel()
          const path = look.createSubscription ? 'suscripcion' : 'orden'
          await fetch(`${base}/aprobar/${path}/${id}`, { method: 'POST' })
          const restart = () => {
            same = id
          }
          await look.onApprove(look.createSubscription ? { subscriptionID: id } : { orderID: id }, { restart })
        } catch (error) {
          look.onError(error)
        }
      })
    },
  })
  Object.assign(window, { paypal: { Buttons } })
}

/** `https://pay.conekta.com/v1.0/js/conekta-checkout.min.js` */
export function conektaScript(base: string): void {
  interface Form {
    config: { targetIFrame: string }
    callbacks: {
      onGetInfoSuccess(): void
      onUpdateSubmitTrigger(submit: () => void): void
      onFormError(problem: object): void
      onCreateTokenSucceeded(token: { id: string }): void
    }
  }
  const Card = ({ config, callbacks }: Form) => {
    const frame = document.createElement('iframe')
    frame.src = `${base}/campo?campo=cardNumber`
    frame.title = 'Conekta'
    frame.style.cssText = 'width:100%;height:120px;border:0'
    document.querySelector(config.targetIFrame)?.append(frame)
    frame.addEventListener('load', () => {
      callbacks.onGetInfoSuccess()
      callbacks.onUpdateSubmitTrigger(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => (data ? callbacks.onCreateTokenSucceeded({ id: data }) : callbacks.onFormError({}))
        frame.contentWindow?.postMessage('token', base, [port2])
      })
    })
  }
  Object.assign(window, { ConektaCheckoutComponents: { Card } })
}
