/**
 * The card fields, run only in the customer's browser: what is typed is turned into a test token there and never sent (settled 13; the
 * page's policy allows no connection at all). Served as source text (site.ts), so it cannot import anything but types.
 */
import type { FromCardFrame, ToCardFrame } from '#contract/card-frame.ts'

interface KnownCard {
  number: string
  behaviour: string
}

/** Runs in the frame of the card fields. */
export function cardFields(): void {
  const parent = document.body.dataset.padre ?? ''
  const known = JSON.parse(document.body.dataset.tarjetas ?? '[]') as KnownCard[]

  function field(id: string): { input: HTMLInputElement; error: HTMLElement } {
    const input = document.getElementById(id)
    const error = document.getElementById(`${id}-error`)
    if (!(input instanceof HTMLInputElement) || !error) throw new Error(`The page has no field ${id}.`)
    return { input, error }
  }
  const number = field('numero')
  const holder = field('nombre')
  const expiry = field('vencimiento')
  const code = field('cvv')
  const all = [number, holder, expiry, code]
  const mark = document.getElementById('marca')
  const marks = document.getElementById('marcas')

  const digitsOf = (input: HTMLInputElement) => input.value.replace(/\D/g, '')

  /** By the first digit: 3 amex, 4 visa, otherwise mastercard (S1-5.15). */
  function brandOf(digits: string): 'amex' | 'visa' | 'mastercard' | null {
    if (!digits) return null
    return digits.startsWith('3') ? 'amex' : digits.startsWith('4') ? 'visa' : 'mastercard'
  }

  function passesLuhn(digits: string): boolean {
    let sum = 0
    for (const [at, sign] of [...digits].reverse().entries()) {
      const doubled = at % 2 ? Number(sign) * 2 : Number(sign)
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    return sum % 10 === 0
  }

  const lengthOf = (brand: ReturnType<typeof brandOf>) => (brand === 'amex' ? 15 : 16)
  const codeLengthOf = (brand: ReturnType<typeof brandOf>) => (brand === 'amex' ? 4 : 3)

  /** Parses MM/AAAA; null while it is not a valid month and year (S1-5.13, S1-5.14). */
  function expiryOf(): { month: number; year: number } | null {
    const found = /^(0[1-9]|1[0-2])\/(20\d\d)$/.exec(expiry.input.value)
    return found ? { month: Number(found[1]), year: Number(found[2]) } : null
  }

  function isPast(date: { month: number; year: number }): boolean {
    const now = new Date()
    return date.year < now.getFullYear() || (date.year === now.getFullYear() && date.month < now.getMonth() + 1)
  }

  /** The error of each field, in order; '' when it is valid. */
  function wrongs(): string[] {
    const digits = digitsOf(number.input)
    const brand = brandOf(digits)
    const date = expiryOf()
    const empty = 'Debes llenar este campo.'
    const isTestCard = known.some((card) => card.number === digits)
    return [
      !digits
        ? empty
        : digits.length !== lengthOf(brand) || !passesLuhn(digits)
          ? 'El número de la tarjeta es incorrecto.'
          : isTestCard
            ? ''
            : 'Estás en modo de prueba: usa una tarjeta de prueba.',
      holder.input.value.trim() ? '' : empty,
      !expiry.input.value ? empty : !date ? 'Escribe el mes y el año, por ejemplo 09/2028.' : isPast(date) ? 'Tu tarjeta ha expirado.' : '',
      !code.input.value ? empty : code.input.value.length !== codeLengthOf(brand) ? `El CVV lleva ${codeLengthOf(brand)} dígitos.` : '',
    ]
  }

  function show({ input, error }: (typeof all)[number], wrong: string): void {
    error.textContent = wrong
    error.hidden = !wrong
    if (wrong) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }

  function postToPage(message: FromCardFrame): void {
    if (parent && window.parent !== window) window.parent.postMessage(message, parent)
  }

  function postState(): void {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
    postToPage({ estudio: 'state', height, empty: all.every(({ input }) => !input.value), complete: wrongs().every((wrong) => !wrong) })
  }

  /** Replaces the text while the caret stays after the same digit. */
  function rewrite(input: HTMLInputElement, written: string): void {
    const digitsBefore = input.value.slice(0, input.selectionStart ?? input.value.length).replace(/\D/g, '').length
    const atEnd = input.selectionStart === input.value.length
    if (written === input.value) return
    input.value = written
    let at = 0
    for (let seen = 0; at < written.length && seen < digitsBefore; at++) if (/\d/.test(written[at] ?? '')) seen++
    if (document.activeElement === input) input.setSelectionRange(atEnd ? written.length : at, atEnd ? written.length : at)
  }

  number.input.addEventListener('input', () => {
    const brand = brandOf(digitsOf(number.input))
    const digits = digitsOf(number.input).slice(0, lengthOf(brand))
    rewrite(
      number.input,
      (brand === 'amex' ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)] : (digits.match(/.{1,4}/g) ?? []))
        .filter(Boolean)
        .join(' '),
    )
    if (mark) {
      mark.dataset.marca = brand ?? ''
      const name = { amex: 'American Express', visa: 'Visa', mastercard: 'Mastercard' }[brand ?? 'visa']
      mark.setAttribute('aria-label', brand ? name : '')
      mark.hidden = !brand
      if (marks) marks.hidden = brand !== null
    }
    code.input.maxLength = codeLengthOf(brand)
    code.input.placeholder = `${codeLengthOf(brand)} dígitos`
  })
  expiry.input.addEventListener('input', (event) => {
    const typed = expiry.input.value
    let digits = typed.replace(/\D/g, '').slice(0, 6)
    if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 6)
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete')
    rewrite(expiry.input, digits.length > 2 || (digits.length === 2 && !deleting) ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits)
  })
  code.input.addEventListener('input', () => rewrite(code.input, digitsOf(code.input)))
  for (const [at, field] of all.entries()) {
    field.input.addEventListener('input', () => {
      if (field.input.hasAttribute('aria-invalid')) show(field, wrongs()[at] ?? '')
      postState()
    })
    field.input.addEventListener('blur', () => {
      if (field.input.value) show(field, wrongs()[at] ?? '')
      postState()
    })
  }

  const help = document.getElementById('ayuda')
  const hint = document.getElementById('cvv-ayuda')
  help?.addEventListener('click', () => {
    if (!hint) return
    hint.hidden = !hint.hidden
    help.setAttribute('aria-expanded', String(!hint.hidden))
    postState()
  })

  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-numero]'))
    button.addEventListener('click', () => {
      number.input.value = button.dataset.numero ?? ''
      holder.input.value ||= 'Cliente de Prueba'
      expiry.input.value ||= `12/${new Date().getFullYear() + 3}`
      code.input.value = ''
      number.input.dispatchEvent(new Event('input'))
      code.input.value = '1234'.slice(0, code.input.maxLength)
      for (const field of all) show(field, '')
      postState()
    })

  function tokenize(id: string): void {
    const wrong = wrongs()
    for (const [at, field] of all.entries()) show(field, wrong[at] ?? '')
    postState()
    const first = wrong.findIndex(Boolean)
    if (first >= 0) {
      all[first]?.input.focus()
      postToPage({ estudio: 'refused', id, message: wrong[first] ?? '' })
      return
    }
    const digits = digitsOf(number.input)
    const brand = brandOf(digits) ?? 'mastercard'
    const last4 = digits.slice(-4)
    const behaviour = known.find((card) => card.number === digits)?.behaviour ?? 'declined'
    const nonce = Math.random().toString(36).slice(2, 10)
    postToPage({
      estudio: 'token',
      id,
      token: `tok_${behaviour}~${brand}~${last4}~${expiry.input.value.replace('/', '')}~${nonce}`,
      brand,
      last4,
    })
  }

  /** Applies the page's theme: only allowed variables, nothing that could load or run anything. */
  function dress(variables: Record<string, string>): void {
    for (const [name, value] of Object.entries(variables))
      if (/^--[a-z0-9-]{1,40}$/.test(name) && /^[^;{}<>\\]{0,200}$/.test(value) && !/url\s*\(|expression/i.test(value))
        document.documentElement.style.setProperty(name, value)
    postState()
  }

  addEventListener('message', (event: MessageEvent<ToCardFrame | null>) => {
    if (event.origin !== parent || event.source !== window.parent || !event.data) return
    if (event.data.estudio === 'look') {
      holder.input.value ||= String(event.data.holder ?? '').slice(0, 80)
      dress(event.data.variables)
    } else if (event.data.estudio === 'tokenize') tokenize(event.data.id)
  })
  // A page does not receive key events of a frame, so Escape is forwarded, unless something in the frame used it (a browser's own list).
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) postToPage({ estudio: 'escape' })
  })
  // Enter must not submit: nothing is sent from this page.
  document.getElementById('tarjeta')?.addEventListener('submit', (event) => event.preventDefault())
  new ResizeObserver(postState).observe(document.body)
  postToPage({ estudio: 'ready' })
  postState()
}
