import { IconBuildingStore, IconCash, IconTransfer } from '@tabler/icons-react'
import { formatPesos } from '#contract/money.ts'
import type { Purchase } from '#contract/sales.ts'
import { formatInstant } from '#contract/time.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import './voucher-box.css'

type Voucher = NonNullable<Purchase['voucher']>

interface VoucherTexts {
  Icon: typeof IconCash
  title: string
  /** the Spanish name of its number, with the article */
  number: string
}

const TEXTS: Record<Voucher['kind'], VoucherTexts> = {
  efectivo: { Icon: IconCash, title: 'Paga en recepción', number: 'la referencia' },
  oxxo: { Icon: IconBuildingStore, title: 'Paga en cualquier OXXO', number: 'la referencia' },
  spei: { Icon: IconTransfer, title: 'Transfiere por SPEI', number: 'la CLABE' },
}

/** How a voucher is paid: its number to copy, amount, deadline, and what happens after the payment (S1-2.70). */
export function VoucherBox({ voucher, total }: { voucher: Voucher; total: string }) {
  const site = useSite()
  const { Icon, title, number } = TEXTS[voucher.kind]
  const shown = voucher.clabe ?? voucher.reference
  return (
    <section className="card voucher" aria-label={title}>
      <div className="row gap-16">
        <span className="voucher-icon">
          <Icon className="icon" aria-hidden="true" />
        </span>
        <div>
          <h3 className="t4">{title}</h3>
          <p className="small muted">
            Tienes hasta el <b>{formatInstant(new Date(voucher.expires_at), site.zone, 'class')}</b>
          </p>
        </div>
      </div>
      <div className="voucher-number">
        <div>
          <p className="small muted">{voucher.clabe ? 'CLABE' : 'Referencia'}</p>
          <p className="voucher-digits">{grouped(shown)}</p>
        </div>
        <CopyButton text={shown} what={number} />
      </div>
      {voucher.clabe && voucher.reference && voucher.reference !== voucher.clabe && (
        <p className="small">
          Concepto o referencia: <b>{voucher.reference}</b>
        </p>
      )}
      {voucher.missing ? (
        <Banner tone="warn" live title={`Falta transferir ${formatPesos(voucher.missing)}`}>
          Recibimos una parte de los {formatPesos(total)}. Transfiere el resto a la misma CLABE; si no llega a tiempo, te devolvemos lo que
          enviaste.
        </Banner>
      ) : (
        <p>
          Total: <b>{formatPesos(total)}</b>
        </p>
      )}
      <ol className="voucher-steps small">
        {voucher.instructions.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {voucher.url && (
        <a className="link small" href={voucher.url} target="_blank" rel="noreferrer">
          Ver el comprobante para pagar
        </a>
      )}
    </section>
  )
}

/** Groups numbers of ten or more digits by four; other texts are unchanged. */
function grouped(text: string): string {
  return /^\d{10,}$/.test(text) ? (text.match(/.{1,4}/g)?.join(' ') ?? text) : text
}
