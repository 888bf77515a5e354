/** A generated studio as files of another system, for tests and measurements of imports that are killed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportKind, ImportView } from '#contract/imports.ts'
import { addDays } from '#contract/time.ts'
import { type SecondProcess, secondProcess } from './second-process.ts'
import type { Person, TestStudio } from './studio.ts'

const CAPACITY = 20
const PER_DAY = 40

/** Subscriptions need a package of the studio. */
type GeneratedKind = Exclude<ImportKind, 'subscriptions' | 'coaches'>

/**
 * People with a lot each, enough classes from tomorrow on, and one reservation each; then a note for every tenth person, and past purchases
 * of each.
 */
export function generatedFiles(people: number): Record<GeneratedKind, string> {
  const all = Array.from({ length: people }, (_, n) => n)
  const csv = (header: string, rows: string[]) => `${header}\n${rows.join('\n')}`
  const classes = Array.from({ length: Math.ceil(people / CAPACITY) + 2 }, (_, n) => n)
  const dayOf = (cls: number) => addDays('2026-11-21', Math.floor(cls / PER_DAY))
  const minuteOf = (cls: number) => 6 * 60 + (cls % PER_DAY) * 25
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    customers: csv(
      'ID cliente,Nombre,Apellidos,Correo,Teléfono,Fecha de nacimiento,Paquete,Clases por usar,Vencimiento',
      all.map((n) => {
        const birth = `${1960 + (n % 45)}-${two(1 + (n % 12))}-${two(1 + (n % 28))}`
        const credits = n % 7 === 0 ? 'Ilimitado' : 1 + (n % 10)
        return `${n + 1},Nombre${n},Apellido${n % 97} Segundo${n % 31},p${n}@importados.test,55${String(10_000_000 + n)},${birth},Diez clases,${credits},2027-0${1 + (n % 9)}-15`
      }),
    ),
    classes: csv(
      'ID clase,Tipo de clase,Coach,Estudio,Fecha,Hora,Minutos,Lugares',
      classes.map((n) => {
        const minute = minuteOf(n)
        return `${n + 1},Tipo ${n % 5},Coach${n % 9} Apellido,Centro,${dayOf(n)},${two(Math.floor(minute / 60))}:${two(minute % 60)},50,${CAPACITY}`
      }),
    ),
    reservations: csv(
      'ID reservación,ID cliente,Cliente,ID clase,Estado',
      all.map((n) => `${n + 1},${n + 1},Nombre${n} Apellido${n % 97},${1 + (n % classes.length)},Reservada`),
    ),
    notes: csv(
      'ID nota,ID cliente,Fecha,Nota,Etiquetas',
      all.filter((n) => n % 10 === 0).map((n) => `${n + 1},${n + 1},2026-01-15,Rodilla ${n},"VIP, Mañanas"`),
    ),
    purchases: csv(
      'ID compra,ID cliente,Fecha,Paquete,Monto,Forma de pago',
      // A file has at most 20,000 rows.
      all
        .slice(0, 6_000)
        .flatMap((n) =>
          [1, 2, 3].map((time) => `${n}-${time},${n + 1},2025-0${time}-${two(1 + (n % 28))},Diez clases,"1,450.00",Efectivo`),
        ),
    ),
  }
}

/** Uploads a file and queues the job; it runs only where workers do. */
export async function startImport(s: TestStudio, owner: Person, kind: ImportKind, content: string): Promise<ImportView> {
  const client = s.as(owner).imports
  const { import_id } = await client.create({ source: 'estudio', kind })
  const view = await client.file({ import_id, file: new File([content], `${kind}.csv`) })
  if (view.counts.error) throw new Error(`${kind}: ${JSON.stringify((await client.rows({ import_id, state: 'error' })).rows[0])}`)
  await client.run({ import_id })
  return view
}

const progressOf = async (s: TestStudio, import_id: number) => {
  const [row] = await s.sql<{ state: string; done: number }>(
    `select state, (select count(*)::int from import_row r where r.import_id = i.import_id and r.state not in ('new', 'update')) as done from import i where import_id = $1`,
    [import_id],
  )
  return row ?? { state: 'gone', done: 0 }
}

/**
 * Imports all files with a process of its own, which is killed with SIGKILL when an import has done these shares of its rows and replaced
 * by another one. Answers how often it was killed in the middle.
 */
