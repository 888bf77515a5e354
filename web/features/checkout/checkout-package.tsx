import { IconRefresh, IconRosetteDiscountCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { formatMoney } from '#contract/money.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
import { checkoutSum, type GiftCardUsed } from './checkout-sum.ts'
import { describesTwice, packageText } from './package-text.ts'

interface CheckoutPackageProps {
  classPackage: ClassPackage
  discount: Discount | null
  giftCard: GiftCardUsed | null
  /** the forms of codes, if the customer may use them */
  children?: ReactNode
}

/** The package and its price now (S1-2.56 to S1-2.62, S1-4.17). */
export function CheckoutPackage({ classPackage, discount, giftCard, children }: CheckoutPackageProps) {
  const site = useSite()
  const texts = packageText(classPackage, discount)
  const sum = checkoutSum(classPackage, discount, giftCard)
  const trial = Boolean(classPackage.is_subscription && classPackage.free_trial_length)
  return (
    <section aria-labelledby="comprando">
      <h2 id="comprando" className="t3 checkout-title">
        Estás Comprando
      </h2>
      <div className="card checkout-package">
        {classPackage.image ? (
          <img className="checkout-image" src={fileUrl(site, classPackage.image.src)} alt="" width="480" height="225" />
        ) : (
          <Art
            kind="clase"
            seed={`${slugOfName(classPackage.title)}-${classPackage.class_package_id}`}
            ground="stage"
            bodies={Math.max(1, Math.min(8, classPackage.class_amount))}
            width={480}
            height={225}
            className="checkout-image checkout-drawing ground-stage"
            eager
          />
        )}
        <div className="padded stack gap-16">
          <div className="row spread">
            <h3 className="t3">{classPackage.title}</h3>
            {texts.badge && (
              <Badge tone="brand" icon={classPackage.is_subscription && <IconRefresh className="icon" aria-hidden="true" />}>
                {texts.badge}
              </Badge>
            )}
          </div>
          {classPackage.short_description && !describesTwice(classPackage) && <p className="muted">{classPackage.short_description}</p>}
          {classPackage.description && <RichText html={classPackage.description} className="small" />}
          <PackageMarks classes={classPackage.class_amount} />
          <dl className="checkout-sum">
            {(!trial || discount || sum.offer > 0) && (
              <div>
                <dt>Precio</dt>
                <dd>
                  {sum.offer > 0 ? (
                    <>
                      <span className="sr-only">Precio anterior: </span>
                      <s className="muted">{formatMoney(sum.price)}</s>
                    </>
                  ) : (
                    formatMoney(sum.price)
                  )}
                </dd>
              </div>
            )}
            {sum.offer > 0 && (
              <div>
                <dt>Oferta</dt>
                <dd className="checkout-less">-{formatMoney(sum.offer)}</dd>
              </div>
            )}
            {discount && (
              <div>
                <dt>
                  Descuento{' '}
                  <Badge tone="ok" icon={<IconRosetteDiscountCheck className="icon" aria-hidden="true" />}>
                    {discount.code}
                  </Badge>
                </dt>
                <dd className="checkout-less">-{formatMoney(sum.discount)}</dd>
              </div>
            )}
            {giftCard && (
              <div>
                <dt>Tarjeta de regalo •••• {giftCard.last_four}</dt>
                <dd className="checkout-less">-{formatMoney(sum.byCard)}</dd>
              </div>
            )}
            {trial && (
              <div>
                <dt>Al terminar tu prueba</dt>
                <dd>{formatMoney(sum.total)}</dd>
              </div>
            )}
            <div className="checkout-total">
              <dt>Total hoy</dt>
              <dd>
                <b className="figure">{trial ? '$0.00' : formatMoney(sum.total - sum.byCard)}</b>
              </dd>
            </div>
          </dl>
          <p className="small muted" aria-live="polite">
            {discount && classPackage.is_subscription ? laterCharges(classPackage, discount) : texts.terms}
          </p>
        </div>
      </div>
      {children}
    </section>
  )
}

/** "Desde el segundo mes pagas $1,450.00. El descuento aplica solo al primer cobro." */
function laterCharges(classPackage: ClassPackage, discount: Discount): string {
  const price = quoteOnWire(classPackage, discount)
  const isSingleInterval = (classPackage.subscription_interval ?? 1) === 1
  const second =
    isSingleInterval && classPackage.subscription_period === 'month'
      ? 'mes'
      : isSingleInterval && classPackage.subscription_period === 'year'
        ? 'año'
        : 'cobro'
  const later = formatMoney(price.nextTotal ?? price.total)
  if (discount.first_invoice_only) return `Desde el segundo ${second} pagas ${later}. El descuento aplica solo al primer cobro.`
  return `El descuento aplica a todos los cobros: pagas ${later} en cada uno.`
}
