/** Imports from other systems (docs/domain.md, "Imports"): reading a file, its columns, corrections, and starting the job. */
import { refuse } from '#contract/errors.ts'
import {
  type DateOrder,
  fieldsOfKind,
  IMPORT_DRAFT_DAYS,
  IMPORT_MAX_BYTES,
  IMPORT_UNDO_DAYS,
  type ImportField,
  type ImportKind,
  type ImportRowState,
  type ImportSource,
  type ImportView,
  importDates,
  importFields,
  importKinds,
  importSources,
} from '#contract/imports.ts'
import { pesos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { checkAll } from './check-import.ts'
import { type ImportFile, readTables } from './read-tables.ts'
import { detectDateOrder, guessField, isLockedHeader, normalizeWords, usualOrder } from './rules.ts'
import {
  countStates,
  deleteImport,
  deleteOldDrafts,
  findMapping,
  type ImportJobRow,
  type ImportRowRow,
  insertImport,
  insertRows,
  listImports,
  listInvitable,
  listPackageTitles,
  listRows,
  lockImport,
  updateImport,
  upsertMapping,
} from './store.ts'
import type { PackageChoice, StoredColumn } from './tables.ts'
import { previewUndo, type UndoPreview } from './undo-preview.ts'

const DAY_MS = 86_400_000
const SAMPLES = 4

export const RUN_JOB = 'imports.run'

/** The import with this id. NOT_FOUND. */
export async function getImport(on: Reader, import_id: number) {
  const [found] = await listImports(on, import_id)
  if (!found) throw refuse('NOT_FOUND')
  return found
}

export async function lockIn(tx: Tx, import_id: number, state: ImportJobRow['state']): Promise<ImportJobRow> {
  const found = await lockImport(tx, import_id)
  if (!found) throw refuse('NOT_FOUND')
  if (found.state !== state) throw refuse('IMPORT_STATE')
  return found
}

const undoUntil = ({ state, finishedAt }: ImportJobRow, now: Date): string | null => {
  const until = state === 'done' && finishedAt ? new Date(finishedAt.getTime() + IMPORT_UNDO_DAYS * DAY_MS) : null
  return until && until > now ? until.toISOString() : null
}

/** Minimum time between two invitations of one customer, as in the bulk action. */
const INVITED_AGAIN_MS = 7 * DAY_MS

/** GET /admin/imports/{import_id}/invitations. NOT_FOUND. */
export async function importInvitations(ctx: Ctx, { import_id, wave }: { import_id: number; wave: number }) {
  const job = await getImport(ctx.db, import_id)
  if (job.kind !== 'customers' || job.state !== 'done') return { total: 0, invited: 0, customer_ids: [] }
  return listInvitable(ctx.db, import_id, { since: new Date(ctx.now.getTime() - INVITED_AGAIN_MS), limit: wave })
}

/** GET /admin/imports. */
export async function importList(ctx: Ctx) {
  const rows = await listImports(ctx.db)
  return {
    imports: await Promise.all(
      rows.map(async (row) => {
        const { total, progress } = totalsOf(await countStates(ctx.db, row.import_id))
        const { import_id, source, kind, state, file_name, created_by } = row
        return {
          import_id,
          source,
          kind,
          state,
          file_name,
          created_by,
          total,
          progress,
          undo_until: undoUntil(row, ctx.now),
          createdAt: row.createdAt.toISOString(),
        }
      }),
    ),
  }
}

const COUNTED: readonly ImportRowState[] = ['new', 'update']

function totalsOf(states: readonly { state: ImportRowState; rows: number; credits: number }[]) {
  const counts = Object.fromEntries(states.map(({ state, rows }) => [state, rows])) as ImportView['counts']
  const sum = (which: readonly ImportRowState[], of: 'rows' | 'credits') =>
    states.filter(({ state }) => which.includes(state)).reduce((all, row) => all + row[of], 0)
  return {
    counts,
    total: states.reduce((all, { rows }) => all + rows, 0),
    people: sum([...COUNTED, 'done'], 'rows'),
    credits: sum([...COUNTED, 'done'], 'credits'),
    progress: sum(['done', 'failed', 'undone', 'stayed'], 'rows'),
  }
}

/** GET /admin/imports/{id}. NOT_FOUND. */
export async function readImport(ctx: Ctx, { import_id }: { import_id: number }): Promise<ImportView> {
  const job = await getImport(ctx.db, import_id)
  const [rows, states, titles] = await Promise.all([listRows(ctx.db, import_id), countStates(ctx.db, import_id), listPackageTitles(ctx.db)])
  const body = rows.filter(({ is_total }) => !is_total)
  const valuesIn = (index: number) => body.map(({ cells }) => cells[index] ?? '')
  const dates = datesOf(job.columns, body)
  const { open, sample } = detectDateOrder(dates)
  return {
    import_id,
    source: job.source,
    kind: job.kind,
    state: job.state,
    file_name: job.file_name,
    file_note: job.file_note,
    created_by: job.created_by,
    columns: job.columns.map((column) => {
      const values = valuesIn(column.index)
      const samples = column.locked ? [] : [...new Set(values.filter(Boolean))].slice(0, SAMPLES)
      return { ...column, samples, empty: values.filter((value) => value === '').length }
    }),
    date_order: job.date_order,
    date_question: job.date_order_known === 'no' ? { rows: open, sample } : null,
    packages: packagesOf(job.columns, body).map(([name, count]) => ({
      name,
      rows: count,
      ...(job.packages[name] ?? { class_package_id: null, skip: false }),
    })),
    ...totalsOf(states),
    value: pesos(priceOfCredits(rows, job.packages, titles)),
    remember: job.remember,
    undo_until: undoUntil(job, ctx.now),
    createdAt: job.createdAt.toISOString(),
  }
}

/**
 * What the classes of these rows cost at the prices of the packages that they become, in centavos. Unlimited ones and those of no package
 * are not in it.
 */
function priceOfCredits(
  rows: readonly ImportRowRow[],
  packages: ImportJobRow['packages'],
  titles: Awaited<ReturnType<typeof listPackageTitles>>,
): number {
  const priceOf = new Map(
    titles.map((title) => [title.class_package_id, title.class_amount > 0 ? title.price_centavos / title.class_amount : 0]),
  )
  return rows.reduce((sum, { state, person }) => {
    const choice = packages[person?.package ?? '']
    if (!person || person.credits <= 0 || choice?.skip || !([...COUNTED, 'done'] as ImportRowState[]).includes(state)) return sum
    return sum + Math.round(person.credits * (priceOf.get(choice?.class_package_id ?? 0) ?? 0))
  }, 0)
}

const columnOf = (columns: readonly StoredColumn[], field: ImportField) => columns.find((column) => column.field === field)?.index

function datesOf(columns: readonly StoredColumn[], rows: readonly ImportRowRow[]): string[] {
  const indexes = columns.filter(({ field }) => field !== null && importDates.has(field)).map(({ index }) => index)
  return indexes.flatMap((index) => rows.map(({ cells }) => cells[index] ?? ''))
}

/** Names of packages in the file, with how many rows have each. */
function packagesOf(columns: readonly StoredColumn[], rows: readonly ImportRowRow[]): [string, number][] {
  const index = columnOf(columns, 'package')
  if (index === undefined) return []
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = (row.cells[index] ?? '').replace(/\s+/g, ' ').trim()
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 500)
}

