import { useState } from 'react'
import { acceptedTypes } from '#contract/files.ts'
import type { Customer } from '#contract/people.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatWall } from '#contract/time.ts'
import { api } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { checkFilled, type Field, phoneProblem, useForm } from '#web/lib/form.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { sendFile } from '#web/lib/uploads.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { PhoneField } from './phone-field.tsx'
import { ProfileCard, ProfileForm, useSaved } from './profile-card.tsx'
import { reasonField, reasonsIn, SignupReason } from './signup-reason.tsx'

/** The card 'Información personal': shows and edits it (S2-2.69, S2-3.04, S2-9.12). */
export function PersonalCard({ customer }: { customer: Customer }) {
  const site = useSite()
  const { photo, idAdjunto } = customer.file
  const { signup_reason, signup_reason_other } = customer
  return (
    <ProfileCard title="Información personal" edit={(done) => <PersonalForm customer={customer} onDone={done} />}>
      <div className="profile-who">
        {photo ? (
          <img className="profile-photo" src={fileUrl(site, photo.thumbnail ?? photo.src)} alt="" width={100} height={100} />
        ) : (
          <Avatar name={`${customer.name} ${customer.last_name}`} size={100} />
        )}
        <div>
          <p className="t4">{`${customer.name} ${customer.last_name}`}</p>
          <p className="muted">
            <EmailText address={customer.email} />
          </p>
        </div>
      </div>
      <DefinitionList
        items={[
          ['Teléfono', customer.phone && formatPhone(customer.phone)],
          ['Fecha de nacimiento', customer.birthdate && formatWall(`${customer.birthdate}T00:00:00.000Z`, 'date')],
          ['Instagram', customer.instagram && `@${customer.instagram.replace(/^@/, '')}`],
          ['Cómo nos conociste', signup_reason_other || signup_reason],
          ['Identificación', idAdjunto?.name],
        ]}
      />
    </ProfileCard>
  )
}

function PersonalForm({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const site = useSite()
  const saved = useSaved()
  const today = todayIn(site.zone)
  const [photo, setPhoto] = useState<File | null>(null)
  const [document, setDocument] = useState<File | null>(null)
  const fields: Record<string, Field> = {
    photo: { label: 'Foto' },
    name: { label: 'Nombre', check: checkFilled },
    last_name: { label: 'Apellidos', check: checkFilled },
    phone: { label: 'Teléfono', check: phoneProblem },
    birthdate: {
      label: 'Fecha de nacimiento',
      check: (value) => (value === '' || (value >= '1900-01-01' && value <= today) ? null : 'Esa fecha no existe.'),
    },
    instagram: { label: 'Instagram' },
    signup_reason_other: reasonField,
    idAdjunto: { label: 'Identificación' },
  }
  const form = useForm({
    fields,
    submit: async (values) => {
      const file = {
        ...(photo && { photo: await sendFile('photo', photo) }),
        ...(document && { idAdjunto: await sendFile('idAdjunto', document) }),
      }
      const { customer: now } = await api.people.update({
        name: values.name ?? '',
        last_name: values.last_name ?? '',
        phone: values.phone ?? '',
        birthdate: values.birthdate || null,
        instagram: (values.instagram ?? '').trim().replace(/^@/, '') || null,
        ...reasonsIn(values),
        ...(Object.keys(file).length > 0 && { file }),
      })
      await saved(now)
      onDone()
    },
  })
  const before = customer.file
  return (
    <ProfileForm form={form} onCancel={onDone}>
      <FileField
        label="Foto"
        name="photo"
        optional
        accept={acceptedTypes('image')}
        chosen={photo}
        onChoose={setPhoto}
        current={before.photo && { name: before.photo.name, thumbnail: before.photo.thumbnail && fileUrl(site, before.photo.thumbnail) }}
        preview
        error={form.errors.photo}
      />
      <div className="profile-pair">
        <TextField
          label="Nombre"
          name="name"
          autoComplete="given-name"
          maxLength={80}
          defaultValue={customer.name}
          error={form.errors.name}
        />
        <TextField
          label="Apellidos"
          name="last_name"
          autoComplete="family-name"
          maxLength={80}
          defaultValue={customer.last_name}
          error={form.errors.last_name}
        />
      </div>
      <PhoneField before={customer.phone ?? ''} error={form.errors.phone} />
      <div className="profile-pair">
        <TextField
          label="Fecha de nacimiento"
          name="birthdate"
          type="date"
          optional
          autoComplete="bday"
          min="1900-01-01"
          max={today}
          defaultValue={customer.birthdate ?? ''}
          error={form.errors.birthdate}
        />
        <TextField
          label="Instagram"
          name="instagram"
          optional
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          before={<span aria-hidden="true">@</span>}
          defaultValue={customer.instagram?.replace(/^@/, '') ?? ''}
          error={form.errors.instagram}
        />
      </div>
      <SignupReason initial={customer} error={form.errors.signup_reason_other} />
      <FileField
        label="Identificación"
        name="idAdjunto"
        optional
        accept={acceptedTypes('image', 'document')}
        chosen={document}
        onChoose={setDocument}
        current={before.idAdjunto && { name: before.idAdjunto.name, thumbnail: null }}
        hint="Imagen o PDF. Solo la ven tú y el estudio."
        error={form.errors.idAdjunto}
      />
    </ProfileForm>
  )
}
