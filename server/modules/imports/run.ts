/** The job of an import: one row, one transaction; a killed job resumes with the remaining rows (docs/domain.md IM5 and IM6). */
import { sql } from 'drizzle-orm'
import { type ComparedField, type ImportChoices, type ImportSource, importSources } from '#contract/imports.ts'
import { endOfDay, fromWallClock, localDate, startOfDay } from '#contract/time.ts'
import { eraseGranted, freezeGranted } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { eraseImported } from '#server/modules/customers/customers.ts'
import { refusalIn } from '#server/modules/failures.ts'
import { addImportedConsent, eraseImportedConsent } from '#server/modules/messages/messages.ts'
import {
  addPastVisits,
  insertCustomer,
  isPhoneTaken,
  lockCustomerByEmail,
  lockCustomerRow,
  updateCustomer,
} from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import type { JobRun } from '#server/platform/job-types.ts'
import { changesFor, creditsRef, customerRef, toConsents } from './check.ts'
import { applyRecord, grantLike, RowFailed, UNDO_REASON, undoRecords } from './record-run.ts'
import { deleteRecordRefs } from './record-store.ts'
import type { ImportedPerson } from './rules.ts'
import {
  deleteRefs,
  findRow,
  type ImportJobRow,
  type ImportRowRow,
  isUsed,
  listImports,
  listRefs,
  lockImport,
  lockRow,
  nextRows,
  updateImport,
  updateRow,
  upsertRef,
} from './store.ts'
import type { RowUndo } from './tables.ts'
import { STAYS } from './undo-preview.ts'

/** Rows between two checks whether the job should end. */
const BATCH = 200
/** Rows that are written at once: while one waits for the disk, others compute. */
const AT_ONCE = 4

