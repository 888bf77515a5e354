/** The staff's list of customers (docs/domain.md X6 and X7). */
import { CUSTOMER_STATES, type CustomerSort, type CustomerState, customerStateLabels } from '#contract/copy/customer-list.ts'
import type { CustomerRow } from '#contract/customer-list.ts'
import { pesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { filesById, serializeFile } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { contactColumns, type ExportColumn, exportList, momentColumns, rowsByIds } from '#server/modules/list-export.ts'
import { type FilterInput, loadFilter } from './filter.ts'
import { refreshBeforeReading } from './summaries.ts'
import {
  listSummaries,
  listSummariesById,
  listSummaryDetails,
  listSummaryIds,
  type SummaryRow,
  type Sums,
  stateTotals,
  sumByState,
} from './summary-store.ts'

/** At most `limit` customers that match, by name, and how many match. */
export async function listCustomerIds(ctx: Ctx, input: FilterInput, limit: number): Promise<{ ids: number[]; total: number }> {
  await refreshBeforeReading(ctx)
  return listSummaryIds(ctx.db, await loadFilter(ctx, input), { sort: 'name', now: ctx.now, limit })
}

/** GET /admin/customers: one page, with counts and sums of all matches. */
export async function listOfCustomers(ctx: Ctx, input: FilterInput & { sort: CustomerSort; page: number; per_page: number }) {
  await refreshBeforeReading(ctx)
  const { db, now } = ctx
  const { sort, page, per_page, ...filterInput } = input
  const filter = await loadFilter(ctx, filterInput)
  const isSearched = filter.patterns.length > 0
  const { query: _, state, ...others } = filterInput
  const isNarrowed = Object.values(others).some((value) => value !== undefined)
  const [pageRows, narrowed, states] = await Promise.all([
    listSummaries(db, filter, { sort, now, limit: per_page, offset: (page - 1) * per_page, sums: isSearched }),
    isNarrowed && !isSearched ? sumByState(db, filter, now) : null,
    stateTotals(db),
  ])
  const ofStates = filter.state.length > 0 ? states.filter((row) => filter.state.includes(row.state)) : states
  // A page after the last has no row that could carry the sums.
  const sums = isSearched ? (pageRows[0]?.sums ?? added(page > 1 ? await sumByState(db, filter, now) : [])) : added(narrowed ?? ofStates)
  const summaries = pageRows.map(({ row }) => row)
  const details = await listSummaryDetails(
    db,
    summaries.map((row) => row.customer_id),
  )
  const photos = await photosOf(
    ctx,
    details.flatMap((row) => row.photo_file_id ?? []),
  )
  const counted = new Map(states.map((row) => [row.state, row.total]))
  return {
    customers: rowsOf(ctx, summaries, details, photos),
    total: sums.total,
    pages: pageCount(sums.total, per_page),
    spent: ctx.may('reports.money') ? pesos(sums.spent) : null,
    owed: pesos(sums.owed),
    states: Object.fromEntries(CUSTOMER_STATES.map((customerState) => [customerState, counted.get(customerState) ?? 0])) as Record<
      CustomerState,
      number
    >,
  }
}

/** Rows of the list, in the order of the summaries. */
function rowsOf(
  { now }: Ctx,
  summaries: readonly SummaryRow[],
  details: Awaited<ReturnType<typeof listSummaryDetails>>,
  photos: ReadonlyMap<number, string>,
): CustomerRow[] {
  const byId = new Map(details.map((row) => [row.customer_id, row]))
  return summaries.flatMap((row): CustomerRow[] => {
    const detail = byId.get(row.customer_id)
    if (!detail) return []
    const { photo_file_id, ...person } = detail
    return [
      {
        ...person,
        photo: photos.get(photo_file_id ?? 0) ?? null,
        has_account: row.has_account,
        createdAt: row.createdAt.toISOString(),
        state: row.state,
        has: {
          has_unlimited: row.has_unlimited,
          available: row.available,
          next_expiration: row.next_expiration?.toISOString() ?? null,
          titles: row.titles,
        },
        renewal_refused: row.renewal_refused,
        last_class: row.last_class_at?.toISOString() ?? null,
        next_class: row.next_class_at?.toISOString() ?? null,
        visits_30: row.visits_30,
        visits: row.visits,
        spent: pesos(row.spent_centavos),
        owed: pesos(row.owed_centavos),
        penalised_until: row.penalised_until && row.penalised_until > now ? row.penalised_until.toISOString() : null,
      },
    ]
  })
}

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** The list as a file (LA1): all that match. EXPORT_TOO_LARGE. */
export async function exportCustomers(ctx: Ctx, input: FilterInput & { sort: CustomerSort; format: 'csv' | 'xlsx' }): Promise<File> {
  await refreshBeforeReading(ctx)
  const { db, now, zone } = ctx
  const filter = await loadFilter(ctx, input)
  const columns: ExportColumn<CustomerRow>[] = [
    { header: 'Cliente', cell: (row) => `${row.name} ${row.last_name}`.trim() },
    ...contactColumns<CustomerRow>(ctx, (row) => row),
    { header: 'Estado', cell: (row) => customerStateLabels[row.state] },
    { header: 'Tiene', cell: (row) => row.has.titles.join(', ') || null },
    { header: 'Clases', cell: (row) => (row.has.has_unlimited ? 'Sin límite' : row.has.available) },
    ...momentColumns<CustomerRow>('Vence', (row) => instant(row.has.next_expiration), zone),
    { header: 'Renovación rechazada', cell: (row) => (row.renewal_refused ? 'Sí' : 'No') },
    ...momentColumns<CustomerRow>('Última clase', (row) => instant(row.last_class), zone),
    ...momentColumns<CustomerRow>('Próxima clase', (row) => instant(row.next_class), zone),
    { header: 'Clases en 30 días', cell: (row) => row.visits_30 },
    { header: 'Clases en total', cell: (row) => row.visits },
    { header: 'Gastado', isMoney: true, cell: (row) => Number(row.spent) },
    { header: 'Debe', isMoney: true, cell: (row) => Number(row.owed) },
    { header: 'Etiquetas', cell: (row) => row.tags.map(({ name }) => name).join(', ') || null },
    { header: 'Estudio habitual', cell: (row) => row.home_location?.name ?? null },
    { header: 'Cuenta', cell: (row) => (row.has_account ? 'Sí' : 'No') },
    ...momentColumns<CustomerRow>('Penalizado hasta', (row) => instant(row.penalised_until), zone),
    ...momentColumns<CustomerRow>('Alta', (row) => instant(row.createdAt), zone),
  ]
  return exportList(ctx, {
    name: 'clientes',
    title: 'Clientes',
    input: { ...input, state: input.state?.map((state) => customerStateLabels[state]) },
    columns,
    rows: rowsByIds(
      (limit) => listSummaryIds(db, filter, { sort: input.sort, now, limit }),
      async (ids) => {
        const [summaries, details] = await Promise.all([listSummariesById(db, ids), listSummaryDetails(db, ids)])
        return rowsOf(ctx, summaries, details, new Map())
      },
    ),
  })
}

const added = (all: readonly Sums[]): Sums =>
  all.reduce((sum, row) => ({ total: sum.total + row.total, spent: sum.spent + row.spent, owed: sum.owed + row.owed }), {
    total: 0,
    spent: 0,
    owed: 0,
  })

/** Links to photos, by file. */
async function photosOf(ctx: Ctx, file_ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (file_ids.length === 0) return new Map()
  const files = await filesById(ctx.db, [...new Set(file_ids)])
  return new Map(await Promise.all(files.map(async (file) => [file.file_id, (await serializeFile(ctx, file)).src] as const)))
}
