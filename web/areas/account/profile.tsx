import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { offersEnglish } from '#contract/language.ts'
import { paths } from '#contract/paths.ts'
import { AccountPages } from '#web/features/account/account-pages.tsx'
import { AddressCard } from '#web/features/account/address-card.tsx'
import { FormCard } from '#web/features/account/form-card.tsx'
import { PasswordCard } from '#web/features/account/password-card.tsx'
import { PersonalCard } from '#web/features/account/personal-card.tsx'
import { SessionsCard } from '#web/features/account/sessions-card.tsx'
import { LanguageButton } from '#web/features/site/language-button.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { PageHead } from './page-head.tsx'

/** Mi Información (S2-2.08, S2-2.16, S2-2.69, S2-2.70): the profile, what is missing in it, and its forms. */
export default function Profile() {
  const site = useSite()
  const customer = useCustomer()
  return (
    <div className="wrap">
      <PageHead title="Mi Información" />
      <AccountPages />
      <div className="profile-notices">
        {customer.missing.length > 0 && (
          <Banner tone="warn" title="Te falta información">
            <ul className="profile-missing">
              {customer.missing.map(({ key, label }) => (
                <li key={key}>{label}</li>
              ))}
            </ul>
          </Banner>
        )}
        <ConfirmEmail />
      </div>
      <div className="profile">
        <div className="profile-column">
          <PersonalCard customer={customer} />
          {site.profile_form_id !== null && <FormCard formId={site.profile_form_id} />}
          <AddressCard address={customer.address} />
        </div>
        <div className="profile-column">
          <PasswordCard />
          <SessionsCard />
          {offersEnglish(site) && <LanguageCard />}
          {customer.role && <StaffSecurity />}
        </div>
      </div>
    </div>
  )
}

/** The language of the customer, on every device (customer-language.ts). */
function LanguageCard() {
  return (
    <section className="card padded profile-card" aria-labelledby="idioma">
      <h2 id="idioma" className="t3">
        Idioma
      </h2>
      <p>El sitio y tu cuenta también están en inglés.</p>
      <div>
        <LanguageButton className={buttonClass({ variant: 'outline' })} />
      </div>
    </section>
  )
}

/** Staff have a second factor. */
function StaffSecurity() {
  return (
    <section className="card padded profile-card" aria-labelledby="seguridad">
      <h2 id="seguridad" className="t3">
        Verificación en dos pasos
      </h2>
      <p>Tu cuenta es también del equipo: protégela con un código de tu teléfono.</p>
      <div>
        <Button as={AppLink} variant="outline" to={paths.security}>
          Seguridad de tu cuenta
        </Button>
      </div>
    </section>
  )
}

/** For an unconfirmed email address: sends the confirmation email again (S1-8.55). */
function ConfirmEmail() {
  const site = useSite()
  const resumed = useSession(site.firebaseConfig, false)
  // The stored token may be older than the confirmation: the SDK fetches a new one.
  const session = useSession(site.firebaseConfig, resumed.state !== 'signed-in' || !resumed.emailVerified)
  const [confirmed, setConfirmed] = useState(false)
  const confirm = useMutation({
    mutationFn: () => api.people.confirm(),
    onSuccess({ sent }) {
      if (sent) showAlert('success', success.confirmationMailSent)
      else setConfirmed(true)
    },
  })
  if (session.state !== 'signed-in' || session.emailVerified || confirmed) return null
  return (
    <Banner tone="brand" title="Confirma tu correo">
      <p>{confirm.data?.sent ? `${success.confirmationMailSent}: ${session.email}` : `Aún no confirmas ${session.email}.`}</p>
      <Button variant="outline" size="small" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {confirm.data?.sent ? 'Enviar otra vez' : 'Enviar correo de confirmación'}
      </Button>
    </Banner>
  )
}