export async function importInProcess(
  s: TestStudio,
  owner: Person,
  files: Record<GeneratedKind, string>,
  kills: Partial<Record<GeneratedKind, readonly number[]>>,
): Promise<number> {
  let cut = 0
  let worker: SecondProcess = await secondProcess(s, { work: true })
  for (const kind of ['customers', 'classes', 'reservations', 'notes', 'purchases'] as const) {
    const { import_id, total } = await startImport(s, owner, kind, files[kind])
    const shares = [...(kills[kind] ?? [])]
    for (let now = await progressOf(s, import_id); now.state === 'running'; now = await progressOf(s, import_id)) {
      const [share] = shares
      if (share !== undefined && now.done >= total * share) {
        shares.shift()
        await worker.kill()
        if ((await progressOf(s, import_id)).state === 'running') cut++
        worker = await secondProcess(s, { work: true })
      }
      await sleep(shares.length > 0 ? 10 : 100)
    }
  }
  await worker.close()
  return cut
}

/** What was imported, by what people know it by, so that two studios can be compared. */
export async function importedContents(s: TestStudio): Promise<Record<string, object[]>> {
  const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI')`
  return {
    customers: await s.sql(
      `select name, last_name, email, phone, birthdate::text from customer where "deletedAt" is null and not is_anonymous order by email, phone`,
    ),
    lots: await s.sql(
      `select c.email, a.title, a.unlimited, a.granted, a.balance, ${instant('a.expires_at')} as ends, (select count(*)::int from credit_movement m where m.available_class_id = a.available_class_id) as movements
       from available_class a join customer c using (customer_id) where a."revokedAt" is null order by 1, 2, 3, 4, 5, 6`,
    ),
    classes: await s.sql(
      `select y.name as type, l.name as place, ${instant('c.starts_at')} as starts, ${instant('c.ends_at')} as ends, c.capacity, c.taken,
         (select string_agg(concat_ws(' ', i.name, i.last_name), ',' order by k.sort) from class_instructor k join instructor i using (instructor_id) where k.single_class_id = c.single_class_id) as coaches
       from single_class c join class_type y using (class_type_id) join location l using (location_id) order by 3, 1, 2`,
    ),
    reservations: await s.sql(
      `select p.email, ${instant('c.starts_at')} as starts, r.spot, r.guest, r.attend, r."deletedAt" is null as active from class_reservation r join single_class c using (single_class_id) join customer p using (customer_id) order by 1, 2, 4`,
    ),
    notes: await s.sql(
      `select p.email, n.text, ${instant('n."createdAt"')} as written from customer_note n join customer p using (customer_id) order by 1, 2`,
    ),
    purchases: await s.sql(
      `select p.email, h.bought_on::text as day, h.title, h.total_centavos, h.way from past_purchase h join customer p using (customer_id) order by 1, 2, 3, 4`,
    ),
    tags: await s.sql(
      `select p.email, t.name from customer_tag k join customer p using (customer_id) join tag t using (tag_id) order by 1, 2`,
    ),
    catalogue: await s.sql(
      `select 'type' as kind, name from class_type union all select 'coach', concat_ws(' ', name, last_name) from instructor union all select 'place', name from location order by 1, 2`,
    ),
  }
}

/** Tables of history, or derived ones, which differ after an undone import. */
const HISTORY = [
  'audit',
  'import',
  'import_row',
  'import_mapping',
  'idempotency',
  'throttle',
  'signing_key',
  'customer_change',
  'customer_summary',
  'customer_state_total',
  'rollup_change',
  'rollup_zone',
  'class_rollup',
  'visit_month',
  'visit_first',
  'income_change',
  'income_zone',
  'income_unit',
  'income_day',
  'income_total',
  'income_class',
  'income_class_total',
  'invoice_total',
  'purchase_paid_elsewhere',
  // The test processor writes its own key when it is first used, which may be at any time.
  'sandbox_config',
]

/** Every row of every other table, as text. */
export async function rowsOfTables(s: TestStudio): Promise<Record<string, string[]>> {
  const tables = await s.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables)
    if (!HISTORY.includes(name)) {
      const rows = await s.sql<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t order by 1`)
      if (rows.length > 0) all[name] = rows.map(({ row }) => row)
    }
  return all
}
