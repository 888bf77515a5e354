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
  classPackage: CardPackage
  /** a trial for new customers: with the accent background */
  trial?: boolean
  /** why this customer cannot buy it now ("Ya lo compraste."); sold-out packages need no reason */
  reason?: string | null
}

/** A package: its number of classes in large type, one mark per class, the price, one button (design section 6). */
export function PackageCard({ classPackage, trial = false, reason = null }: PackageCardProps) {
  const { texts } = classPackage
  const best = classPackage.is_featured && !trial
  return (
    <article className={`package ${trial ? 'ground-accent' : ''} ${best ? 'package-best' : ''}`} aria-label={classPackage.title}>
      {best && <span className="package-flag">La más elegida</span>}
      <div className="package-head">
        <h3 className="t4 display">{classPackage.title}</h3>
        {texts.badge && (
          <Badge
            tone={classPackage.is_subscription ? 'brand' : 'accent'}
            icon={classPackage.is_subscription && <IconRefresh className="icon" aria-hidden="true" />}
          >
            {texts.badge}
          </Badge>
        )}
      </div>
      {/* A sign-up fee has no classes: neither number nor marks. */}
      {classPackage.class_amount !== 0 && (
        <>
          <PackageNumber classes={classPackage.class_amount} unit={<UnitText unit={texts.unit} />} />
          <PackageMarks classes={classPackage.class_amount} />
        </>
      )}
      {classPackage.short_description && <p className="small muted">{classPackage.short_description}</p>}
      {classPackage.description && <RichText html={classPackage.description} className="small muted" />}
      <div className="package-foot">
        <Price now={texts.price} before={texts.before}>
          {texts.later}
        </Price>
        <p className="tiny muted">
          <Terms>{texts.terms}</Terms>
        </p>
        <Buy classPackage={classPackage} reason={reason} label={trial ? 'Quiero probar' : texts.verb} quiet={!best && !trial} />
      </div>
    </article>
  )
}

/** "$270.00 por clase · vence en 45 días": no line ends with the dot, or within the price per class. */
function Terms({ children }: { children: string }) {
  const [first = '', ...rest] = children.split(' · ')
  return (
    <>
      <span className="package-term">{first.replace(/^\$\S+ \S+ \S+/, (words) => words.replaceAll(' ', '\u00a0'))}</span>
      {rest.length > 0 && <span className="package-dot"> · </span>}
      {rest.length > 0 && <span className="package-term">{rest.join(' · ')}</span>}
    </>
  )
}

/** "clases" over "al mes" */
function UnitText({ unit: [first, second] }: { unit: readonly [string, string?] }) {
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
export function TrialPackage({ classPackage, reason = null }: Omit<PackageCardProps, 'trial'>) {
  const { texts } = classPackage
  return (
    <Surface as="article" ground="accent" className="trial" aria-label={classPackage.title}>
      <div className="trial-text">
        {classPackage.limit_per_customer === 1 && <p className="small strong">Una vez por persona</p>}
        <h2 className="t1">{classPackage.title}</h2>
        {classPackage.short_description && <p className="lead">{classPackage.short_description}</p>}
        {classPackage.description && <RichText html={classPackage.description} />}
        <div className="row wraps trial-foot">
          <Buy classPackage={classPackage} reason={reason} label={texts.free ? texts.verb : `Probar por ${texts.price}`} />
          {texts.before && (
            <span className="small">
              <span className="sr-only">Precio anterior: </span>
              <s>{texts.before}</s>
            </span>
          )}
          <span className="small">{texts.expiry}</span>
        </div>
      </div>
      <div className="trial-floor">
        <Art kind="movimiento" seed="yoga" ground="accent" floorless width={480} height={330} />
      </div>
    </Surface>
  )
}

interface BuyProps {
  classPackage: CardPackage
  reason: string | null
  label: string
  quiet?: boolean
}

function Buy({ classPackage, reason, label, quiet = false }: BuyProps) {
  const why = reason ?? (classPackage.left === 0 ? 'Este paquete se ha agotado.' : null)
  const buttonProps = { variant: quiet ? 'outline' : 'filled', full: true } as const
  // A button with its reason instead of a link, because there is no page to open.
  if (why)
    return (
      <Button {...buttonProps} reason={why}>
        {label}
      </Button>
    )
  return (
    <Button as="a" href={paths.checkout(classPackage.class_package_id)} {...buttonProps} aria-label={`${label}: ${classPackage.title}`}>
      {label}
    </Button>
  )
}
