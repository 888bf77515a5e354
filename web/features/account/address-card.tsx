import type { Address } from '#contract/addresses.ts'
import { validation } from '#contract/copy/messages.ts'
import { api } from '#web/lib/api.ts'
import { type Field, useForm } from '#web/lib/form.ts'
import { TextField } from '#web/ui/field.tsx'
import { ProfileCard, ProfileForm, useSaved } from './profile-card.tsx'

const demanded = (label: string, message: string): Field => ({ label, check: (value) => (value.trim() ? null : message) })

const fields = {
  street: { label: 'Calle' },
  number: { label: 'Número exterior' },
  interior_number: { label: 'Número interior' },
  neighborhood: { label: 'Colonia' },
  zip_code: { label: 'Código postal' },
  city: demanded('Ciudad', validation.city),
  state: demanded('Estado', validation.state),
  country: demanded('País', validation.country),
} satisfies Record<string, Field>

/** The card 'Dirección de Facturación': shows and edits it (S2-2.70, S2-3.01, S2-5.01 to S2-5.04). */
export function AddressCard({ address }: { address: Address | null }) {
  return (
    <ProfileCard
      title="Dirección de Facturación"
      change={address ? 'Editar' : 'Agregar'}
      edit={(done) => <AddressForm address={address} onDone={done} />}
    >
      {address ? (
        <address className="profile-address">
          {linesOf(address).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </address>
      ) : (
        <p className="muted">Aún no tienes una dirección. Sirve para tus facturas.</p>
      )}
    </ProfileCard>
  )
}

function linesOf({ street, number, interior_number, neighborhood, zip_code, city, state, country }: Address): string[] {
  const joined = (parts: readonly (string | null)[], between: string) => parts.filter(Boolean).join(between)
  return [
    joined([joined([street, number], ' '), interior_number && `interior ${interior_number}`], ', '),
    neighborhood ?? '',
    joined([zip_code, joined([city, state], ', ')], ' '),
    country,
  ].filter((line) => line !== '')
}

function AddressForm({ address, onDone }: { address: Address | null; onDone: () => void }) {
  const saved = useSaved()
  const form = useForm({
    fields,
    submit: async (values) => {
      const written = {
        street: values.street?.trim() || null,
        number: values.number?.trim() || null,
        interior_number: values.interior_number?.trim() || null,
        neighborhood: values.neighborhood?.trim() || null,
        zip_code: values.zip_code?.trim() || null,
        city: values.city?.trim() ?? '',
        state: values.state?.trim() ?? '',
        country: values.country?.trim() ?? '',
      }
      if (address) await api.people.addresses.update({ Address_id: address.Address_id, ...written })
      else await api.people.addresses.create(written)
      await saved(null)
      onDone()
    },
  })
  const initial: Partial<Address> = address ?? { country: 'México' }
  const of = (name: keyof typeof fields) => ({
    name,
    label: fields[name].label,
    defaultValue: initial[name] ?? '',
    error: form.errors[name],
  })
  return (
    <ProfileForm form={form} onCancel={onDone}>
      <TextField {...of('street')} optional autoComplete="address-line1" maxLength={120} />
      <div className="profile-pair">
        <TextField {...of('number')} optional maxLength={20} />
        <TextField {...of('interior_number')} optional maxLength={20} />
      </div>
      <div className="profile-pair">
        <TextField {...of('neighborhood')} optional autoComplete="address-level3" maxLength={120} />
        <TextField {...of('zip_code')} optional inputMode="numeric" autoComplete="postal-code" maxLength={12} />
      </div>
      <div className="profile-pair">
        <TextField {...of('city')} autoComplete="address-level2" maxLength={120} />
        <TextField {...of('state')} autoComplete="address-level1" maxLength={120} />
      </div>
      <TextField {...of('country')} autoComplete="country-name" maxLength={120} />
    </ProfileForm>
  )
}
