import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { OnboardingExample, OnboardingProposal } from '#contract/onboarding.ts'
import { RichText } from '#web/features/site/rich-text.tsx'
import { api, queries } from '#web/lib/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { AlreadyThere, StepSkeleton } from './step-parts.tsx'
import type { StudioDraft } from './studio-draft.ts'
import { type SettingValues, saveSettings, useSettingValues } from './use-settings.ts'

interface LegalDraft {
  legal_name: string
  address: string
  email: string
  /** slugs of the pages that are not wanted */
  without: string[]
}

interface StoredPage {
  slug: string
  title: string
  content: string | null
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Legales: privacy notice, terms and rules from a template with the studio's data. */
export default function LegalStep() {
  const values = useSettingValues()
  const pages = useQuery(queries.content.admin.pages.all.queryOptions()).data?.pages
  const locations = useQuery(queries.catalogue.admin.locations.all.queryOptions()).data?.locations
  if (!values || !pages || !locations) return <StepSkeleton />
  return <LegalForm values={values} stored={pages} address={locations.find(({ archived }) => !archived)?.address ?? ''} />
}

function LegalForm({ values, stored, address: storedAddress }: { values: SettingValues; stored: readonly StoredPage[]; address: string }) {
  const studio = useStepDraft<StudioDraft>('studio')
  const draft = useStepDraft<LegalDraft>('legal')
  const [legal_name, setName] = useState(draft?.legal_name ?? String(values.business_legal_name ?? ''))
  const [address, setAddress] = useState(draft?.address ?? storedAddress)
  const [email, setEmail] = useState(draft?.email ?? String(values.email ?? ''))
  const [without, setWithout] = useState<readonly string[]>(draft?.without ?? [])
  const isEmail = EMAIL.test(email.trim())
  const data = {
    giro: studio?.giro ?? ('otro' as const),
    city: studio?.city ?? '',
    legal_name: legal_name.trim(),
    address: address.trim(),
    email: isEmail ? email.trim() : '',
  }
  const proposed = useQuery({
    ...queries.onboarding.proposal.queryOptions({ input: useDeferredValue(data), staleTime: Number.POSITIVE_INFINITY }),
    placeholderData: (before: OnboardingProposal | undefined) => before,
  }).data?.pages
  const missing = (proposed ?? []).filter(({ slug }) => !stored.some((page) => page.slug === slug && page.content !== null))
  const chosen = missing.filter(({ slug }) => !without.includes(slug))
  return (
    <StepForm
      title="Tus textos legales"
      about="La ley pide un aviso de privacidad a la vista. Lo escribimos con tus datos."
      draft={{ legal_name, address, email, without }}
      problem={!isEmail && chosen.length > 0 ? 'Escribe un correo para quien pregunte por sus datos.' : null}
      onSubmit={async () => {
        await saveSettings(values, {
          ...(values.email === '' && isEmail ? { email: email.trim() } : {}),
          ...(values.business_legal_name === '' && legal_name.trim() ? { business_legal_name: legal_name.trim() } : {}),
        })
        const { pages } = await api.onboarding.proposal(data)
        const examples: OnboardingExample[] = []
        for (const { slug, title, content, required_signup } of pages) {
          if (!chosen.some((page) => page.slug === slug)) continue
          const { page } = await api.content.admin.pages.create({ page_id: 'nueva', slug, title, content, required_signup })
          examples.push({ entity: 'page', entity_id: page.page_id })
        }
        return { examples }
      }}
    >
      {missing.length === 0 && proposed && stored.length > 0 && (
        <AlreadyThere
          to={adminPaths.pages}
          screen="Ver tus páginas"
        >{`Ya tienes ${stored.map(({ title }) => title).join(', ')}.`}</AlreadyThere>
      )}
      <div className="steps-pair">
        <TextField
          label="Quién responde por los datos"
          optional
          maxLength={200}
          hint="Tu nombre completo, o la razón social."
          value={legal_name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextField
          label="Correo para preguntas sobre datos"
          type="email"
          inputMode="email"
          autoCapitalize="none"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </div>
      <TextField label="Domicilio" optional maxLength={400} value={address} onChange={(event) => setAddress(event.currentTarget.value)} />
      <ul className="steps-texts">
        {missing.map(({ slug, title, content, required_signup }) => (
          <li key={slug}>
            <Checkbox
              checked={!without.includes(slug)}
              onChange={(event) => setWithout(event.currentTarget.checked ? without.filter((other) => other !== slug) : [...without, slug])}
            >
              <span className="strong">{title}</span>
              <span className="small muted steps-line">{required_signup ? 'Se acepta al registrarse.' : 'Queda al pie de tu sitio.'}</span>
            </Checkbox>
            <details>
              <summary>
                Leer<span className="sr-only"> {title}</span>
              </summary>
              <RichText html={content} className="steps-text" />
            </details>
          </li>
        ))}
      </ul>
      <Banner tone="warn">Son una plantilla: revísalos con tu abogado.</Banner>
    </StepForm>
  )
}
