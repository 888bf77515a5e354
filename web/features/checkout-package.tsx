import { IconRefresh } from '@tabler/icons-react'
import type { ClassPackage } from '#contract/catalogue.ts'
import { basePrice, formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { PackageMarks } from '#web/ui/marks.tsx'
import { Art, slug } from './art.tsx'
import { packageWords } from './package-words.ts'
import { RichText } from './rich-text.tsx'

/** What is bought and what it costs now (S1-2.56 to S1-2.62). */
export function CheckoutPackage({ pack }: { pack: ClassPackage }) {
  const site = useSite()
  const words = packageWords(pack)
  const listed = parsePesos(pack.price) ?? 0
  const total = basePrice(listed, pack.sale_price ? parsePesos(pack.sale_price) : null)
  return (
    <section aria-labelledby="comprando">
      <h2 id="comprando" className="t3 checkout-title">
        Estás Comprando
      </h2>
      <div className="card checkout-package">
        {pack.image ? (
          <img className="checkout-image" src={fileUrl(site, pack.image.src)} alt="" width="480" height="225" />
        ) : (
          <Art
            kind="clase"
            seed={`${slug(pack.title)}-${pack.class_package_id}`}
            ground="stage"
            bodies={Math.max(1, Math.min(8, pack.class_amount))}
            width={480}
            height={225}
            className="checkout-image ground-stage"
            eager
          />
        )}
        <div className="padded stack gap-16">
          <div className="row spread">
            <h3 className="t3">{pack.title}</h3>
            {words.badge && (
              <Badge tone="brand" icon={pack.is_subscription && <IconRefresh className="icon" aria-hidden="true" />}>
                {words.badge}
              </Badge>
            )}
          </div>
          {pack.short_description && <p className="muted">{pack.short_description}</p>}
          {pack.description && <RichText html={pack.description} className="small" />}
          <PackageMarks classes={pack.class_amount} />
          <dl className="checkout-sum">
            <div>
              <dt>Precio</dt>
              <dd>{formatMoney(total)}</dd>
            </div>
            <div className="checkout-total">
              <dt>Total hoy</dt>
              <dd>
                {words.before && (
                  <>
                    <span className="sr-only">Precio anterior: </span>
                    <s className="small muted">{formatPesos(pack.price)}</s>
                  </>
                )}
                <b className="figure">{words.later ? '$0.00' : formatMoney(total)}</b>
              </dd>
            </div>
          </dl>
          <p className="small muted">{words.terms}</p>
        </div>
      </div>
    </section>
  )
}
