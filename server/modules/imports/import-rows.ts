/**
 * The rows of an import: as the screen shows them, their corrections and decisions, and those that stayed out (docs/domain.md, "Imports").
 */
import { refuse } from '#contract/errors.ts'
import {
  IMPORT_ROWS_PER_PAGE,
  type ImportChoices,
  type ImportField,
  type ImportRow,
  type ImportRowState,
  type ImportView,
} from '#contract/imports.ts'
import { pageCount } from '#contract/paging.ts'
import { creditSummaries } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { exportList } from '#server/modules/list-export.ts'
import { questionOf, rowValues } from './check.ts'
import { checkAll } from './check-import.ts'
import { getImport, lockIn, readImport } from './imports.ts'
import { recordFacts, recordTitle } from './records.ts'
import { findRow, type ImportJobRow, type ImportRowRow, listKnown, listOpenRows, listRows, pageOfRows, updateRow } from './store.ts'
import type { StoredColumn } from './tables.ts'

type Ours = NonNullable<NonNullable<ImportRow['match']>['ours']>

const serializeRow = (
  row: ImportRowRow,
  columns: readonly StoredColumn[],
  { alike, ours }: { alike: number; ours: Ours | null },
): ImportRow => {
  const { n, state, issues, decision, choices, customer_id } = row
  const person = row.person && {
    name: row.person.name,
    last_name: row.person.last_name,
    email: row.person.email,
    phone: row.person.phone,
    birthdate: row.person.birthdate,
    promotions_on: row.person.promotions_on ?? null,
    whatsapp_on: row.person.whatsapp_on ?? null,
    created_on: row.person.created_on ?? null,
    visits: row.person.visits ?? 0,
    last_visit: row.person.last_visit ?? null,
    package: row.person.package,
    credits: row.person.credits,
    expires_on: row.person.expires_on,
    frozen_on: row.person.frozen_on ?? null,
  }
  return {
    n,
    state,
    person,
    title: row.record ? recordTitle(row.record) : person ? `${person.name} ${person.last_name}`.trim() : '',
    facts: row.record ? recordFacts(row.record) : [],
    values: rowValues(row, columns) as Record<string, string>,
    issues,
    match: row.match && { customer_id: row.match.customer_id, row: row.match.row, name: row.match.name, why: row.match.why, ours },
    adds: row.match?.adds ?? [],
    alike,
    decision,
    choices,
    customer_id,
  }
}

/** Rows for the screen: how many others of a draft wait for the same, and how their customers are here. */
export async function serializeRows(ctx: Ctx, job: ImportJobRow, rows: readonly ImportRowRow[]): Promise<ImportRow[]> {
  const isDraft = job.state === 'draft'
  const open = isDraft && rows.some((row) => questionOf(row) !== null) ? await listOpenRows(ctx.db, job.import_id) : []
  const counts = Map.groupBy(open, questionOf)
  const alikeOf = (row: ImportRowRow) => {
    const question = questionOf(row)
    return question === null ? 0 : Math.max(0, (counts.get(question)?.length ?? 1) - 1)
  }
  const oursOf = isDraft ? await findOurs(ctx, rows) : () => null
  return rows.map((row) => serializeRow(row, job.columns, { alike: alikeOf(row), ours: oursOf(row) }))
}

