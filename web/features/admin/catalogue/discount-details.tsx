import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const STATES = { held: 'por pagar', used: '', released: 'no se usó' } as const

/** Details of a discount: the link that fills it in, with its QR, and its uses. */
export function DiscountDetails({ row }: { row: Readonly<Record<string, unknown>> }) {
  return (
    <>
      <DiscountLink code={String(row.code)} packages={(row.class_package_ids as number[] | null) ?? null} />
      <DiscountUses discount_id={Number(row.discount_id)} />
    </>
  )
}

function DiscountLink({ code, packages }: { code: string; packages: readonly number[] | null }) {
  const { publicUrl } = useSite()
  const all = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } })).data?.class_packages ?? []
  const sold = all.filter(({ class_package_id }) => packages === null || packages.includes(class_package_id))
  const [chosen, setChosen] = useState('')
  const [picture, setPicture] = useState<string | null>(null)
  const id = chosen || String(sold[0]?.class_package_id ?? '')
  const address = `${publicUrl}/checkout/${id}?codigo=${encodeURIComponent(code)}`
  useEffect(() => {
    if (!id) return
    let current = true
    void import('qrcode')
      .then(({ default: qr }) => qr.toDataURL(address, { width: 400, margin: 1 }))
      .then((url) => current && setPicture(url))
    return () => {
      current = false
    }
  }, [address, id])
  if (!id) return null
  return (
    <section className="stack gap-8" aria-label="Enlace con el código">
      <h3 className="t4">Enlace con el código</h3>
      <Select label="Lleva a comprar" value={id} onChange={(event) => setChosen(event.currentTarget.value)}>
        {sold.map(({ class_package_id, title }) => (
          <option key={class_package_id} value={class_package_id}>
            {title}
          </option>
        ))}
      </Select>
      <p className="small discount-address">{address}</p>
      <CopyButton text={address} what="la dirección" />
      {picture && <img src={picture} width={160} height={160} alt={`Código QR del enlace con ${code}`} />}
    </section>
  )
}

function DiscountUses({ discount_id }: { discount_id: number }) {
  const { zone } = useSite()
  const [page, setPage] = useState(1)
  const query = useQuery(queries.discounts.uses.queryOptions({ input: { discount_id, page }, meta: { handled: true } }))
  const data = query.data
  return (
    <section className="stack gap-8" aria-label="Quién lo usó">
      <h3 className="t4">Quién lo usó</h3>
      {query.isError && !data ? (
        <PartNotLoaded query={query}>No pudimos cargar los usos.</PartNotLoaded>
      ) : !data ? (
        <Skeleton height="80px" />
      ) : data.total === 0 ? (
        <p className="muted">Nadie lo ha usado.</p>
      ) : (
        <>
          <p>
            {data.total === 1 ? '1 compra' : `${data.total.toLocaleString('es-MX')} compras`} con el código
            {data.income === null ? (
              '.'
            ) : (
              <>
                ; lo pagado suma <b>{formatPesos(data.income)}</b>.
              </>
            )}
          </p>
          <ul className="stack gap-8">
            {data.uses.map((use) => (
              <li key={use.purchase_id}>
                <AppLink className="row-link strong" to={adminPaths.sale(use.purchase_id)}>
                  {use.customer.name} {use.customer.last_name}
                </AppLink>
                <p className="small muted">
                  {[use.title, formatPesos(use.total), formatInstant(new Date(use.createdAt), zone, 'date'), STATES[use.state]]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </li>
            ))}
          </ul>
          {data.pages > page && (
            <Button variant="quiet" size="small" onClick={() => setPage(page + 1)}>
              Ver los anteriores
            </Button>
          )}
        </>
      )}
    </section>
  )
}