/** POST /admin/imports. */
export async function createImport(ctx: Ctx, { source, kind }: { source: ImportSource; kind: ImportKind }): Promise<ImportView> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  const import_id = await ctx.tx((tx) =>
    insertImport(tx, { source, kind, staff_id: staff.staff_id, date_order: usualOrder(source), createdAt: ctx.now }),
  )
  return readImport(ctx, { import_id })
}

/** POST /admin/imports/{id}/file. NOT_FOUND, IMPORT_STATE, IMPORT_FILE with `why`. */
export async function readImportFiles(ctx: Ctx, input: { import_id: number; files: readonly ImportFile[] }): Promise<ImportView> {
  const { import_id, files } = input
  const job = await getImport(ctx.db, import_id)
  if (job.state !== 'draft') throw refuse('IMPORT_STATE')
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > IMPORT_MAX_BYTES) throw refuse('FILE_TOO_LARGE', { limit: '10 MB' })
  const { header, rows, note } = await readTables(files, job.kind)
  const file_name = files.map(({ name }) => name).join(', ')
  const [remembered, titles] = await Promise.all([findMapping(ctx.db, job.source, job.kind), listPackageTitles(ctx.db)])
  await ctx.tx(async (tx) => {
    const before = await lockIn(tx, import_id, 'draft')
    // Another file in place of one: what was said about its columns and packages holds.
    const columns = columnsOf(job.kind, header, rows, { ...remembered?.fields, ...fieldsByHeader(before.columns) })
    await insertRows(tx, import_id, rows)
    const stored = await listRows(tx, import_id)
    const body = stored.filter(({ is_total }) => !is_total)
    const { order, open } = detectDateOrder(datesOf(columns, body))
    const packages: Record<string, PackageChoice> = {}
    for (const [name] of packagesOf(columns, body)) {
      const same = titles.find(({ title }) => normalizeWords(title) === normalizeWords(name))?.class_package_id ?? null
      packages[name] = before.packages[name] ?? remembered?.packages[name] ?? { class_package_id: same, skip: false }
    }
    await updateImport(tx, import_id, {
      file_name: file_name.slice(0, 200),
      file_note: note,
      columns,
      packages,
      date_order: order ?? usualOrder(job.source),
      date_order_known: order === null && open > 0 ? 'no' : 'yes',
    })
    await checkAll(tx, ctx, import_id)
  })
  return readImport(ctx, { import_id })
}

