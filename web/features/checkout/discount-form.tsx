import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ClassPackage } from '#contract/catalogue.ts'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { Discount } from '#contract/discounts.ts'
import { formatMoney } from '#contract/money.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import { hideAlert, showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDraft } from '#web/lib/use-dialog-state.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { CodeForm } from './code-form.tsx'
import './discount-form.css'

/** Refusals that are told with the server's own sentence. */
const OWN_SENTENCE: ReadonlySet<string> = new Set([
  'DISCOUNT_EXHAUSTED',
  'DISCOUNT_NOT_FOR_ACCOUNT',
  'PACKAGE_NOT_FOUND',
  'TOO_MANY_REQUESTS',
  'NETWORK',
])

interface DiscountFormProps {
  classPackage: ClassPackage
  discount: Discount | null
  onChange: (discount: Discount | null) => void
}

/** 'Código de Descuento' with its own spinner (S1-2.63, S1-4.16, S1-8.33 to S1-8.35). Only for signed-in customers (S1-2.64). */
export function DiscountForm({ classPackage, discount, onChange }: DiscountFormProps) {
  // A link of the studio brings its code along.
  const [address] = useSearchParams()
  const codeInAddress = address.get('codigo') ?? ''
  // A draft, so that a reload or a bank's page does not lose it. Its name has the link's code: a draft from before the link is not used.
  const [code, setCode] = useDraft(`codigo:${classPackage.class_package_id}:${codeInAddress}`, codeInAddress)
  const [wrong, setWrong] = useState<string | null>(null)
  const lastAlert = useRef(0)
  const finding = useMutation({
    meta: { handled: true },
    mutationFn: () => api.discounts.byCode({ code: code.trim(), class_package_id: classPackage.class_package_id }),
    onSuccess({ discount: found }) {
      // Remove the alert about the previous code.
      hideAlert(lastAlert.current)
      onChange(found)
    },
    onError(error) {
      const { code: why, status, message } = toFailure(error)
      // The server's own sentence for these codes; the specification has one sentence for all others.
      const known = OWN_SENTENCE.has(why) || status >= 500
      const text = known ? message : accountErrors.DISCOUNT_INVALID.message
      setWrong(text)
      lastAlert.current = showAlert('alert', text)
    },
  })
  if (discount) {
    const saved = quoteOnWire(classPackage, discount).discount
    return (
      <div className="discount-form">
        <div className="discount-row">
          <TextField
            label="Código de Descuento"
            name="discountCode"
            value={discount.code}
            readOnly
            className="discount-good"
            before={<IconCircleCheck className="icon discount-mark" aria-hidden="true" />}
          />
          <Button
            variant="outline"
            onClick={() => {
              onChange(null)
              setCode('')
            }}
            aria-label={`Quitar el código ${discount.code}`}
          >
            Quitar
          </Button>
        </div>
        <p className="small discount-saved" role="status">
          Listo, te ahorras {formatMoney(saved)}
          {discount.first_invoice_only && classPackage.is_subscription ? ' en el primer cobro' : ''}.
        </p>
      </div>
    )
  }
  return (
    <CodeForm
      label="Código de Descuento"
      name="discountCode"
      maxLength={60}
      verb="Aplicar"
      code={code}
      onCode={(typed) => {
        setCode(typed)
        setWrong(null)
      }}
      isPending={finding.isPending}
      refusal={wrong}
      onSubmit={() => {
        setWrong(null)
        finding.mutate()
      }}
    />
  )
}
