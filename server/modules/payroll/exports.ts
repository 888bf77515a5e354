/** An approved period as files: for the bank's transfers, and for the accountant (docs/domain.md, PY6). */
import type * as z from 'zod'
import { isClabe } from '#contract/clabe.ts'
import { refuse } from '#contract/errors.ts'
import type { listExports as wire } from '#contract/list-exports.ts'
import { parsePesos } from '#contract/money.ts'
import type { Payroll } from '#contract/payroll.ts'
import { formatWall } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { exportList, pesosCell, wallCell } from '#server/modules/list-export.ts'
import { payAccounts, readPayroll } from './payroll.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** Amounts on the wire as centavos, also negative ones. */
const centavosOf = (amount: string): number => (amount.startsWith('-') ? -1 : 1) * (parsePesos(amount.replace(/^-/, '')) ?? 0)

async function* inOneChunk<T>(rows: readonly T[]): AsyncIterable<readonly T[]> {
  yield rows
}

/** The approved period that begins on a day. PAYROLL_PERIOD, PAYROLL_NOT_APPROVED. */
async function approved(ctx: Ctx, from: string): Promise<Payroll> {
  const payroll = await readPayroll(ctx, { from })
  if (!payroll.period) throw refuse('PAYROLL_PERIOD')
  if (payroll.period.state !== 'approved') throw refuse('PAYROLL_NOT_APPROVED')
  return payroll
}

/** One row per coach who is owed money. PAYROLL_WITHOUT_CLABE with `names`, also when a stored one does not check. */
export async function exportTransfers(ctx: Ctx, input: Input<'payrollTransfers'>): Promise<File> {
  const { coaches, from, to } = await approved(ctx, input.period)
  const accounts = new Map((await payAccounts(ctx)).accounts.map((account) => [account.instructor_id, account]))
  const owed = coaches.filter(({ amount }) => centavosOf(amount) > 0)
  const without = owed.filter(({ instructor_id }) => !isClabe(accounts.get(instructor_id)?.clabe ?? ''))
  if (without.length > 0) throw refuse('PAYROLL_WITHOUT_CLABE', { names: without.map(({ name }) => name).join(', ') })
  type Row = (typeof owed)[number]
  const accountOf = (row: Row) => accounts.get(row.instructor_id)
  return exportList<Row>(ctx, {
    name: 'transferencias',
    title: 'Transferencias de nómina',
    input,
    columns: [
      { header: 'Beneficiario', cell: (row) => accountOf(row)?.holder || row.name },
      { header: 'CLABE', cell: (row) => accountOf(row)?.clabe ?? '' },
      { header: 'Monto', isMoney: true, cell: (row) => pesosCell(centavosOf(row.amount)) },
      { header: 'Concepto', cell: () => `Clases ${formatWall(`${from}T00:00:00Z`, 'date')} a ${formatWall(`${to}T00:00:00Z`, 'date')}` },
    ],
    rows: inOneChunk(owed),
  })
}

/** One row per class, adjustment and correction. */
export async function exportPayDetail(ctx: Ctx, input: Input<'payrollDetail'>): Promise<File> {
  const { coaches } = await approved(ctx, input.period)
  const accounts = new Map((await payAccounts(ctx)).accounts.map((account) => [account.instructor_id, account]))
  const rows = coaches.flatMap((coach) => coach.lines.map((line) => ({ coach, line })))
  const kinds = { class: 'Clase', adjustment: 'Ajuste', correction: 'Corrección' } as const
  return exportList<(typeof rows)[number]>(ctx, {
    name: 'nomina',
    title: 'Nómina de coaches',
    input,
    columns: [
      { header: 'Coach', cell: ({ coach }) => coach.name },
      { header: 'RFC', cell: ({ coach }) => accounts.get(coach.instructor_id)?.rfc ?? '' },
      { header: 'Qué', cell: ({ line }) => kinds[line.kind] },
      { header: 'Clase', cell: ({ line }) => line.class_type },
      { header: 'Estudio', cell: ({ line }) => line.location },
      { header: 'Fecha', cell: ({ line }) => line.class_date && wallCell(new Date(line.class_date)) },
      { header: 'Llegaron', cell: ({ line }) => line.attended },
      { header: 'Monto', isMoney: true, cell: ({ line }) => pesosCell(centavosOf(line.amount)) },
      { header: 'Por qué', cell: ({ line }) => line.why },
    ],
    rows: inOneChunk(rows),
  })
}