/** What the columns of an import are by their headers; those that are never imported left out. */
const fieldsByHeader = (columns: readonly StoredColumn[]): Record<string, ImportField | null> =>
  Object.fromEntries(columns.filter(({ locked }) => !locked).map(({ name, field }) => [normalizeWords(name), field]))

/** Keeps what the columns and packages of an import are for the next file of its source. */
async function rememberMapping(tx: Tx, { source, kind, columns, packages }: ImportJobRow): Promise<void> {
  const before = await findMapping(tx, source, kind)
  const fields = { ...before?.fields, ...fieldsByHeader(columns) }
  await upsertMapping(tx, { source, kind, fields, packages: { ...before?.packages, ...packages } })
}

/** What each column is: as last chosen for the source, otherwise guessed; each field once. */
function columnsOf(
  kind: ImportKind,
  header: readonly string[],
  rows: readonly { cells: string[] }[],
  remembered: Record<string, ImportField | null>,
): StoredColumn[] {
  const takenFields = new Set<ImportField>()
  return header.map((name, index) => {
    const locked = isLockedHeader(name)
    const samples = rows.slice(0, 50).map(({ cells }) => cells[index] ?? '')
    const key = normalizeWords(name)
    const chosen = Object.hasOwn(remembered, key) ? (remembered[key] ?? null) : guessField(name, samples, kind)
    const field = locked || chosen === null || takenFields.has(chosen) || !fieldsOfKind[kind].includes(chosen) ? null : chosen
    if (field) takenFields.add(field)
    return { index, name: name.slice(0, 200), field, locked }
  })
}

interface Mapping {
  import_id: number
  columns?: { index: number; field: ImportField | null }[] | undefined
  date_order?: DateOrder | undefined
  packages?: { name: string; class_package_id: number | null; skip: boolean }[] | undefined
  remember?: boolean | undefined
}

