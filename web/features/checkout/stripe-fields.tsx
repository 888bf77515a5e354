import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { validation } from '#contract/copy/messages.ts'
import { openStripe, type Stripe, type StripeField, stripeRefusal } from '#web/lib/stripe.ts'
import { TextField } from '#web/ui/field.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import { AcceptedBrands, CardBrand } from './payment-choice.tsx'
import './card-fields.css'

const PARTS = [
  { kind: 'cardNumber', label: 'Número de tarjeta' },
  { kind: 'cardExpiry', label: 'Vencimiento' },
  { kind: 'cardCvc', label: 'CVV' },
] as const
type Part = (typeof PARTS)[number]['kind']

/** The page's colours for Stripe's fields, which cannot read them; Stripe accepts no CSS variables. */
function fieldStyle() {
  const styles = getComputedStyle(document.documentElement)
  const color = (name: string) => styles.getPropertyValue(`--${name}`).trim()
  return {
    style: {
      base: { color: color('ink'), fontSize: '16px', fontFamily: 'system-ui, sans-serif', '::placeholder': { color: color('ink-2') } },
      invalid: { color: color('danger') },
    },
  }
}

interface StripeFieldsProps {
  ref: Ref<CardFieldsHandle>
  site: string
  publicKey: string
  /** the customer's name, proposed as the name on the card */
  holder?: string | undefined
  /** whether the fields are complete; the pay button stays disabled until then (S1-5.17) */
  onReady: (ready: boolean) => void
  /** the script could not be loaded */
  onFailed: () => void
}

/** Stripe's own fields, one per part, inside our boxes (S1-4.08, S1-4.09). Card numbers stay in Stripe's iframes. */
export default function StripeFields({ ref, site, publicKey, holder = '', onReady, onFailed }: StripeFieldsProps) {
  const id = useId()
  const [name, setName] = useState(holder)
  const [missing, setMissing] = useState(false)
  const [state, setState] = useState<Partial<Record<Part, { complete: boolean; error: string | null }>>>({})
  const [brand, setBrand] = useState('')
  const boxes = useRef(new Map<Part, HTMLElement>())
  const open = useRef<{ stripe: Stripe; number: StripeField } | null>(null)
  const complete = PARTS.every(({ kind }) => state[kind]?.complete) && name.trim() !== ''

  useEffect(() => {
    let unmounted = false
    let mounted: StripeField[] = []
    openStripe(site, publicKey).then((stripe) => {
      if (unmounted) return
      const elements = stripe.elements({ locale: 'es-419' })
      mounted = PARTS.map(({ kind }) => {
        const field = elements.create(kind, fieldStyle())
        field.on('change', (now) => {
          setState((before) => ({ ...before, [kind]: { complete: now.complete, error: now.error?.message ?? null } }))
          if (kind === 'cardNumber') setBrand(now.empty ? '' : (now.brand ?? ''))
        })
        const box = boxes.current.get(kind)
        if (box) field.mount(box)
        return field
      })
      const [number] = mounted
      if (number) open.current = { stripe, number }
    }, onFailed)
    return () => {
      unmounted = true
      open.current = null
      for (const field of mounted) field.destroy()
    }
  }, [site, publicKey, onFailed])
  useEffect(() => onReady(complete), [onReady, complete])
  useEffect(() => () => onReady(false), [onReady])

  useImperativeHandle(ref, () => ({
    async tokenize() {
      setMissing(!name.trim())
      const now = open.current
      if (!now) throw stripeRefusal({})
      const { paymentMethod, error } = await now.stripe.createPaymentMethod({
        type: 'card',
        card: now.number,
        billing_details: { name: name.trim() },
      })
      if (!paymentMethod) throw stripeRefusal(error ?? {})
      return paymentMethod.id
    },
  }))

  const part = ({ kind, label }: (typeof PARTS)[number]) => (
    <div key={kind} className="field">
      <span className="field-label" id={`${id}-${kind}`}>
        {label}
      </span>
      <span className={`control card-part ${state[kind]?.error ? 'card-part-wrong' : ''}`}>
        {/* biome-ignore lint/a11y/useSemanticElements: the processor's frame is put inside */}
        <span
          role="group"
          className="grow"
          aria-labelledby={`${id}-${kind}`}
          ref={(box) => {
            if (box) boxes.current.set(kind, box)
          }}
        />
        {kind === 'cardNumber' && !brand && <AcceptedBrands />}
        {kind === 'cardNumber' && (brand === 'visa' || brand === 'mastercard' || brand === 'amex') && <CardBrand type={brand} decorative />}
      </span>
      {state[kind]?.error && <FieldError id={`${id}-${kind}-error`}>{state[kind].error}</FieldError>}
    </div>
  )
  const [number, ...rest] = PARTS
  return (
    <div className="stack gap-16">
      {part(number)}
      <TextField
        label="Nombre en la tarjeta"
        name="cc-name"
        autoComplete="cc-name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={missing && !name.trim() ? validation.fillField : null}
      />
      <div className="card-parts">{rest.map(part)}</div>
    </div>
  )
}
