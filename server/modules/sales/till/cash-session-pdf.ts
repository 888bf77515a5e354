/** The corte of a counted till as a file (docs/domain.md J7). */
import { paddedNumber } from '#contract/copy/order-number.ts'
import { refuse } from '#contract/errors.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { loadLogo } from '#server/modules/sales/views/receipts.ts'
import type { TillFacts, tillPdf } from '#server/modules/sales/views/till-pdf.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { oneSession } from './cash-sessions.ts'

type Session = Awaited<ReturnType<typeof oneSession>>['cash_session']

/** Reading fonts and decoding a logo takes a good part of a second. */
const drawPdf = onWorkerThread<typeof tillPdf>(new URL('../views/till-pdf.ts', import.meta.url), 'tillPdf')

const centavosOf = (amount: string | null): number => (amount?.startsWith('-') ? -1 : 1) * (parsePesos(amount?.replace('-', '') ?? '') ?? 0)
/** "-$60.00" */
const signed = (amount: string | null): string =>
  amount?.startsWith('-') ? `-${formatPesos(amount.slice(1))}` : formatPesos(amount ?? '0.00')

/** The rows of one payment method, as on the printed slip. */
function methodRows(method: Session['ways'][number], opening: string): TillFacts['parts'][number] {
  const row = (label: string, amount: string | null, sign = '') =>
    centavosOf(amount) === 0 ? [] : [{ label, amount: `${sign}${signed(amount)}` }]
  return {
    title: method.name,
    rows: [
      ...(method.kind === 'cash' ? [{ label: 'Apertura', amount: formatPesos(opening) }] : []),
      { label: `Ventas (${method.count ?? 0})`, amount: signed(method.sales) },
      ...row('Devoluciones', method.refunds, '-'),
      ...row('Entradas', method.in),
      ...row('Salidas', method.out, '-'),
      { label: 'Esperado', amount: signed(method.expected) },
      { label: 'Contado', amount: signed(method.counted) },
      { label: 'Diferencia', amount: signed(method.difference), bold: true },
    ],
  }
}

function factsOf(ctx: Ctx, session: Session, logo: TillFacts['logo']): TillFacts {
  const { settings, zone } = ctx
  const moment = (instant: string) => formatInstant(new Date(instant), zone, 'class')
  const { ways, cash, closedAt, closed_by, approvedAt, approved_by, left_in_drawer: left } = session
  const collected = ways.reduce((sum, method) => sum + centavosOf(method.sales) - centavosOf(method.refunds), 0)
  const drawer = centavosOf(ways.find(({ kind }) => kind === 'cash')?.counted ?? null)
  const bills = Object.entries(cash ?? {}).sort(([a], [b]) => Number(b) - Number(a))
  return {
    studio: settings,
    logo,
    at: new Date(closedAt ?? session.openedAt),
    folio: paddedNumber(session.cash_session_id),
    location: session.location.name,
    people: [
      `Abrió ${session.staff.name}, ${moment(session.openedAt)}`,
      ...(closedAt ? [`Cerró ${closed_by?.name ?? ''}, ${moment(closedAt)}`] : []),
      ...(approvedAt ? [`Aprobó ${approved_by?.name ?? ''}, ${moment(approvedAt)}`] : []),
    ],
    parts: [
      ...ways.map((method) => methodRows(method, session.opening)),
      ...(bills.length > 0
        ? [
            {
              title: 'Billetes y monedas',
              rows: bills.map(([value, pieces]) => ({
                label: `${pieces} × ${formatMoney(parsePesos(value) ?? 0)}`,
                amount: formatMoney((parsePesos(value) ?? 0) * (pieces ?? 0)),
              })),
            },
          ]
        : []),
      ...(left === null
        ? []
        : [
            {
              title: 'Efectivo',
              rows: [
                { label: 'Se queda', amount: formatPesos(left) },
                { label: 'Se retira', amount: formatMoney(drawer - centavosOf(left)), bold: true },
              ],
            },
          ]),
    ],
    collected: `${collected < 0 ? '-' : ''}${formatMoney(Math.abs(collected))} MXN`,
    notes: [...(session.note ? [`Nota: ${session.note}`] : []), ...(session.approval_note ? [`Al aprobar: ${session.approval_note}`] : [])],
  }
}

/** The corte of a closed session as a PDF, the same file until it is approved or reopened (J7). NOT_FOUND, CASH_SESSION_NOT_CLOSED. */
export async function cashSessionPdf(ctx: Ctx, input: { cash_session_id: number }): Promise<File> {
  const { cash_session } = await oneSession(ctx, input)
  if (cash_session.state === 'open') throw refuse('CASH_SESSION_NOT_CLOSED')
  const facts = factsOf(ctx, cash_session, await loadLogo(ctx))
  return new File([await drawPdf(facts)], `corte-${facts.folio}.pdf`, { type: 'application/pdf', lastModified: facts.at.getTime() })
}
