/** The dry run: the result of every row without writing. Pure, on data that was read before (docs/domain.md IM2 to IM4). */
import { COMPARED_FIELDS, type ComparedField, type DateOrder, type ImportChoices, type ImportField } from '#contract/imports.ts'
import { type ImportedPerson, normalizeWords, readRow } from './rules.ts'
import type { CheckedRow, ImportRowRow, KnownCustomer } from './store.ts'
import type { StoredColumn } from './tables.ts'

/** The values of a row by field, with what was corrected. */
export function rowValues(
  { cells, fixes }: Pick<ImportRowRow, 'cells' | 'fixes'>,
  columns: readonly Pick<StoredColumn, 'index' | 'field'>[],
): Partial<Record<ImportField, string>> {
  const values: Partial<Record<ImportField, string>> = {}
  for (const { index, field } of columns) if (field && !values[field]) values[field] = cells[index] ?? ''
  return { ...values, ...fixes }
}

/** What identifies the person with a number at their source. */
export const numberRef = (external_ref: string): string => `customer ${external_ref}`

/** What identifies a person at their source: their number there, otherwise their contact and name. */
export const customerRef = ({ external_ref, email, phone, name, last_name }: ImportedPerson): string =>
  external_ref ? numberRef(external_ref) : `customer ${email ?? phone ?? ''} ${normalizeWords(`${name} ${last_name}`)}`

/** What identifies credits at their source: the same are given once. */
export const creditsRef = (person: ImportedPerson): string =>
  `credits ${customerRef(person)} ${normalizeWords(person.package ?? '')} ${person.credits} ${person.expires_on ?? ''}${person.frozen_on ? ` frozen ${person.frozen_on}` : ''}`

const fullName = (person: { name: string; last_name: string }) => `${person.name} ${person.last_name}`.trim()

/** Whether two names can be one person's: the words of one are among those of the other. */
export function isSameName(a: string, b: string): boolean {
  const [first, other] = [normalizeWords(a).split(' '), normalizeWords(b).split(' ')]
  const [few, many] = first.length <= other.length ? [first, other] : [other, first]
  return few.length > 0 && few.every((word) => many.includes(word))
}

/**
 * What an import changes of a customer: what is empty, and where the file's value was chosen. Who logs in with an email changes
 * it themselves.
 */
export function changesFor(
  known: Pick<KnownCustomer, ComparedField | 'has_account'>,
  person: Pick<ImportedPerson, ComparedField>,
  choices: ImportChoices = {},
): Partial<Record<ComparedField, string>> {
  const changes: Partial<Record<ComparedField, string>> = {}
  for (const field of COMPARED_FIELDS) {
    const value = person[field]
    if (value === null || value === known[field] || (field === 'email' && known.has_account)) continue
    if ((choices[field] ?? (known[field] === null ? 'file' : 'ours')) === 'file') changes[field] = value
  }
  return changes
}

/** The channels that an import knows consents of, with the day in the row. */
export const toConsents = ({ promotions_on, whatsapp_on }: Pick<ImportedPerson, 'promotions_on' | 'whatsapp_on'>) => [
  ...(promotions_on ? [{ channel: 'marketing' as const, on: promotions_on }] : []),
  ...(whatsapp_on ? [{ channel: 'whatsapp' as const, on: whatsapp_on }] : []),
]

export interface CheckFacts {
  order: DateOrder
  today: string
  isOurs?: boolean
  knownNumbers?: ReadonlySet<string>
  columns: readonly StoredColumn[]
  known: readonly KnownCustomer[]
  /** What was imported before, with its customer. */
  refs: ReadonlyMap<string, number>
  /** Packages whose credits are not given. */
  skipped: ReadonlySet<string>
}

export interface ReadPerson {
  row: ImportRowRow
  person: ImportedPerson | null
  issues: CheckedRow['issues']
}

/** Parses every row as a person, before rows are compared with customers. A person of an earlier row is known by their number too. */
export function readPeople(
  rows: readonly ImportRowRow[],
  { columns, knownNumbers, ...base }: Pick<CheckFacts, 'columns' | 'order' | 'today' | 'isOurs' | 'knownNumbers'>,
): ReadPerson[] {
  const known = new Set(knownNumbers)
  return rows.map((row) => {
    if (row.is_total) return { row, person: null, issues: [] }
    const read = readRow(rowValues(row, columns), { ...base, knownNumbers: known })
    if (read.person?.external_ref) known.add(read.person.external_ref)
    return { row, ...read }
  })
}

