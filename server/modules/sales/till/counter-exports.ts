/** Gift cards and cash sessions as files (docs/domain.md LA1): what the caller's list shows with the same filter, all pages. */
import type * as z from 'zod'
import type { CashSession } from '#contract/cash-sessions.ts'
import { orderNumber } from '#contract/copy/order-number.ts'
import type { GiftCard } from '#contract/gift-cards.ts'
import type { listExports as wire } from '#contract/list-exports.ts'
import { parsePesos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ExportColumn, exportList, momentColumns, pesosCell, rowsByPage } from '#server/modules/list-export.ts'
import { pageOfGiftCards } from '#server/modules/sales/settlement/gift-cards.ts'
import { pageOfSessions } from './cash-sessions.ts'

type Input<K extends 'giftCards' | 'cashSessions'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** "-60.00" in centavos; null where the person may not see it, or nothing was counted. */
const centavosOf = (amount: string | null): number | null =>
  amount === null ? null : (amount.startsWith('-') ? -1 : 1) * (parsePesos(amount.replace('-', '')) ?? 0)

/** The sum of amounts as a cell; empty where one of them is missing. */
function sumCell(amounts: readonly (string | null)[]): number | null {
  const centavos = amounts.map(centavosOf)
  return centavos.length === 0 || centavos.includes(null)
    ? null
    : pesosCell(centavos.reduce<number>((sum, centavo) => sum + (centavo ?? 0), 0))
}

/** Gift cards as a file, without their codes. EXPORT_TOO_LARGE. */
export function exportGiftCards(ctx: Ctx, { format, ...input }: Input<'giftCards'>): Promise<File> {
  const columns: ExportColumn<GiftCard>[] = [
    { header: 'Tarjeta', cell: (row) => `Termina en ${row.last_four}` },
    { header: 'La compró', cell: ({ customer }) => (customer ? `${customer.name} ${customer.last_name}`.trim() : 'Público en general') },
    { header: 'Para quién', cell: ({ delivery }) => delivery?.name ?? null },
    ...momentColumns<GiftCard>('Enviada', ({ delivery }) => (delivery?.sentAt ? new Date(delivery.sentAt) : null), ctx.zone),
    ...momentColumns<GiftCard>('Fecha', (row) => new Date(row.createdAt), ctx.zone),
    { header: 'Valor', isMoney: true, cell: (row) => sumCell([row.amount]) },
    { header: 'Saldo', isMoney: true, cell: (row) => sumCell([row.balance]) },
  ]
  return exportList(ctx, {
    name: 'tarjetas-de-regalo',
    title: 'Tarjetas de regalo',
    columns,
    input: { ...input, format },
    rows: rowsByPage<GiftCard>(
      (row) => row.gift_card_id,
      async (page) => {
        const { gift_cards, total } = await pageOfGiftCards(ctx, input, page)
        return { rows: gift_cards, total }
      },
    ),
  })
}

const STATES = { open: 'Abierta', closed: 'Por aprobar', approved: 'Aprobada' } as const

/** Cash sessions as a file: of each its money, and what was counted. EXPORT_TOO_LARGE. */
export function exportCashSessions(ctx: Ctx, { format, ...input }: Input<'cashSessions'>): Promise<File> {
  type Method = CashSession['ways'][number]
  const sum = (methods: readonly Method[], pick: (method: Method) => string | null) => sumCell(methods.map(pick))
  const cash = ({ ways }: CashSession) => ways.filter(({ kind }) => kind === 'cash')
  const others = ({ ways }: CashSession) => ways.filter(({ kind }) => kind !== 'cash')
  const money = (header: string, cell: (row: CashSession) => number | null): ExportColumn<CashSession> => ({ header, isMoney: true, cell })
  const columns: ExportColumn<CashSession>[] = [
    { header: 'Corte', cell: (row) => orderNumber(row.cash_session_id) },
    { header: 'Estudio', cell: (row) => row.location.name },
    { header: 'Quién', cell: (row) => row.staff.name },
    ...momentColumns<CashSession>('Abierta', (row) => new Date(row.openedAt), ctx.zone),
    ...momentColumns<CashSession>('Cerrada', (row) => (row.closedAt === null ? null : new Date(row.closedAt)), ctx.zone),
    { header: 'Estado', cell: (row) => STATES[row.state] },
    { header: 'Aprobó', cell: (row) => row.approved_by?.name ?? null },
    money('Apertura', (row) => sumCell([row.opening])),
    money('Ventas', (row) => sum(row.ways, ({ sales }) => sales)),
    money('Devoluciones', (row) => sum(row.ways, ({ refunds }) => refunds)),
    money('Entradas', (row) => sum(cash(row), (method) => method.in)),
    money('Salidas', (row) => sum(cash(row), (method) => method.out)),
    money('Efectivo esperado', (row) => sum(cash(row), ({ expected }) => expected)),
    money('Efectivo contado', (row) => sum(cash(row), ({ counted }) => counted)),
    money('Diferencia en efectivo', (row) => sum(cash(row), ({ difference }) => difference)),
    money('Otras formas, esperado', (row) => sum(others(row), ({ expected }) => expected)),
    money('Otras formas, contado', (row) => sum(others(row), ({ counted }) => counted)),
    money('Se queda en la caja', (row) => sumCell([row.left_in_drawer])),
  ]
  return exportList(ctx, {
    name: 'cortes',
    title: 'Cortes de caja',
    columns,
    input: { ...input, format },
    rows: rowsByPage<CashSession>(
      (row) => row.cash_session_id,
      async (page) => {
        const { cash_sessions, total } = await pageOfSessions(ctx, input, page)
        return { rows: cash_sessions, total }
      },
    ),
  })
}
