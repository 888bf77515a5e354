import { formatPesos } from '#contract/money.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { type PackageTexts, packageText } from '#web/features/checkout/package-text.ts'

/** The texts of the card while a package is written: without a price (`hasPrice`) it is neither free nor $0.00. */
export function previewTexts(facts: Parameters<typeof packageText>[0], hasPrice: boolean): PackageTexts {
  const texts = packageText(facts)
  return hasPrice ? texts : { ...texts, price: '$—', before: null, later: null, verb: 'Comprar', free: false }
}

/** "10 clases, 60 días · $2,290.00 en oferta, antes $2,450.00 · 40 vendidos": the facts of a package in the list. */
export function packageFacts({ class_amount, expiration_days, price, sale_price, is_subscription, is_home, sold }: StudioPackage): string {
  const classes =
    class_amount === -1 ? 'Ilimitado' : class_amount === 0 ? 'Sin clases' : class_amount === 1 ? '1 clase' : `${class_amount} clases`
  return [
    class_amount === 0 ? classes : `${classes}, ${expiration_days === 1 ? '1 día' : `${expiration_days} días`}`,
    sale_price ? `${formatPesos(sale_price)} en oferta, antes ${formatPesos(price)}` : formatPesos(price),
    is_subscription && 'Suscripción',
    is_home && 'En la portada',
    sold > 0 && (sold === 1 ? '1 vendido' : `${sold.toLocaleString('es-MX')} vendidos`),
  ]
    .filter(Boolean)
    .join(' · ')
}