/** PUT /admin/imports/{id}/mapping. NOT_FOUND, IMPORT_STATE, IMPORT_MAPPING for a field that two columns would be. */
export async function mapImport(ctx: Ctx, { import_id, remember, ...input }: Mapping): Promise<ImportView> {
  await ctx.tx(async (tx) => {
    const job = await lockIn(tx, import_id, 'draft')
    const chosen = new Map((input.columns ?? []).map(({ index, field }) => [index, field]))
    const columns = job.columns.map((column) =>
      chosen.has(column.index) && !column.locked ? { ...column, field: chosen.get(column.index) ?? null } : column,
    )
    const fields = columns.flatMap(({ field }) => field ?? [])
    const foreign = fields.find((field) => !fieldsOfKind[job.kind].includes(field))
    if (foreign)
      throw refuse('IMPORT_MAPPING', { what: `otra columna: ${importFields[foreign]} no va en un archivo de ${importKinds[job.kind]}` })
    const twice = fields.find((field, at) => fields.indexOf(field) !== at)
    if (twice) throw refuse('IMPORT_MAPPING', { what: `cuál de las columnas es ${importFields[twice]}` })
    const packages = { ...job.packages }
    const titles = new Set((await listPackageTitles(tx)).map(({ class_package_id }) => class_package_id))
    for (const { name, class_package_id, skip } of input.packages ?? []) {
      if (class_package_id !== null && !titles.has(class_package_id)) throw refuse('NOT_FOUND', { field: 'class_package_id' })
      packages[name] = { class_package_id, skip }
    }
    await updateImport(tx, import_id, {
      columns,
      packages,
      ...(remember === undefined ? {} : { remember }),
      ...(input.date_order ? { date_order: input.date_order, date_order_known: 'yes' as const } : {}),
    })
    await checkAll(tx, ctx, import_id)
  })
  return readImport(ctx, { import_id })
}

/** POST /admin/imports/{id}/run. NOT_FOUND, IMPORT_STATE, IMPORT_MAPPING. */
export async function runImport(ctx: Ctx, { import_id }: { import_id: number }): Promise<ImportView> {
  await ctx.tx(async (tx) => {
    const job = await lockIn(tx, import_id, 'draft')
    if (job.file_name === null) throw refuse('IMPORT_MAPPING', { what: 'qué archivo' })
    if (job.date_order_known === 'no') throw refuse('IMPORT_MAPPING', { what: 'qué va primero en las fechas, el día o el mes' })
    // Checked again: customers may have been added since the last check.
    await checkAll(tx, ctx, import_id)
    if (job.remember) await rememberMapping(tx, job)
    await updateImport(tx, import_id, { state: 'running' })
    const { people, credits } = totalsOf(await countStates(tx, import_id))
    const title = job.kind === 'customers' ? importSources[job.source] : `${importKinds[job.kind]}, ${importSources[job.source]}`
    const after = { title, kind: job.kind, rows: people, credits }
    await ctx.audit(tx, { action: 'import.run', entity: 'import', entity_id: import_id, after })
    await tx.send({ name: RUN_JOB, data: { import_id } })
  })
  return readImport(ctx, { import_id })
}

/** POST /admin/imports/{id}/undo. NOT_FOUND, IMPORT_STATE, UNDO_TOO_LATE. */
export async function undoImport(
  ctx: Ctx,
  { import_id, dry_run = false }: { import_id: number; dry_run?: boolean },
): Promise<ImportView & { preview: UndoPreview | null }> {
  const preview = await ctx.tx(async (tx) => {
    const job = await lockIn(tx, import_id, 'done')
    if (!undoUntil(job, ctx.now)) throw refuse('UNDO_TOO_LATE')
    if (dry_run) return await previewUndo(tx, import_id, ctx.now)
    await updateImport(tx, import_id, { state: 'undoing' })
    await ctx.audit(tx, { action: 'import.undo', entity: 'import', entity_id: import_id, after: { title: importSources[job.source] } })
    await tx.send({ name: RUN_JOB, data: { import_id } })
    return null
  })
  return { ...(await readImport(ctx, { import_id })), preview }
}

/** DELETE /admin/imports/{id}. NOT_FOUND, IMPORT_STATE. */
export async function removeImport(ctx: Ctx, { import_id }: { import_id: number }): Promise<{ ok: true }> {
  await ctx.tx(async (tx) => {
    await lockIn(tx, import_id, 'draft')
    await deleteImport(tx, import_id)
  })
  return { ok: true }
}

/** Scheduled job: deletes imports that were never run. */
export async function sweepImports(ctx: Ctx): Promise<void> {
  await ctx.tx((tx) => deleteOldDrafts(tx, new Date(ctx.now.getTime() - IMPORT_DRAFT_DAYS * DAY_MS)))
}