/** How the customers are with whom some rows are compared. */
async function findOurs(ctx: Ctx, rows: readonly ImportRowRow[]): Promise<(row: ImportRowRow) => Ours | null> {
  const matched = rows.filter(({ match, person }) => match?.customer_id != null && person)
  if (matched.length === 0) return () => null
  const ids = [...new Set(matched.flatMap(({ match }) => match?.customer_id ?? []))]
  const [known, credits] = await Promise.all([
    listKnown(ctx.db, {
      emails: matched.flatMap(({ person }) => person?.email ?? []),
      phones: matched.flatMap(({ person }) => person?.phone ?? []),
      names: [],
      ids,
    }),
    creditSummaries(ctx, ids),
  ])
  return ({ match, person }) => {
    const found = known.find(({ customer_id }) => customer_id === match?.customer_id)
    if (!found || !person) return null
    const { customer_id, email, phone, birthdate, has_account } = found
    const isOthers = (field: 'email' | 'phone') =>
      person[field] !== null && known.some((customer) => customer.customer_id !== customer_id && customer[field] === person[field])
    const { available = 0, has_unlimited = false } = credits.get(customer_id) ?? {}
    return {
      email,
      phone,
      birthdate,
      has_account,
      credits: available,
      has_unlimited,
      createdAt: new Date(found.created_at).toISOString(),
      taken: (['email', 'phone'] as const).filter(isOthers),
    }
  }
}

/** GET /admin/imports/{id}/rows. NOT_FOUND. */
export async function importRows(ctx: Ctx, input: { import_id: number; state?: ImportRowState | undefined; page: number }) {
  const job = await getImport(ctx.db, input.import_id)
  const { rows, total } = await pageOfRows(ctx.db, input.import_id, input.state, { number: input.page, size: IMPORT_ROWS_PER_PAGE })
  return { rows: await serializeRows(ctx, job, rows), total, pages: pageCount(total, IMPORT_ROWS_PER_PAGE) }
}

interface Fix {
  import_id: number
  n: number
  values?: Partial<Record<ImportField, string | null>> | undefined
  decision?: 'merge' | 'new' | 'skip' | null | undefined
  choices?: ImportChoices | undefined
}

/** PUT /admin/imports/{id}/rows/{n}. NOT_FOUND, IMPORT_STATE. */
export async function fixRow(ctx: Ctx, { import_id, n, values, decision, choices }: Fix): Promise<{ row: ImportRow; import: ImportView }> {
  await ctx.tx(async (tx) => {
    await lockIn(tx, import_id, 'draft')
    const row = await findRow(tx, import_id, n)
    if (!row) throw refuse('NOT_FOUND')
    const fixes = Object.entries({ ...row.fixes, ...values }).filter((entry): entry is [ImportField, string] => entry[1] !== null)
    await updateRow(tx, import_id, n, {
      fixes: Object.fromEntries(fixes),
      choices: { ...row.choices, ...choices },
      ...(decision === undefined ? {} : { decision }),
    })
    await checkAll(tx, ctx, import_id)
  })
  const job = await getImport(ctx.db, import_id)
  const row = await findRow(ctx.db, import_id, n)
  if (!row) throw refuse('NOT_FOUND')
  const [serialized] = await serializeRows(ctx, job, [row])
  if (!serialized) throw refuse('NOT_FOUND')
  return { row: serialized, import: await readImport(ctx, { import_id }) }
}

const OUT: readonly ImportRowState[] = ['error', 'duplicate', 'skipped', 'failed']

/** GET /admin/imports/{id}/rejected: the file's own columns, and why. */
export async function rejectedRows(ctx: Ctx, { import_id }: { import_id: number }): Promise<File> {
  const job = await getImport(ctx.db, import_id)
  const rows = (await listRows(ctx.db, import_id)).filter(({ state }) => OUT.includes(state))
  const why = ({ issues, match, state }: ImportRowRow) =>
    [...issues.map(({ message }) => message), ...(state === 'duplicate' && match ? [`${match.why}: ${match.name}`] : [])].join(' ')
  async function* chunks() {
    yield rows
  }
  return exportList<ImportRowRow>(ctx, {
    name: 'sin-importar',
    title: 'Renglones sin importar',
    input: { format: 'csv', import_id },
    columns: [
      ...job.columns
        .filter(({ locked }) => !locked)
        .map(({ index, name, field }) => ({
          header: name,
          cell: (row: ImportRowRow) => (field && row.fixes[field]) || (row.cells[index] ?? ''),
        })),
      { header: 'Renglón', cell: ({ n }) => n },
      { header: 'Por qué no se importó', cell: why },
    ],
    rows: chunks(),
  })
}
