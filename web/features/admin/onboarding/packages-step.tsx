import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { parsePesos } from '#contract/money.ts'
import type { OnboardingExample, OnboardingProposal } from '#contract/onboarding.ts'
import { api, queries } from '#web/lib/api.ts'
import { StepForm, useStepDraft } from './step-form.tsx'
import { AlreadyThere, StepSkeleton, useProposal } from './step-parts.tsx'
import { isSameName } from './week-painting.ts'

type Proposed = OnboardingProposal['class_packages'][number]

interface PackageRow {
  title: string
  price: string
  isChosen: boolean
}

/** "10 clases, vence en 60 días" */
const about = ({ class_amount, expiration_days, limit_per_customer }: Proposed): string =>
  [
    class_amount === -1 ? 'Clases ilimitadas' : class_amount === 1 ? '1 clase' : `${class_amount} clases`,
    `vence en ${expiration_days === 1 ? '1 día' : `${expiration_days} días`}`,
    ...(limit_per_customer === 1 ? ['una por persona'] : []),
  ].join(', ')

/** Paquetes: four usual ones with prices to correct. */
export default function PackagesStep() {
  const stored = useQuery(queries.studioPackages.all.queryOptions({ input: {} })).data?.class_packages
  const proposal = useProposal()
  if (!stored || !proposal) return <StepSkeleton />
  return <PackagesForm stored={stored.map(({ title }) => title)} proposed={proposal.class_packages} />
}

function PackagesForm({ stored, proposed }: { stored: readonly string[]; proposed: readonly Proposed[] }) {
  const draft = useStepDraft<{ rows: PackageRow[] }>('packages')
  const isNew = ({ title }: { title: string }) => !stored.some((other) => isSameName(other, title))
  const [rows, setRows] = useState<PackageRow[]>(
    (draft?.rows ?? proposed.map(({ title, price }) => ({ title, price, isChosen: stored.length === 0 }))).filter(isNew),
  )
  const change = (at: number, values: Partial<PackageRow>) =>
    setRows((all) => all.map((classPackage, index) => (index === at ? { ...classPackage, ...values } : classPackage)))
  const chosen = rows.filter(({ isChosen }) => isChosen)
  const pesosOf = (text: string) => parsePesos(text.replace(/[$,\s]/g, ''))
  return (
    <StepForm
      title="¿Cuánto cobras?"
      about="Son los paquetes que casi todos venden, con precios usuales de tu giro. Corrige los tuyos."
      draft={{ rows }}
      problem={
        chosen.some(({ price }) => pesosOf(price) === null)
          ? 'Escribe los precios en pesos, como 230 o 230.50.'
          : chosen.length + stored.length === 0
            ? 'Marca al menos un paquete.'
            : null
      }
      summary={chosen.length === 0 ? null : chosen.length === 1 ? '1 paquete' : `${chosen.length} paquetes`}
      onSubmit={async () => {
        const examples: OnboardingExample[] = []
        for (const { title, price } of chosen) {
          const like = proposed.find((like) => like.title === title)
          if (!like) continue
          const typed = price.replace(/[$,\s]/g, '')
          const { class_package } = await api.studioPackages.create({ ...like, price: typed, is_home: true })
          if (pesosOf(price) === parsePesos(like.price))
            examples.push({ entity: 'class_package', entity_id: class_package.class_package_id })
        }
        return { examples }
      }}
    >
      {stored.length > 0 && (
        <AlreadyThere to={adminPaths.packages} screen="Ver tus paquetes">{`Ya vendes ${stored.join(', ')}.`}</AlreadyThere>
      )}
      <ul className="steps-rows">
        {rows.map((row, at) => {
          const like = proposed.find(({ title }) => title === row.title)
          return (
            <li key={row.title}>
              <label className="check">
                <input type="checkbox" checked={row.isChosen} onChange={(event) => change(at, { isChosen: event.currentTarget.checked })} />
                <span>
                  <span className="strong">{row.title}</span>
                  {like && <span className="small muted steps-line">{about(like)}</span>}
                </span>
              </label>
              <span className="control steps-price">
                <span className="muted">$</span>
                <input
                  type="text"
                  inputMode="decimal"
                  aria-label={`Precio de ${row.title}`}
                  maxLength={12}
                  value={row.price}
                  onChange={(event) => change(at, { price: event.currentTarget.value })}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </StepForm>
  )
}
