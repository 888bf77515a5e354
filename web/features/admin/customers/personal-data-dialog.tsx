import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Customer } from '#contract/people.ts'
import { phoneDigits } from '#contract/phone.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { type OtherRecord, otherRecordIn } from '#web/features/admin/people/other-record.ts'
import { api } from '#web/lib/api.ts'
import { type Failure, showInForm } from '#web/lib/errors.ts'
import { checkFilled, checkValues, type Field, optionalEmailProblem, phoneProblem, summary } from '#web/lib/form.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

const FORM = 'datos-del-cliente'

type PersonalDraft = Record<'name' | 'last_name' | 'phone' | 'birthdate' | 'instagram' | 'email', string>

const draftOfCustomer = ({ name, last_name, phone, birthdate, instagram, email }: Customer): PersonalDraft => ({
  name,
  last_name,
  phone: phone ?? '',
  birthdate: birthdate ?? '',
  instagram: instagram ?? '',
  email: email ?? '',
})

const valueTexts = (draft: PersonalDraft) => ({
  Nombre: draft.name,
  Apellidos: draft.last_name,
  Teléfono: draft.phone,
  'Fecha de nacimiento': draft.birthdate,
  Instagram: draft.instagram,
  'Correo electrónico': draft.email,
})

/** What was changed, as it is sent. A telephone and an address cannot be emptied. */
const changesOf = (draft: PersonalDraft, from: Customer): Partial<PersonalDraft> => {
  const before = draftOfCustomer(from)
  return Object.fromEntries(
    Object.entries(draft)
      .map(([key, typed]) => [key, typed.trim()] as const)
      .filter(([key, value]) => value !== before[key as keyof PersonalDraft] && !(value === '' && (key === 'phone' || key === 'email'))),
  )
}

interface PersonalDataDialogProps {
  customer: Customer
  /** combines this record with another one of the same person */
  onMerge: (other_id: number) => void
  onDone: () => void
  onClose: () => void
}

/** Staff change a customer's name, telephone, mail, birthday and Instagram. A customer with an account changes their mail there. */
export function PersonalDataDialog({ customer, onMerge, onDone, onClose }: PersonalDataDialogProps) {
  const client = useQueryClient()
  const hasAccount = customer.uid !== ''
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const fields: Record<string, Field> = {
    name: { label: 'Nombre', check: checkFilled },
    last_name: { label: 'Apellidos', check: checkFilled },
    phone: { label: 'Teléfono', check: (value) => (value === '' && customer.phone === null ? null : phoneProblem(value)) },
    birthdate: { label: 'Fecha de nacimiento' },
    instagram: { label: 'Instagram' },
    ...(hasAccount ? {} : { email: { label: 'Correo electrónico', check: customer.email === null ? optionalEmailProblem : checkFilled } }),
  }
  const edit = useVersionedEdit({
    stored: customer,
    toDraft: draftOfCustomer,
    start: draftOfCustomer(customer),
    send: (draft: PersonalDraft, from: Customer | null) =>
      api.people.update({
        ...changesOf(draft, from ?? customer),
        customer_id: customer.customer_id,
        if_updatedAt: (from ?? customer).updatedAt,
      }),
    reload: () => client.invalidateQueries(),
    onSaved: onDone,
  })
  const { draft, isSaving, refusal, conflict } = edit
  const other = refusal && otherRecordIn(refusal)
  const refused = refusalOfForm(fields, refusal)
  const errors: Readonly<Record<string, string>> = { ...refused.errors, ...wrong }
  const message = summary(fields, wrong) ?? refused.message
  const field = (key: keyof PersonalDraft) => ({
    name: key,
    value: draft[key],
    error: errors[key],
    onChange(event: { currentTarget: { value: string } }) {
      const { value } = event.currentTarget
      edit.setDraft((current) => ({ ...current, [key]: key === 'phone' ? phoneDigits(value) : value }))
      setWrong(({ [key]: _, ...others }) => others)
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSaving) return
    const problems = checkValues(fields, draft)
    setWrong(problems)
    const [first] = Object.keys(problems)
    if (first) event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    else edit.save()
  }
  return (
    <Dialog
      open
      onClose={isSaving ? null : onClose}
      title="Cambiar sus datos"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Dejarlos igual
          </Button>
          <Button type="submit" form={FORM} loading={isSaving}>
            Guardar
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack gap-16" noValidate onSubmit={submit}>
        {message && (
          <Banner tone="danger" live>
            {message}
          </Banner>
        )}
        {other && <OtherRecordBanner other={other} onMerge={onMerge} />}
        <TextField label="Nombre" autoComplete="off" {...field('name')} />
        <TextField label="Apellidos" autoComplete="off" {...field('last_name')} />
        <TextField label="Teléfono" type="tel" inputMode="numeric" autoComplete="off" {...field('phone')} />
        <div className="field-pair">
          <TextField label="Fecha de nacimiento" optional type="date" {...field('birthdate')} />
          <TextField label="Instagram" optional maxLength={80} autoComplete="off" autoCapitalize="none" {...field('instagram')} />
        </div>
        {hasAccount ? (
          <p className="small muted">Cambia su correo ({customer.email}) desde su cuenta.</p>
        ) : (
          <TextField
            label="Correo electrónico"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="Con su correo recibe sus avisos y puede crear su cuenta."
            {...field('email')}
          />
        )}
      </form>
      {conflict && (
        <ConflictDialog title="Alguien más cambió sus datos" {...conflict}>
          <VersionsTable fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} mergesRest />
        </ConflictDialog>
      )}
    </Dialog>
  )
}

/** A refusal as sentences by field, and the one above the form. */
function refusalOfForm(fields: Readonly<Record<string, Field>>, refusal: Failure | null) {
  const shown = refusal && showInForm(refusal)
  if (!shown || shown.as === 'silence') return { errors: {}, message: null }
  if (shown.as !== 'field') return { errors: {}, message: shown.message }
  const isKnown = Object.keys(shown.fields).some((name) => name in fields)
  return { errors: shown.fields, message: isKnown ? summary(fields, shown.fields) : shown.message }
}

/** The telephone or mail belongs to another record: it is opened, or combined with this one. */
function OtherRecordBanner({ other, onMerge }: { other: OtherRecord; onMerge: (other_id: number) => void }) {
  const staff = useStaff()
  return (
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
  )
}