/** Does something with each, some at a time, until the signal. */
async function inLanes<T>(lanes: number, all: readonly T[], signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (!signal.aborted) {
      const item = all[next++]
      if (item === undefined) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Job: imports the remaining rows, or undoes them. */
export async function workOnImport(ctx: Ctx, { import_id }: { import_id: number }, { signal }: JobRun): Promise<void> {
  const [job] = await listImports(ctx.db, import_id)
  if (!job || (job.state !== 'running' && job.state !== 'undoing')) return
  const isUndo = job.state === 'undoing'
  while (!signal.aborted) {
    const rows = await nextRows(ctx.db, import_id, isUndo ? ['done'] : ['new', 'update'], isUndo ? 'last' : 'first', BATCH)
    if (rows.length === 0) {
      await ctx.tx(async (tx) => {
        const current = await lockImport(tx, import_id)
        if (current?.state !== job.state) return
        await updateImport(tx, import_id, { state: isUndo ? 'undone' : 'done', finishedAt: ctx.studio.clock() })
        tx.notify({ topic: 'record', entity: 'import', entity_id: import_id })
      })
      return
    }
    // Notes create tags while they hold their customers; what is undone has an order.
    const lanes = isUndo || job.kind === 'notes' || job.kind === 'classes' || job.kind === 'coaches' ? 1 : AT_ONCE
    await inLanes(
      lanes,
      rows.filter(({ follows }) => lanes === 1 || !follows),
      signal,
      ({ n }) => (isUndo ? undoRow(ctx, job, n) : importRow(ctx, job, n)),
    )
    if (lanes > 1)
      await inLanes(
        1,
        rows.filter(({ follows }) => follows),
        signal,
        ({ n }) => importRow(ctx, job, n),
      )
    await ctx.tx(async (tx) => tx.notify({ topic: 'record', entity: 'import', entity_id: import_id }))
  }
  throw new Error('The import goes on in the next attempt.')
}

async function importRow(ctx: Ctx, job: ImportJobRow, n: number): Promise<void> {
  try {
    await ctx.tx(async (tx) => {
      const row = await lockRow(tx, job.import_id, n)
      if (!row || (row.state !== 'new' && row.state !== 'update')) return
      if (!row.person && !row.record) return
      const { customer_id, undo } = row.record
        ? await applyRecord(tx, ctx, job, row.record)
        : await applyRow(tx, ctx, job, row, row.person as ImportedPerson)
      await updateRow(tx, job.import_id, n, { state: 'done', customer_id, undo })
    })
  } catch (error) {
    const refusal = refusalIn(error)
    // The database was busy: the row is not at fault, and the job's next attempt writes it.
    if (refusal?.code === 'BUSY') throw error
    const message = error instanceof RowFailed ? error.message : refusal?.message
    if (message === undefined) ctx.studio.log.error({ error, import_id: job.import_id, n }, 'import.row_failed')
    const issue = { field: 'name', message: message ?? 'No se pudo guardar.', suggestion: null }
    await ctx.tx((tx) => updateRow(tx, job.import_id, n, { state: 'failed', issues: [issue] }))
  }
}

async function applyRow(
  tx: Tx,
  ctx: Ctx,
  job: ImportJobRow,
  row: ImportRowRow,
  person: ImportedPerson,
): Promise<{ customer_id: number; undo: RowUndo }> {
  const undo: RowUndo = { made: false, before: {}, after: {}, granted: [], refs: [] }
  const ref = customerRef(person)
  const known = (await listRefs(tx, job.source, [ref])).get(ref) ?? (await matchOf(tx, row))
  const customer_id = known ?? (await createFrom(tx, ctx, row, person, job.source))
  if (known === null || known === undefined) undo.made = true
  else await fillIn(tx, ctx, known, { person, choices: row.choices }, undo)
  for (const { channel, on } of toConsents(person)) {
    const reason = `Importado de ${importSources[job.source]}`
    const changedAt = await addImportedConsent(tx, ctx, { customer_id, channel, on, reason })
    if (changedAt) undo.consents = [...(undo.consents ?? []), { channel, changedAt: changedAt.toISOString() }]
  }
  const past_visit_id = await addVisits(tx, ctx, job, customer_id, person)
  if (past_visit_id !== null) undo.records = [{ kind: 'past_visit', id: past_visit_id }]
  const source = { source: job.source, customer_id, import_id: job.import_id }
  if (await upsertRef(tx, { ...source, ref })) undo.refs.push(ref)
  if (await giveCredits(tx, ctx, job, person, { ...source, ref: creditsRef(person) }, undo)) undo.refs.push(creditsRef(person))
  return { customer_id, undo }
}

const noonOf = (day: string, ctx: Ctx): Date => {
  const at = fromWallClock(new Date(`${day}T12:00:00Z`), ctx.zone)
  return at < ctx.now ? at : ctx.now
}

/** Adds the number of visits in the previous system (IM16); null when the file has none or it is already stored. */
async function addVisits(tx: Tx, ctx: Ctx, { source }: ImportJobRow, customer_id: number, person: ImportedPerson): Promise<number | null> {
  const { visits = 0, last_visit = null } = person
  if (visits === 0) return null
  const last_at = last_visit === null ? null : noonOf(last_visit, ctx)
  const until_at = endOfDay(last_visit ?? localDate(ctx.now, ctx.zone), ctx.zone)
  return addPastVisits(tx, { customer_id, source, visits, last_at, until_at })
}

/** The customer that the check found, or that the earlier row of the file became. */
async function matchOf(tx: Tx, { state, match, import_id }: ImportRowRow): Promise<number | null> {
  if (state !== 'update' || !match) return null
  if (match.customer_id !== null) return match.customer_id
  const earlier = match.row === null ? null : await findRow(tx, import_id, match.row)
  return earlier?.state === 'done' ? earlier.customer_id : null
}

async function createFrom(
  tx: Tx,
  ctx: Ctx,
  row: ImportRowRow,
  { name, last_name, email, phone, birthdate, created_on }: ImportedPerson,
  source: ImportSource,
): Promise<number> {
  const isMailTaken = email !== null && (await lockCustomerByEmail(tx, email)) !== null
  // Two relatives at the same time: the second one has to find the telephone of the first.
  if (phone !== null) await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`import phone ${phone}`}))`)
  const isTelTaken = phone !== null && (await isPhoneTaken(tx, phone))
  // "Es otra persona": the mail stays with its owner, the telephone is that of a relative (P19). So it is in our own files.
  const isOther = row.decision === 'new' || source === 'estudio'
  if (!isOther && isMailTaken) throw new RowFailed('Ya hay un cliente con ese correo.')
  if (!isOther && isTelTaken) throw new RowFailed('Ya hay un cliente con ese teléfono.')
  const contact = { email: isMailTaken ? null : email, phone, shares_phone: isTelTaken }
  if (email === null && phone === null) throw new RowFailed('Hace falta su teléfono o su correo.')
  if (contact.email === null && phone === null) throw new RowFailed('Su correo es de otra persona: falta un teléfono, suyo o del familiar.')
  const createdAt = created_on ? noonOf(created_on, ctx) : ctx.now
  const customer = await insertCustomer(tx, { name, last_name, birthdate, ...contact, createdAt, updatedAt: ctx.now })
  const after = { name, last_name, ...contact }
  await ctx.audit(tx, {
    action: 'customer.create',
    entity: 'customer',
    entity_id: customer.customer_id,
    after,
    reason: `Importado de ${importSources[source]}`,
  })
  return customer.customer_id
}

async function fillIn(
  tx: Tx,
  ctx: Ctx,
  customer_id: number,
  { person, choices }: { person: ImportedPerson; choices: ImportChoices },
  undo: RowUndo,
): Promise<void> {
  const before = await lockCustomerRow(tx, customer_id)
  if (!before) throw new RowFailed('Ese cliente ya no existe.')
  const changes = changesFor({ ...before, has_account: before.uid !== null }, person, choices)
  if (changes.email && (await lockCustomerByEmail(tx, changes.email))) delete changes.email
  if (changes.phone && (await isPhoneTaken(tx, changes.phone, customer_id))) delete changes.phone
  const keys = Object.keys(changes) as (keyof typeof changes)[]
  if (keys.length === 0) return
  await updateCustomer(tx, customer_id, { ...changes, updatedAt: ctx.now })
  for (const key of keys) {
    undo.before[key] = before[key]
    undo.after[key] = changes[key] ?? null
  }
  undo.updatedAt = { before: before.updatedAt.toISOString(), after: ctx.now.toISOString() }
  await ctx.audit(tx, { action: 'customer.change', entity: 'customer', entity_id: customer_id, before: undo.before, after: undo.after })
}

/** Gives the credits that are left at the source, once (IM5). False when there is nothing to give. */
async function giveCredits(
  tx: Tx,
  ctx: Ctx,
  job: ImportJobRow,
  person: ImportedPerson,
  ref: Parameters<typeof upsertRef>[1],
  undo: RowUndo,
): Promise<boolean> {
  const { credits, expires_on, frozen_on = null } = person
  const choice = job.packages[person.package ?? '']
  if (credits === 0 || choice?.skip || expires_on === null || expires_on < (frozen_on ?? localDate(ctx.now, ctx.zone))) return false
  if (!(await upsertRef(tx, ref))) return false
  const creditLotId = await grantLike(tx, ctx, job, {
    customer_id: ref.customer_id,
    title: person.package,
    class_package_id: choice?.class_package_id ?? null,
    amount: credits,
    last_day: expires_on,
  })
  const frozenAt = frozen_on === null ? null : startOfDay(frozen_on, ctx.zone)
  if (frozenAt) await freezeGranted(tx, creditLotId, frozenAt)
  undo.granted.push({ available_class_id: creditLotId, amount: credits, ...(frozenAt ? { frozenAt: frozenAt.toISOString() } : {}) })
  return true
}

async function undoRow(ctx: Ctx, job: ImportJobRow, n: number): Promise<void> {
  const row = await findRow(ctx.db, job.import_id, n)
  if (row?.state !== 'done') return
  // Erased with its customer, and with what it made.
  if (!row.undo) return ctx.tx((tx) => updateRow(tx, job.import_id, n, { state: 'undone' }))
  const { customer_id, undo } = row
  const creditLotIds = undo.granted.map(({ available_class_id }) => available_class_id)
  const stay = (message: string) =>
    ctx.tx((tx) => updateRow(tx, job.import_id, n, { state: 'stayed', issues: [{ field: 'name', message, suggestion: null }] }))
  try {
    if (undo.made && customer_id !== null && (await isUsed(ctx.db, customer_id, creditLotIds))) return await stay(STAYS.used)
    await ctx.tx(async (tx) => {
      const current = await lockRow(tx, job.import_id, n)
      if (current?.state !== 'done') return
      const reservations = await undoRecords(tx, ctx, customer_id, undo)
      for (const grant of undo.granted) if (!(await eraseGranted(tx, { ...grant, reservations }))) throw new RowFailed(STAYS.credits)
      if (customer_id !== null)
        for (const consent of undo.consents ?? [])
          await eraseImportedConsent(tx, ctx, { ...consent, customer_id, changedAt: new Date(consent.changedAt), reason: UNDO_REASON })
      if (undo.made && customer_id !== null) await eraseImported(tx, ctx, { customer_id, reason: UNDO_REASON })
      else if (customer_id !== null) await restore(tx, ctx, customer_id, undo)
      await deleteRefs(tx, job.source, undo.refs)
      await deleteRecordRefs(tx, job.source, undo.refs)
      await updateRow(tx, job.import_id, n, { state: 'undone', undo: null, ...(undo.made ? { customer_id: null } : {}) })
    })
  } catch (error) {
    const refusal = refusalIn(error)
    const message = error instanceof RowFailed ? error.message : refusal?.message
    if (message === undefined || refusal?.code === 'BUSY') throw error
    await stay(message)
  }
}

/** Puts back what the fields were that the import changed, unless they were changed since, or somebody else has the value now. */
async function restore(tx: Tx, ctx: Ctx, customer_id: number, undo: RowUndo): Promise<void> {
  const record = Object.keys(undo.before).length > 0 ? await lockCustomerRow(tx, customer_id) : null
  if (!record) return
  const back = Object.fromEntries(
    Object.entries(undo.before).filter(
      ([key]) => record[key as ComparedField] === undo.after[key] && !(key === 'email' && record.uid !== null),
    ),
  )
  if (back.email && (await lockCustomerByEmail(tx, back.email))) delete back.email
  if (back.phone && (await isPhoneTaken(tx, back.phone, customer_id))) delete back.phone
  if (Object.keys(back).length === 0) return
  const isUntouched = record.updatedAt.toISOString() === undo.updatedAt?.after
  await updateCustomer(tx, customer_id, { ...back, updatedAt: isUntouched && undo.updatedAt ? new Date(undo.updatedAt.before) : ctx.now })
  const change = { before: undo.after, after: back, reason: UNDO_REASON }
  await ctx.audit(tx, { action: 'customer.change', entity: 'customer', entity_id: customer_id, ...change })
}
