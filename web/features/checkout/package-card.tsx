import './package-card.css'
import { IconRefresh } from '@tabler/icons-react'
import { paths } from '#contract/paths.ts'
import { Art } from '#web/features/site/art.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
import { PackageNumber } from '#web/ui/package-number.tsx'
import { Price } from '#web/ui/price.tsx'
import { Surface } from '#web/ui/section.tsx'
import type { CardPackage } from './card-package.ts'

interface PackageCardProps {
  pack: CardPackage
  /** a trial for new customers: with the accent background */
  trial?: boolean
  /** why this customer cannot buy it now ("Ya lo compraste."); sold-out packages need no reason */
  reason?: string | null
}

/** A package: its number of classes in large type, one mark per class, the price, one button (design section 6). */
export function PackageCard({ pack, trial = false, reason = null }: PackageCardProps) {
  const { words } = pack
  const best = pack.is_featured && !trial
  return (
    <article className={`package ${trial ? 'ground-accent' : ''} ${best ? 'package-best' : ''}`}>
      {best && <span className="package-flag">La más elegida</span>}
      <div className="package-head">
        <h3 className="t4 display">{pack.title}</h3>
        {words.badge && (
          <Badge
            tone={pack.is_subscription ? 'brand' : 'accent'}
            icon={pack.is_subscription && <IconRefresh className="icon" aria-hidden="true" />}
          >
            {words.badge}
          </Badge>
        )}
      </div>
      {/* A sign-up fee has no classes: neither number nor marks. */}
      {pack.class_amount !== 0 && (
        <>
          <PackageNumber classes={pack.class_amount} unit={<UnitWords unit={words.unit} />} />
          <PackageMarks classes={pack.class_amount} />
        </>
      )}
      {pack.short_description && <p className="small muted">{pack.short_description}</p>}
      {pack.description && <RichText html={pack.description} className="small muted" />}
      <div className="package-foot">
        <Price now={words.price} before={words.before}>
          {words.later}
        </Price>
        <p className="tiny muted">{words.terms}</p>
        <Buy pack={pack} reason={reason} label={trial ? 'Quiero probar' : words.verb} quiet={!best && !trial} />
      </div>
    </article>
  )
}

/** "clases" over "al mes" */
function UnitWords({ unit: [first, second] }: { unit: readonly [string, string?] }) {
  return (
    <>
      {first}
      {second && (
        <>
          <br />
          {second}
        </>
      )}
    </>
  )
}

/** A trial package across the whole width, with a drawing (packages page). */
export function TrialPackage({ pack, reason = null }: Omit<PackageCardProps, 'trial'>) {
  const { words } = pack
  return (
    <Surface as="article" ground="accent" className="trial">
      <div className="trial-words">
        {pack.limit_per_customer === 1 && <p className="small strong">Una vez por persona</p>}
        <h2 className="t1">{pack.title}</h2>
        {pack.short_description && <p className="lead">{pack.short_description}</p>}
        {pack.description && <RichText html={pack.description} />}
        <div className="row wraps trial-foot">
          <Buy pack={pack} reason={reason} label={words.free ? words.verb : `Probar por ${words.price}`} />
          {words.before && (
            <span className="small">
              <span className="sr-only">Precio anterior: </span>
              <s>{words.before}</s>
            </span>
          )}
          <span className="small">{words.expiry}</span>
        </div>
      </div>
      <div className="trial-floor">
        <Art kind="movimiento" seed="yoga" ground="accent" floorless width={480} height={330} />
      </div>
    </Surface>
  )
}

interface BuyProps {
  pack: CardPackage
  reason: string | null
  label: string
  quiet?: boolean
}

function Buy({ pack, reason, label, quiet = false }: BuyProps) {
  const why = reason ?? (pack.left === 0 ? 'Este paquete se ha agotado.' : null)
  const look = { variant: quiet ? 'outline' : 'filled', full: true } as const
  // A button with its reason instead of a link, because there is no page to open.
  if (why)
    return (
      <Button {...look} reason={why}>
        {label}
      </Button>
    )
  return (
    <Button as="a" href={paths.checkout(pack.class_package_id)} {...look} aria-label={`${label}: ${pack.title}`}>
      {label}
    </Button>
  )
}
