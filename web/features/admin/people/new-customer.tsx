import { useRef, useState } from 'react'
import { phoneDigits } from '#contract/phone.ts'
import { PhoneField } from '#web/features/account/phone-field.tsx'
import { api } from '#web/lib/api.ts'
import { checkFilled, type Field, optionalEmailProblem, phoneProblem, useForm } from '#web/lib/form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { FoundCustomer } from './customer-search.tsx'
import { type OtherRecord, otherRecordIn } from './other-record.ts'

const fields: Record<string, Field> = {
  name: { label: 'Nombre', check: checkFilled },
  last_name: { label: 'Apellidos', check: checkFilled },
  phone: { label: 'Teléfono', check: phoneProblem },
  email: { label: 'Correo electrónico', check: optionalEmailProblem },
}

interface NewCustomerProps {
  /** the search text: a name, a telephone number or an email address */
  typed?: string
  onMade: (customer: FoundCustomer) => void
  /** null: there is no search to return to */
  onBack: (() => void) | null
}

/** Creates a customer at the counter. Signing up with the same mail later takes the record over. */
export function NewCustomer({ typed = '', onMade, onBack }: NewCustomerProps) {
  const digits = phoneDigits(typed)
  const isPhone = digits.length >= 6 && !/\p{L}/u.test(typed)
  const isEmail = typed.includes('@')
  const [first = '', ...lastNames] = isPhone || isEmail ? [] : typed.split(/\s+/)
  const [owner, setOwner] = useState<(OtherRecord & { phone: string }) | null>(null)
  const isRelative = useRef(false)
  const form = useForm({
    fields,
    submit: async ({ name = '', last_name = '', phone = '', email = '' }) => {
      const sent = { name: name.trim(), last_name: last_name.trim(), email: email.trim() || null, phone }
      try {
        const { customer_id } = await api.people.create({ ...sent, ...(isRelative.current ? { shares_phone: true } : {}) })
        onMade({ customer_id, ...sent })
      } catch (error) {
        const found = otherRecordIn(error)
        if (!found) throw error
        setOwner({ ...found, phone })
      } finally {
        isRelative.current = false
      }
    },
  })
  return (
    <form
      className="stack gap-16"
      noValidate
      onSubmit={form.onSubmit}
      onInput={(event) => {
        setOwner(null)
        form.onInput(event)
      }}
    >
      {owner && (
        <Banner tone="warn" live title={owner.what === 'phone' ? `¿Es familiar de ${owner.first}?` : `Ese correo es de ${owner.name}.`}>
          {owner.what === 'phone' && <p>Ese teléfono es de {owner.name}.</p>}
          <div className="row gap-8 wraps">
            <Button
              variant="outline"
              size="small"
              onClick={() => {
                const { customer_id, first: name, last_name, phone } = owner
                onMade({ customer_id, name, last_name, phone, email: null })
              }}
            >
              Es la misma persona
            </Button>
            {owner.what === 'phone' && (
              <Button
                type="submit"
                variant="outline"
                size="small"
                onClick={() => {
                  isRelative.current = true
                }}
              >
                Sí, es su familiar
              </Button>
            )}
          </div>
        </Banner>
      )}
      {form.message && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      <div className="field-pair">
        <TextField label="Nombre" name="name" autoComplete="off" defaultValue={first} error={form.errors.name} data-focus-first />
        <TextField label="Apellidos" name="last_name" autoComplete="off" defaultValue={lastNames.join(' ')} error={form.errors.last_name} />
      </div>
      <PhoneField before={isPhone ? digits : ''} error={form.errors.phone} />
      <TextField
        label="Correo electrónico"
        optional
        hint="Con su correo recibe sus avisos y puede crear su cuenta."
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={isEmail ? typed : ''}
        error={form.errors.email}
      />
      <div className="row gap-8 wraps">
        {onBack && (
          <Button variant="outline" onClick={onBack}>
            Volver a buscar
          </Button>
        )}
        <Button type="submit" className="grow" loading={form.busy}>
          Dar de alta
        </Button>
      </div>
    </form>
  )
}
