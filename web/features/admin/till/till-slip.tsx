import { IconBrandWhatsapp, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { CashSession } from '#contract/cash-sessions.ts'
import { paddedNumber } from '#contract/copy/order-number.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { signedAmount } from './cash-text.ts'
import { countText } from './count-text.ts'

type Method = CashSession['ways'][number]

/**
 * The printed corte, 80 mm wide, to print, to save as a PDF and to send: expected and counted amounts by payment method, bills and coins,
 * and lines for signatures. Of an open till what it has so far (corte X), to print.
 */
export function TillSlip({ session }: { session: CashSession }) {
  const site = useSite()
  const isOpen = session.state === 'open'
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'hour')
  const sum = (pick: (row: Method) => string | null) => session.ways.reduce((all, row) => all + (parsePesos(pick(row) ?? '0') ?? 0), 0)
  const sold = sum((row) => row.sales)
  const returned = sum((row) => row.refunds)
  const cash = session.ways.find(({ kind }) => kind === 'cash')
  const removed = (parsePesos(cash?.counted ?? '0') ?? 0) - (parsePesos(session.left_in_drawer ?? '0') ?? 0)
  const bills = Object.entries(session.cash ?? {}).sort(([a], [b]) => Number(b) - Number(a))
  return (
    <section className="stack gap-12" aria-labelledby="impreso">
      <div className="row spread wraps gap-8">
        <h2 id="impreso" className="t3">
          Así se imprime
        </h2>
        <SlipVerbs session={session} />
      </div>
      <div className="slip">
        <p className="slip-name">{site.business_name}</p>
        <p className="slip-center">{session.location.name}</p>
        <p className="slip-center">
          {isOpen ? 'Corte X' : 'Corte de caja'} {paddedNumber(session.cash_session_id)}
        </p>
        <p className="slip-center">{formatInstant(new Date(session.closedAt ?? session.openedAt), site.zone, 'date')}</p>
        {isOpen && <p className="slip-center">La caja sigue abierta</p>}
        <dl>
          <Line name="Abrió" value={`${session.staff.name}, ${at(session.openedAt)}`} />
          {session.closedAt && <Line name="Cerró" value={`${session.closed_by?.name ?? ''}, ${at(session.closedAt)}`} />}
          {session.approvedAt && <Line name="Aprobó" value={session.approved_by?.name ?? ''} />}
        </dl>
        {session.ways.map((row) => (
          <dl key={row.payment_method_id} aria-label={row.name}>
            <div className="strong">
              <dt>{row.name}</dt>
            </div>
            {row.kind === 'cash' && <Line name="Apertura" value={formatPesos(session.opening)} />}
            <Line name={`Ventas (${row.count ?? 0})`} value={signedAmount(row.sales)} />
            {!isNothing(row.refunds) && <Line name="Devoluciones" value={`−${signedAmount(row.refunds)}`} />}
            {!isNothing(row.in) && <Line name="Entradas" value={signedAmount(row.in)} />}
            {!isNothing(row.out) && <Line name="Salidas" value={`−${signedAmount(row.out)}`} />}
            <Line name="Esperado" value={signedAmount(row.expected)} />
            {!isOpen && (
              <>
                <Line name="Contado" value={signedAmount(row.counted)} />
                <Line name="Diferencia" value={signedAmount(row.difference)} strong />
              </>
            )}
          </dl>
        ))}
        <dl>
          <Line name="Cobrado" value={formatMoney(sold - returned)} strong />
          {returned > 0 && (
            <div>
              <dt>
                Ventas {formatMoney(sold)} menos devoluciones {formatMoney(returned)}
              </dt>
            </div>
          )}
        </dl>
        {bills.length > 0 && (
          <dl aria-label="Billetes y monedas">
            <div className="strong">
              <dt>Billetes y monedas</dt>
            </div>
            {bills.map(([value, pieces]) => (
              <Line
                key={value}
                name={`${pieces} × ${formatMoney(parsePesos(value) ?? 0).replace(/\.00$/, '')}`}
                value={formatMoney((parsePesos(value) ?? 0) * (pieces ?? 0))}
              />
            ))}
          </dl>
        )}
        {session.left_in_drawer !== null && (
          <dl>
            <Line name="Se queda" value={formatPesos(session.left_in_drawer)} />
            <Line name="Se retira" value={formatMoney(removed)} strong />
          </dl>
        )}
        {session.note && (
          <dl>
            <div>
              <dt className="strong">Nota</dt>
            </div>
            <div>
              <dt>{session.note}</dt>
            </div>
          </dl>
        )}
        {!isOpen && (
          <p className="slip-signs">
            <span>{session.closed_by?.name ?? session.staff.name}</span>
            <span>{session.approved_by?.name ?? 'Revisó'}</span>
          </p>
        )}
      </div>
    </section>
  )
}

/** Prints it; of a count also as a PDF, and for WhatsApp. */
function SlipVerbs({ session }: { session: CashSession }) {
  const site = useSite()
  const pdf = useMutation({
    mutationFn: () => api.cashSessions.pdf({ cash_session_id: session.cash_session_id }),
    onSuccess: saveFile,
  })
  return (
    <div className="row gap-8 wraps">
      {session.state !== 'open' && (
        <>
          <Button
            variant="outline"
            size="small"
            loading={pdf.isPending}
            icon={<IconDownload className="icon" aria-hidden="true" />}
            onClick={() => pdf.mutate()}
          >
            PDF
          </Button>
          <Button
            as="a"
            variant="outline"
            size="small"
            href={`https://wa.me/?text=${encodeURIComponent(countText(session, site, location.origin))}`}
            target="_blank"
            rel="noreferrer"
            icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
          >
            Enviar por WhatsApp al dueño
          </Button>
        </>
      )}
      <Button variant="outline" size="small" onClick={() => print()}>
        Imprimir
      </Button>
    </div>
  )
}

const isNothing = (amount: string | null): boolean => amount === null || parsePesos(amount) === 0

function Line({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  return (
    <div className={strong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