/** Checks each row: its state and problems. */
export function checkRows(people: readonly ReadPerson[], facts: CheckFacts): CheckedRow[] {
  const byId = new Map(facts.known.map((customer) => [customer.customer_id, customer]))
  const byEmail = new Map(facts.known.flatMap((customer) => (customer.email ? [[customer.email, customer] as const] : [])))
  const byPhone = new Map(facts.known.flatMap((customer) => (customer.phone ? [[customer.phone, customer] as const] : [])))
  const byBirth = new Map(
    facts.known.flatMap((customer) =>
      customer.birthdate ? [[`${normalizeWords(customer.plain_name)} ${customer.birthdate}`, customer] as const] : [],
    ),
  )
  /** The value is another customer's: it stays there. */
  const isTaken = ({ customer_id }: KnownCustomer, { email, phone }: ImportedPerson, field: ImportField): boolean => {
    const owner = field === 'email' ? byEmail.get(email ?? '') : field === 'phone' ? byPhone.get(phone ?? '') : undefined
    return owner !== undefined && owner.customer_id !== customer_id
  }
  const earlier = new Map<string, { n: number; name: string }>()
  const givesCredits = (person: ImportedPerson) =>
    person.credits !== 0 &&
    (person.expires_on ?? '') >= (person.frozen_on ?? facts.today) &&
    !facts.skipped.has(person.package ?? '') &&
    !facts.refs.has(creditsRef(person))

  return people.map(({ row, person, issues }): CheckedRow => {
    const result = (state: CheckedRow['state'], match: CheckedRow['match'] = null, more: CheckedRow['issues'] = []): CheckedRow => ({
      n: row.n,
      state,
      person,
      record: null,
      issues: [...issues, ...more],
      match,
    })
    if (row.is_total) return result('skipped', null, [{ field: 'name', message: 'Es un total, no una persona.', suggestion: null }])
    if (row.decision === 'skip') return result('skipped')
    if (!person) return result('error')
    const name = fullName(person)
    const keys = [
      `r ${customerRef(person)}`,
      person.email && `m ${person.email}`,
      person.phone && `t ${person.phone}`,
      person.birthdate && `b ${normalizeWords(name)} ${person.birthdate}`,
    ]
    const sameRef = earlier.get(`r ${customerRef(person)}`)
    // In our own files people have a number each: another one with the same telephone is a relative (P19).
    const before = facts.isOurs ? sameRef : keys.flatMap((key) => (key && earlier.get(key)) || [])[0]
    const hasMail = person.email ? (byEmail.get(person.email) ?? earlier.get(`m ${person.email}`)) : undefined
    for (const key of keys) if (key && !earlier.has(key)) earlier.set(key, { n: row.n, name })

    const updates = (known: KnownCustomer, match: NonNullable<CheckedRow['match']>) => {
      const adds: ImportField[] = [
        ...(Object.keys(changesFor(known, person, row.choices)) as ImportField[]).filter((field) => !isTaken(known, person, field)),
        ...(givesCredits(person) ? (['credits'] as const) : []),
        ...((person.visits ?? 0) > 0 && !known.has_past_visits ? (['visits'] as const) : []),
        ...toConsents(person)
          .filter(({ channel }) => !known.answered.includes(channel))
          .map(({ channel }) => (channel === 'whatsapp' ? ('whatsapp_on' as const) : ('promotions_on' as const))),
      ]
      return result(adds.length > 0 ? 'update' : 'same', { ...match, adds })
    }
    const importedId = facts.refs.get(customerRef(person))
    const imported = importedId === undefined ? undefined : byId.get(importedId)
    if (imported)
      return updates(imported, { customer_id: imported.customer_id, row: null, name: fullName(imported), why: 'Ya se importó antes' })

    const found: [KnownCustomer | undefined, string][] = [
      [person.email ? byEmail.get(person.email) : undefined, 'Mismo correo'],
      [person.phone ? byPhone.get(person.phone) : undefined, 'Mismo teléfono'],
      [person.birthdate ? byBirth.get(`${normalizeWords(name)} ${person.birthdate}`) : undefined, 'Mismo nombre y cumpleaños'],
    ]
    const [known, why] = found.find(([customer]) => customer) ?? []
    if (known && why && row.decision !== 'new') {
      const match = { customer_id: known.customer_id, row: null, name: fullName(known), why }
      if (row.decision === 'merge' || isSameName(fullName(known), name)) return updates(known, match)
      return result('duplicate', match)
    }
    if (before && row.decision !== 'new') {
      const match = { customer_id: null, row: before.n, name: before.name, why: `Coincide con el renglón ${before.n}` }
      if (row.decision === 'merge' || isSameName(before.name, name)) return result('update', match)
      return result('duplicate', match)
    }
    if (hasMail && person.phone === null) {
      const owner = 'customer_id' in hasMail ? fullName(hasMail) : hasMail.name
      return result('error', null, [
        { field: 'phone', message: `Su correo es de ${owner}: escribe un teléfono, suyo o del familiar.`, suggestion: null },
      ])
    }
    return result('new')
  })
}

/** What is asked about a row: an error by its field and sentence, a duplicate by what is alike. Null: nothing. */
export function questionOf({
  state,
  decision,
  issues,
  match,
}: Pick<ImportRowRow, 'state' | 'decision' | 'issues' | 'match'>): string | null {
  const [first] = issues
  if (state === 'error' && first && issues.length === 1)
    return `error ${first.field} ${withoutNumbers(first.message)} ${first.suggestion === null ? '' : 'known'}`
  if (state === 'duplicate' && decision === null && match) return `duplicate ${withoutNumbers(match.why)}`
  return null
}

/** "Coincide con el renglón 12" is the same question as the one about row 40; the mails that are meant differ too. */
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#')
