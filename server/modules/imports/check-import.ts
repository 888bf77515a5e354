/** The dry run of an import: what each row of its file would become (docs/domain.md, "Imports"). */
import { refuse } from '#contract/errors.ts'
import { localDate } from '#contract/time.ts'
import { listKnownCoaches, onlyLocation, zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { type CheckFacts, checkRows, creditsRef, customerRef, numberRef, readPeople, rowValues } from './check.ts'
import { ClassFinder, checkRecords, type RecordKindOfFile, readRecords, resolveReferences } from './record-check.ts'
import { listBooked, listClassesAt, listNames, listRecordRefs, listSubscribed } from './record-store.ts'
import { recordRef } from './records.ts'
import { type CheckBase, normalizeWords, toExternalRef } from './rules.ts'
import {
  type ImportJobRow,
  type ImportRowRow,
  listKnown,
  listPackageTitles,
  listRefs,
  listRows,
  lockImport,
  replaceChecks,
} from './store.ts'

const DAY_MS = 86_400_000

const skippedPackages = (packages: ImportJobRow['packages']): ReadonlySet<string> =>
  new Set(Object.entries(packages).flatMap(([name, { skip }]) => (skip ? [name] : [])))

/** Our subscriptions by title, and by the package that staff chose for a name of the file. */
function plansOf(packages: ImportJobRow['packages'], titles: Awaited<ReturnType<typeof listPackageTitles>>): Map<string, number> {
  const ids = new Set(titles.flatMap((title) => (title.is_subscription ? [title.class_package_id] : [])))
  // The newest package of a title comes first in the list, and last into the map.
  const plans = new Map(
    titles.flatMap((title) => (title.is_subscription ? [[normalizeWords(title.title), title.class_package_id] as const] : [])).reverse(),
  )
  for (const [name, { class_package_id }] of Object.entries(packages)) {
    if (class_package_id === null) continue
    if (ids.has(class_package_id)) plans.set(normalizeWords(name), class_package_id)
    else plans.delete(normalizeWords(name))
  }
  return plans
}

/** Checks every row and stores the result. */
export async function checkAll(tx: Tx, ctx: Ctx, import_id: number): Promise<void> {
  const job = await lockImport(tx, import_id)
  if (!job) throw refuse('NOT_FOUND')
  const rows = await listRows(tx, import_id)
  const isOurs = job.source === 'estudio'
  const base = { order: job.date_order, today: localDate(ctx.now, ctx.zone), isOurs, columns: job.columns }
  if (job.kind !== 'customers') return checkOthers(tx, ctx, job, job.kind, rows, base)
  const numbers = [...new Set(rows.flatMap((row) => toExternalRef(rowValues(row, job.columns)) ?? []))]
  const before = await listRefs(tx, job.source, numbers.map(numberRef))
  const knownNumbers = new Set(numbers.filter((number) => before.has(numberRef(number))))
  const people = readPeople(rows, { ...base, knownNumbers })
  const persons = people.flatMap(({ person }) => person ?? [])
  const refs = await listRefs(tx, job.source, [...persons.map(customerRef), ...persons.map(creditsRef)])
  const known = await listKnown(tx, {
    emails: persons.flatMap(({ email }) => email ?? []),
    phones: persons.flatMap(({ phone }) => phone ?? []),
    names: persons.flatMap(({ name, last_name, birthdate }) => (birthdate ? [normalizeWords(`${name} ${last_name}`)] : [])),
    ids: [...new Set(refs.values())],
  })
  const facts: CheckFacts = { ...base, known, refs, skipped: skippedPackages(job.packages) }
  await replaceChecks(tx, import_id, checkRows(people, facts))
}

/** Checks the rows of a file that is not of customers. */
async function checkOthers(
  tx: Tx,
  ctx: Ctx,
  { import_id, source, packages }: ImportJobRow,
  kind: RecordKindOfFile,
  rows: readonly ImportRowRow[],
  base: CheckBase,
): Promise<void> {
  const read = readRecords(kind, rows, base)
  const records = read.flatMap(({ record }) => record ?? [])
  const of = records.flatMap((record) => (record.kind === 'classes' || record.kind === 'coaches' ? [] : record))
  const days = records.flatMap((record) => (!('starts' in record) || !record.starts ? [] : record.starts.slice(0, 10))).sort()
  const [first, last] = [days[0], days.at(-1)]
  // One more day on both sides: the wall clocks of a location are up to 14 hours from UTC.
  const at = (day: string, by: number) => new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS)
  const between = first && last ? { from: at(first, -1), to: at(last, 2) } : null
  const numbers = of.flatMap((record) => (record.kind === 'reservations' && record.class_ref !== null ? `class ${record.class_ref}` : []))
  const customers = await listRefs(
    tx,
    source,
    of.flatMap(({ customer_ref }) => (customer_ref === null ? [] : `customer ${customer_ref}`)),
  )
  const known = await listKnown(tx, {
    emails: of.flatMap(({ email }) => email ?? []),
    phones: of.flatMap(({ phone }) => phone ?? []),
    names: [],
    ids: [],
  })
  const byNumber = await listRecordRefs(tx, source, numbers)
  const classes = await listClassesAt(tx, between, [...byNumber.values()])
  const names = new Map<string, Set<string>>()
  for (const { entity, name, short } of kind === 'classes' ? await listNames(tx) : []) {
    const all = names.get(entity) ?? new Set()
    for (const text of [name, short]) if (text) all.add(normalizeWords(text))
    names.set(entity, all)
  }
  const facts = {
    refs: byNumber,
    customers,
    names,
    byEmail: new Map(known.flatMap((customer) => (customer.email ? [[customer.email, customer.customer_id] as const] : []))),
    byPhone: new Map(known.flatMap((customer) => (customer.phone ? [[customer.phone, customer.customer_id] as const] : []))),
    reservations: new Set<string>(),
    hasOneLocation: (await onlyLocation(tx)) !== null,
    classes: new ClassFinder(classes, (timezone) => zoneOf({ timezone }, ctx.settings)),
    living: new Set(classes.map((cls) => cls.single_class_id)),
    coaches: kind === 'coaches' ? await listKnownCoaches(tx) : [],
    skipped: skippedPackages(packages),
    ...(kind === 'subscriptions'
      ? { plans: plansOf(packages, await listPackageTitles(tx)), subscribed: await listSubscribed(tx) }
      : { plans: new Map<string, number>(), subscribed: new Set<string>() }),
  }
  // In this order: the key of a record needs its resolved customer and class, and the look-up of stored records needs the key.
  const found = read.flatMap(({ record }) => (record ? resolveReferences(record, facts) : []))
  const refs = await listRecordRefs(tx, source, found.map(recordRef))
  const booked = found.flatMap((record) =>
    record.kind === 'reservations' && record.single_class_id !== null ? record.single_class_id : [],
  )
  const takenSpots = await listBooked(tx, [...new Set(booked)])
  await replaceChecks(tx, import_id, checkRecords(read, { ...facts, reservations: takenSpots, refs: new Map([...byNumber, ...refs]) }))
}
