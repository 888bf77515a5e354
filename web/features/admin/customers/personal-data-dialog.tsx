import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Customer } from '#contract/people.ts'
import { PhoneField } from '#web/features/account/phone-field.tsx'
import { type FieldVersions, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { type OtherRecord, otherRecordIn } from '#web/features/admin/people/other-record.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, type Field, optionalEmailProblem, phoneProblem, useForm } from '#web/lib/form.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

const FORM = 'datos-del-cliente'

interface PersonalDataDialogProps {
  customer: Customer
  /** combines this record with another one of the same person */
  onMerge: (other_id: number) => void
  onDone: () => void
  onClose: () => void
}

/** Staff change a customer's name, telephone, mail, birthday and Instagram. A customer with an account changes their mail there. */
export function PersonalDataDialog({ customer, onMerge, onDone, onClose }: PersonalDataDialogProps) {
  const hasAccount = customer.uid !== ''
  const staff = useStaff()
  const [other, setOther] = useState<OtherRecord | null>(null)
  const [base, setBase] = useState(customer)
  const [versions, setVersions] = useState<{ message: string; fields: FieldVersions[] } | null>(null)
  const fields: Record<string, Field> = {
    name: { label: 'Nombre', check: checkFilled },
    last_name: { label: 'Apellidos', check: checkFilled },
    phone: { label: 'Teléfono', check: (value) => (value === '' && customer.phone === null ? null : phoneProblem(value)) },
    birthdate: { label: 'Fecha de nacimiento' },
    instagram: { label: 'Instagram' },
    ...(hasAccount ? {} : { email: { label: 'Correo electrónico', check: customer.email === null ? optionalEmailProblem : checkFilled } }),
  }
  const form = useForm({
    fields,
    async submit(values) {
      const changes = changesOf(customer, Object.keys(fields), values)
      try {
        await api.people.update({ customer_id: customer.customer_id, if_updatedAt: base.updatedAt, ...changes })
        onDone()
      } catch (error) {
        setOther(otherRecordIn(error))
        const { code, message } = toFailure(error)
        if (code !== 'CHANGED_MEANWHILE') throw error
        // Saving again is over the version that is shown beside the own one.
        const stored = (await api.people.find({ customer_id: customer.customer_id })).customer
        setBase(stored)
        setVersions({
          message,
          fields: Object.entries(changes).flatMap(([key, mine]) => {
            const theirs = String(stored[key as keyof Customer] ?? '')
            return mine === theirs ? [] : [{ label: fields[key]?.label ?? key, theirs, mine }]
          }),
        })
      }
    },
  })
  return (
    <Dialog
      open
      onClose={form.busy ? null : onClose}
      title="Cambiar sus datos"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Dejarlos igual
          </Button>
          <Button type="submit" form={FORM} loading={form.busy}>
            Guardar
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
        {form.message && (
          <Banner tone="danger" live>
            {form.message}
          </Banner>
        )}
        {versions && (
          <Banner tone="warn" live title={versions.message}>
            <VersionsTable fields={versions.fields} />
            <Button variant="outline" size="small" onClick={onDone}>
              Quedarme con la suya
            </Button>
          </Banner>
        )}
        {other && (
          <Banner tone="warn" title={`${other.what === 'phone' ? 'Ese teléfono' : 'Ese correo'} es de ${other.name}.`}>
            <span className="row gap-8 wraps">
              <Button as={AppLink} to={adminPaths.customer(other.customer_id)} variant="outline" size="small">
                Abrir su ficha
              </Button>
              {may(staff, 'customers.merge') && (
                <Button variant="outline" size="small" onClick={() => onMerge(other.customer_id)}>
                  Es la misma persona: combinar
                </Button>
              )}
            </span>
          </Banner>
        )}
        <TextField label="Nombre" name="name" autoComplete="off" defaultValue={customer.name} error={form.errors.name} />
        <TextField label="Apellidos" name="last_name" autoComplete="off" defaultValue={customer.last_name} error={form.errors.last_name} />
        <PhoneField before={customer.phone ?? ''} error={form.errors.phone} />
        <div className="field-pair">
          <TextField
            label="Fecha de nacimiento"
            optional
            name="birthdate"
            type="date"
            defaultValue={customer.birthdate ?? ''}
            error={form.errors.birthdate}
          />
          <TextField
            label="Instagram"
            optional
            name="instagram"
            maxLength={80}
            autoComplete="off"
            autoCapitalize="none"
            defaultValue={customer.instagram ?? ''}
            error={form.errors.instagram}
          />
        </div>
        {hasAccount ? (
          <p className="small muted">Cambia su correo ({customer.email}) desde su cuenta.</p>
        ) : (
          <TextField
            label="Correo electrónico"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={customer.email ?? ''}
            hint="Con su correo recibe sus avisos y puede crear su cuenta."
            error={form.errors.email}
          />
        )}
      </form>
    </Dialog>
  )
}

/** What was changed, by its key: the rest is what it was, also where a colleague changes it meanwhile. A telephone and an address cannot be emptied. */
function changesOf(customer: Customer, keys: readonly string[], values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = (values[key] ?? '').trim()
      const isUnchanged = value === String(customer[key as keyof Customer] ?? '') || (value === '' && (key === 'phone' || key === 'email'))
      return isUnchanged ? [] : [[key, value]]
    }),
  )
}
