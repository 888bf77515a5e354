import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { limitTexts } from '#contract/allowed-times.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { formatInstant } from '#contract/time.ts'
import type { CardPackage } from '#web/features/checkout/card-package.ts'
import { PackageCard } from '#web/features/checkout/package-card.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { type PackageDraft, toFields } from './package-draft.ts'
import { previewTexts } from './package-facts.ts'

interface PackageAsideProps {
  draft: PackageDraft
  /** null: a new one */
  stored: StudioPackage | null
  all: readonly StudioPackage[]
  /** names of all locations of the studio, by id */
  locations: ReadonlyMap<number, string>
}

/** Beside the form: the card as the site shows it, the price per class among the other packages, and its holders. */
export function PackageAside({ draft, stored, all, locations }: PackageAsideProps) {
  return (
    <aside className="record-aside" aria-label="Cómo se ve y cómo va">
      <Preview draft={draft} locations={locations} />
      <PriceLadder draft={draft} stored={stored} all={all} />
      {stored && <Figures class_package_id={stored.class_package_id} />}
    </aside>
  )
}

/** The card of the site; nothing in it can be pressed. */
function Preview({ draft, locations }: Pick<PackageAsideProps, 'draft' | 'locations'>) {
  const fields = toFields(draft)
  const amount = fields.class_amount
  const facts: Omit<CardPackage, 'texts'> = {
    class_package_id: 0,
    title: fields.title || 'Sin nombre',
    description: '',
    short_description: fields.short_description ?? '',
    price: shown(fields.price) ?? '0.00',
    sale_price: shown(fields.sale_price),
    class_amount: Number.isFinite(amount) ? amount : 0,
    expiration_days: Number.isFinite(fields.expiration_days) ? fields.expiration_days : 0,
    clock_starts: fields.clock_starts ?? 'purchase',
    is_special_event: fields.is_special_event ?? false,
    is_featured: fields.is_featured ?? false,
    is_subscription: fields.is_subscription ?? false,
    subscription_period: fields.subscription_period ?? null,
    subscription_interval: fields.subscription_interval || null,
    free_trial_length: fields.free_trial_length || null,
    free_trial_period: fields.free_trial_period ?? null,
    limit_per_customer: fields.limit_per_customer || null,
    left: null,
    limits: limitTexts({
      allowed_times: fields.allowed_times ?? [],
      locations: (fields.location_ids ?? []).map((id) => locations.get(id) ?? ''),
    }),
  }
  const hasPrice = shown(fields.price) !== null
  return (
    <section aria-label="Así se ve en tu sitio">
      <div inert className="package-preview">
        <PackageCard classPackage={{ ...facts, texts: previewTexts(facts, hasPrice) }} trial={draft.kind === 'trial'} />
      </div>
    </section>
  )
}

/** A typed price as the API writes it; null when it is none. */
function shown(typed: string | null): string | null {
  const centavos = typed === null ? null : parsePesos(typed)
  return centavos === null ? null : (centavos / 100).toFixed(2)
}

interface Step {
  id: number
  title: string
  each: number
}

function stepOf(id: number, title: string, price: string | null, class_amount: number): Step | null {
  const centavos = price === null ? null : parsePesos(price)
  return centavos === null || !(class_amount > 0) ? null : { id, title, each: Math.round(centavos / class_amount) }
}

/** What one class costs in each package that is on sale, dearest first. */
function PriceLadder({ draft, stored, all }: Omit<PackageAsideProps, 'locations'>) {
  const fields = toFields(draft)
  const own = stored?.class_package_id ?? 0
  const mine =
    draft.kind === 'online' ? null : stepOf(own, fields.title || 'Este paquete', fields.sale_price ?? fields.price, fields.class_amount)
  const others = all
    .filter(
      (classPackage) =>
        classPackage.available &&
        !classPackage.is_online &&
        !classPackage.is_special_event &&
        !classPackage.is_trial &&
        classPackage.class_package_id !== own,
    )
    .map((classPackage) =>
      stepOf(classPackage.class_package_id, classPackage.title, classPackage.sale_price ?? classPackage.price, classPackage.class_amount),
    )
  const steps = [...others, mine].filter((step) => step !== null).sort((a, b) => b.each - a.each)
  if (!mine || steps.length < 2) return null
  const dearest = steps[0]?.each || 1
  const next = steps[steps.indexOf(mine) - 1]
  return (
    <section className="panel-card package-ladder" aria-labelledby="precio-por-clase">
      <h2 id="precio-por-clase" className="t3">
        Precio por clase
      </h2>
      <ul>
        {steps.map((step) => (
          <li key={step.id} className={step === mine ? 'strong' : undefined}>
            <span className="ellipsis">{step.title}</span>
            <span className="package-bar" aria-hidden="true">
              <span className={step === mine ? 'package-bar-mine' : undefined} style={{ width: `${(100 * step.each) / dearest}%` }} />
            </span>
            <span>{formatMoney(step.each)}</span>
          </li>
        ))}
      </ul>
      {next && next.each > mine.each && (
        <p className="small muted">
          Queda {formatMoney(next.each - mine.each)} por clase debajo de {next.title}.
        </p>
      )}
    </section>
  )
}

/** Sales, current holders, and the history of prices. */
function Figures({ class_package_id }: { class_package_id: number }) {
  const { zone } = useSite()
  const { data } = useQuery(queries.studioPackages.figures.queryOptions({ input: { class_package_id }, meta: { handled: true } }))
  if (!data) return null
  return (
    <section className="panel-card package-figures" aria-label="Cómo se vende">
      <dl>
        <div>
          <dt className="small muted">Vendidos en 30 días</dt>
          <dd className="figure-small">{data.sold.toLocaleString('es-MX')}</dd>
        </div>
        {data.collected !== null && (
          <div>
            <dt className="small muted">Cobrado en 30 días</dt>
            <dd className="figure-small">{formatPesos(data.collected)}</dd>
          </div>
        )}
        <div>
          <dt className="small muted">Vendidos en total</dt>
          <dd className="figure-small">{data.sold_ever.toLocaleString('es-MX')}</dd>
        </div>
        {data.collected_ever !== null && (
          <div>
            <dt className="small muted">Cobrado en total</dt>
            <dd className="figure-small">{formatPesos(data.collected_ever)}</dd>
          </div>
        )}
      </dl>
      <AppLink to={`${adminPaths.customers}?paquete=${class_package_id}`} className="link link-alone">
        {data.holders === 1 ? '1 persona lo tiene hoy' : `${data.holders.toLocaleString('es-MX')} personas lo tienen hoy`}
      </AppLink>
      <h2 className="t4 package-prices-head">Precios que ha tenido</h2>
      <ol className="package-prices">
        {data.prices.map(({ at, by, price, sale_price }) => (
          <li key={at}>
            <span className="strong">
              {sale_price === null ? formatPesos(price) : `${formatPesos(sale_price)} (antes ${formatPesos(price)})`}
            </span>
            <span className="small muted">
              Desde el {formatInstant(new Date(at), zone, 'date')}
              {by && `, por ${by}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
