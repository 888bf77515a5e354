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

/** Runs in the frame of the wallets' buttons, which work only where the page lets the frame request payments. */
export function expressScript(): void {
  const policy = (document as Document & { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy
  if (policy && !policy.allowsFeature('payment')) return
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => parent.postMessage({ fake: 'express', wallet: button.name, token: button.value }, '*'))
    button.disabled = false
  }
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
    // As Stripe.js does.
    frame.allow = 'payment *'
    frame.src = `${base}${address}`
    frame.title = title
    frame.style.cssText = 'width:100%;height:45px;border:0'
    into.append(frame)
    return frame
  }
  const create = (kind: string) => {
    let frame: HTMLIFrameElement | undefined
    let onChange: ((now: object) => void) | undefined
    const listen = (event: MessageEvent) => {
      if (event.source === frame?.contentWindow && event.data?.fake === 'change') onChange?.({ ...event.data, brand: 'visa' })
    }
    addEventListener('message', listen)
    return {
      mount(into: Element) {
        frame = framed(`/campo?campo=${kind}`, `Stripe ${kind}`, into)
      },
      on(_event: string, listener: (now: object) => void) {
        onChange = listener
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
  /** As Stripe.js: a mistake of the integration is thrown, and nothing is drawn. */
  const need = (holds: unknown, why: string) => {
    if (!holds) throw new Error(`IntegrationError: ${why}`)
  }
  const only = (object: object, known: readonly string[], what: string) => {
    for (const name of Object.keys(object)) need(known.includes(name), `${what} has no option ${name}.`)
  }
  type Listener = (event: object) => unknown
  interface Group {
    mode: string
    amount: number
    isSubmitted: boolean
    /** What the wallet returned. */
    token: string | null
    create(kind: string, options?: Record<string, unknown>): object
    update(changes: { amount?: number }): void
    submit(): Promise<object>
  }
  /** Elements without an intent (docs.stripe.com/js/elements_object/create_without_intent). */
  const groupOf = (options: Record<string, unknown>): Group => {
    const named = ['locale', 'mode', 'amount', 'currency', 'allowedPaymentMethodTypes', 'appearance', 'setupFutureUsage']
    only(options, named, 'elements()')
    need(options.mode === 'payment', 'mode must be payment.')
    const isAmount = (amount: unknown) => Number.isInteger(amount) && Number(amount) > 0
    need(isAmount(options.amount), 'amount must be a positive integer in the smallest unit.')
    need(options.currency === 'mxn', 'currency must be a lower case code.')
    need(Array.isArray(options.allowedPaymentMethodTypes), 'allowedPaymentMethodTypes must be a list.')
    const allowed = options.allowedPaymentMethodTypes as string[]
    let element: object | null = null
    const group: Group = {
      mode: 'payment',
      amount: Number(options.amount),
      isSubmitted: false,
      token: null,
      create(kind, appearance = {}) {
        need(kind === 'expressCheckout' && element === null, 'One Express Checkout Element in a group.')
        element = expressOf(group, appearance, allowed)
        return element
      },
      update(changes) {
        only(changes, ['amount'], 'update()')
        need(isAmount(changes.amount), 'amount must be a positive integer in the smallest unit.')
        group.amount = Number(changes.amount)
      },
      async submit() {
        need(group.token !== null, 'There is nothing to submit.')
        group.isSubmitted = true
        return {}
      },
    }
    return group
  }
  const WALLETS: Record<string, [name: string, type: string]> = {
    applePay: ['apple_pay', 'card'],
    googlePay: ['google_pay', 'card'],
    link: ['link', 'link'],
  }
  const CLICK_MS = 1_000
  /** The Express Checkout Element (docs.stripe.com/js/elements_object/create_express_checkout_element). */
  const expressOf = (group: Group, appearance: Record<string, unknown>, allowed: string[]) => {
    only(
      appearance,
      ['buttonHeight', 'buttonType', 'buttonTheme', 'layout', 'paymentMethods', 'emailRequired', 'business', 'lineItems'],
      'expressCheckout',
    )
    const height = Number(appearance.buttonHeight ?? 44)
    need(height >= 40 && height <= 55, 'buttonHeight must be from 40 to 55.')
    const wanted = (appearance.paymentMethods ?? {}) as Record<string, string>
    for (const choice of Object.values(wanted)) need(['auto', 'always', 'never'].includes(choice), `${choice} is no choice.`)
    const listeners = new Map<string, Listener>()
    const events = ['availablepaymentmethodschange', 'ready', 'loaderror', 'click', 'confirm', 'cancel', 'focus', 'blur', 'escape']
    let frame: HTMLIFrameElement | null = null
    const emit = (event: string, now: object) => listeners.get(event)?.({ elementType: 'expressCheckout', ...now })
    /** The wallet's window, with the amount that it shows. */
    const openSheet = (wallet: string, token: string) => {
      const sheet = framed(`/hoja?monto=${group.amount}`, `Hoja de ${wallet}`, document.body)
      sheet.style.cssText = 'position:fixed;inset:20% 0 auto;margin:auto;width:320px;height:160px;z-index:10'
      const listen = (event: MessageEvent) => {
        if (event.source !== sheet.contentWindow || event.data?.fake !== 'bank') return
        removeEventListener('message', listen)
        if (!event.data.yes) {
          sheet.remove()
          emit('cancel', {})
          return
        }
        group.token = token
        // The window stays until the payment is done or has failed.
        emit('confirm', {
          expressPaymentType: wallet,
          billingDetails: { name: 'Diego Salas' },
          paymentFailed: () => sheet.remove(),
        })
      }
      addEventListener('message', listen)
    }
    const clicked = (wallet: string, token: string) => {
      let isOpen = false
      let isLate = false
      setTimeout(() => {
        isLate = true
      }, CLICK_MS)
      const resolve = (sheet: { lineItems?: { name: string; amount: number }[]; business?: { name: string } } = {}) => {
        need(!isLate, 'resolve must be called within a second.')
        only(sheet, ['lineItems', 'business', 'emailRequired', 'phoneNumberRequired', 'billingAddressRequired'], 'resolve()')
        const sum = (sheet.lineItems ?? []).reduce((total, { amount }) => total + amount, 0)
        need(sum <= group.amount, 'The line items are more than the amount.')
        if (isOpen) return
        isOpen = true
        openSheet(wallet, token)
      }
      if (listeners.has('click')) emit('click', { expressPaymentType: wallet, resolve })
      else resolve()
    }
    const listen = (event: MessageEvent) => {
      if (event.source === frame?.contentWindow && event.data?.fake === 'express') clicked(event.data.wallet, event.data.token)
    }
    addEventListener('message', listen)
    return {
      on(event: string, listener: Listener) {
        need(events.includes(event), `expressCheckout has no event ${event}.`)
        listeners.set(event, listener)
      },
      async mount(into: Element) {
        need(listeners.has('confirm'), 'A confirm handler is needed.')
        const has = (await (await fetch(`${base}/carteras`)).json()) as string[]
        const shown = Object.keys(WALLETS).filter((name) => {
          const [, type = ''] = WALLETS[name] ?? []
          return has.includes(name) && wanted[name] !== 'never' && allowed.includes(type)
        })
        if (shown.length > 0) {
          frame = framed(`/rapido?${new URLSearchParams({ carteras: shown.join() })}`, 'Express Checkout', into)
          frame.style.height = `${height}px`
          await new Promise((loaded) => frame?.addEventListener('load', loaded, { once: true }))
        }
        const paymentMethods = Object.fromEntries(Object.keys(WALLETS).map((name) => [name, { available: shown.includes(name) }]))
        emit('ready', {})
        emit('availablepaymentmethodschange', { paymentMethods: shown.length > 0 ? paymentMethods : undefined })
      },
      destroy() {
        removeEventListener('message', listen)
        frame?.remove()
      },
    }
  }
  const Stripe = (key: string) => ({
    elements: (options: Record<string, unknown> = {}) => ('mode' in options ? groupOf({ ...options }) : { create }),
    /** What a wallet returned, for one payment (docs.stripe.com/js/confirmation_tokens/create_confirmation_token). */
    async createConfirmationToken({ elements }: { elements: Group }) {
      if (!key.startsWith('pk_')) return { error: { message: 'Invalid API Key' } }
      need(elements.isSubmitted, 'elements.submit() must be called before createConfirmationToken().')
      const id = `ctoken_${elements.token?.replace(/^pm_/, '')}_${Math.random().toString(36).slice(2, 10)}`
      return { confirmationToken: { id } }
    },
    async createPaymentMethod({ card, elements }: { card: ReturnType<typeof create>; elements?: Group }) {
      if (!key.startsWith('pk_')) return { error: { message: 'Invalid API Key' } }
      need(elements === undefined, 'With Elements of a deferred payment, createConfirmationToken() is the supported way.')
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
  interface ButtonCallbacks {
    createOrder?: () => Promise<string>
    createSubscription?: () => Promise<string>
    onApprove: (approved: object, actions: object) => Promise<void>
    onCancel: () => void
    onError: (error: unknown) => void
  }
  const Buttons = (callbacks: ButtonCallbacks) => ({
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
          const id = same ?? (await (callbacks.createSubscription ?? callbacks.createOrder)?.())
          same = undefined
          if (!event.data.opens) throw new Error('Unable to open popup window')
          if (!event.data.yes) return callbacks.onCancel()
          const path = callbacks.createSubscription ? 'suscripcion' : 'orden'
          await fetch(`${base}/aprobar/${path}/${id}`, { method: 'POST' })
          const restart = () => {
            same = id
          }
          await callbacks.onApprove(callbacks.createSubscription ? { subscriptionID: id } : { orderID: id }, { restart })
        } catch (error) {
          callbacks.onError(error)
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
