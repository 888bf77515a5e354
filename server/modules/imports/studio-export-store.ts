/** What the export of a studio reads: rows of its tables, and the customers as an import takes them. */
import { and, desc, eq, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { file } from '#server/modules/content/tables.ts'
import { isVisit, pastVisits } from '#server/modules/people/people.ts'
import { staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import type { ExportedTable } from './exported-tables.ts'
import { studioExport } from './tables.ts'

/** Columns of a table in its order, without those that stay and those that are derived from others. */
export async function listColumns(on: Reader, { table, without }: ExportedTable): Promise<{ name: string; type: string }[]> {
  const { rows } = await on.execute<{ name: string; type: string }>(sql`
    select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = ${table}
      and is_generated = 'NEVER' order by ordinal_position`)
  return rows.filter(({ name }) => !without.includes(name))
}

/** Columns that identify the rows of a table: pages in their order have each row once. */
export async function listKeyColumns(on: Reader, { table }: ExportedTable): Promise<string[]> {
  const { rows } = await on.execute<{ name: string }>(sql`
    select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = to_regclass(quote_ident(${table})) and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`)
  return rows.map(({ name }) => name)
}

/** The rows of a table as texts in the order of its key, in `cells`. Instants are ISO 8601 in UTC. */
export function streamRows(
  { table, where }: ExportedTable,
  { columns, key }: { columns: readonly { name: string; type: string }[]; key: readonly string[] },
): SQL {
  const cells = columns.map(({ name, type }) =>
    type.startsWith('timestamp with')
      ? sql`to_char(${sql.identifier(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : sql`${sql.identifier(name)}::text`,
  )
  const order = key.map((name) => sql.identifier(name))
  return sql`select array[${sql.join(cells, sql`, `)}]::text[] as cells from ${sql.identifier(table)} ${where ? sql`where ${sql.raw(where)}` : sql``}
    order by ${sql.join(order, sql`, `)}`
}

export interface ExportedCustomer extends Record<string, unknown> {
  customer_id: number
  name: string
  last_name: string
  email: string | null
  phone: string | null
  birthdate: string | null
  /** Days of consent, in the studio's zone. */
  promotions_on: string | null
  whatsapp_on: string | null
  created_on: string
  /** Visits here plus those in the previous system (IM16). */
  visits: number
  last_visit: string | null
  package: string | null
  /** -1: unlimited. */
  credits: number | null
  /** The last day, in the studio's zone. */
  expires_on: string | null
  /** Since when they are frozen; `expires_on` is then the last day that they had. */
  frozen_on: string | null
}

/**
 * Living customers with their credits for classes, a row for each package, last day and day of freezing: equal lots are one row, because an
 * import gives the same credits once. Those whose clock waits for the first class (C7) end as if it were today. Those of a payment that a
 * bank reviews stay here.
 */
export async function listCustomersToMove(on: Reader, now: Date, zone: string): Promise<ExportedCustomer[]> {
  const consent = (channel: string) => sql`(select to_char(mc."changedAt" at time zone ${zone}::text, 'YYYY-MM-DD') from message_consent mc
    where mc.customer_id = c.customer_id and mc.channel = ${channel} and mc.allowed)`
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await on.execute<ExportedCustomer>(sql`
    with lot as (
      select a.customer_id, a.title, a.unlimited, a.balance, to_char(a."frozenAt" at time zone ${zone}::text, 'YYYY-MM-DD') as frozen, to_char(coalesce(
          a.expires_at at time zone ${zone}::text, ${at} at time zone ${zone}::text + make_interval(days => a.days_from_first_class)), 'YYYY-MM-DD') as day
      from available_class a left join purchase b using (purchase_id)
      where a."revokedAt" is null and not a.is_online and (a.expires_at is null or a.expires_at > coalesce(a."frozenAt", ${at}))
        and b."frozenAt" is null and (a.unlimited or a.balance > 0))
    select c.customer_id, c.name, c.last_name, c.email, c.phone, c.birthdate::text as birthdate, ${consent('marketing')} as promotions_on,
      ${consent('whatsapp')} as whatsapp_on, to_char(c."createdAt" at time zone ${zone}::text, 'YYYY-MM-DD') as created_on,
      ${pastVisits(sql`c.customer_id`)} + v.visits as visits,
      to_char(greatest(v.last_at, (select max(p.last_at) from past_visit p where p.customer_id = c.customer_id)) at time zone ${zone}::text, 'YYYY-MM-DD') as last_visit, l.title as package,
      case when l.unlimited then -1 else sum(l.balance)::integer end as credits, l.day as expires_on, l.frozen as frozen_on
    from customer c left join lot l using (customer_id) cross join lateral (
      select count(*)::integer as visits, max(s.starts_at) as last_at from class_reservation r join single_class s using (single_class_id)
      where r.customer_id = c.customer_id and s.starts_at <= ${at} and ${isVisit(sql`r`, sql`s`)}) v
    where c."deletedAt" is null and not c.is_anonymous
    group by c.customer_id, v.visits, v.last_at, l.title, l.unlimited, l.day, l.frozen order by c.customer_id, l.day, l.title, l.frozen`)
  return rows
}

/** A file that another studio imports: its headers are those that an import recognises. */
export interface MovableFile {
  file: string
  about: string
  headers: readonly string[]
  /** Its rows, in `cells`. */
  rows(now: Date, zone: string): SQL
}

/** Day and hour of a class on the clocks of its location. */
const wall = (zone: string, form: string) => sql`to_char(c.starts_at at time zone coalesce(l.timezone, ${zone}::text), ${form}::text)`

/**
 * The coaches, the schedule, the reservations, notes with tags, and purchases as history, in the order in which they are imported after the
 * customers (IM8).
 */
export const MOVABLE: readonly MovableFile[] = [
  {
    file: 'perfiles-de-coaches',
    about: 'Coaches con lo que se sabe de cada quien, sin su foto',
    headers: ['ID coach', 'Nombre', 'Apellidos', 'Apodo', 'Fecha de nacimiento', 'Instagram', 'Biografía', 'Especialidades'],
    rows: () =>
      sql`select jsonb_build_array(i.instructor_id, i.name, i.last_name, i.nick_name, i.birthdate, i.instagram, i.short_bio, i.specialties) as cells
        from instructor i where i."deletedAt" is null order by i.instructor_id`,
  },
  {
    file: 'horario',
    about: 'Clases que no se cancelaron, una por renglón, en la hora de su estudio',
    headers: [
      'ID clase',
      'Tipo de clase',
      'Coach',
      'Estudio',
      'Zona horaria',
      'Sala',
      'Fecha',
      'Hora',
      'Minutos',
      'Lugares',
      'Mapa de lugares',
    ],
    rows: (_now, zone) =>
      sql`select jsonb_build_array(c.single_class_id, y.name,
          (select string_agg(trim(concat_ws(' ', i.name, i.last_name)), ' | ' order by k.sort, i.instructor_id) from class_instructor k join instructor i using (instructor_id) where k.single_class_id = c.single_class_id),
          l.name, coalesce(l.timezone, ${zone}::text), m.name, ${wall(zone, 'YYYY-MM-DD')}, ${wall(zone, 'HH24:MI')}, (extract(epoch from c.ends_at - c.starts_at) / 60)::int, c.capacity, c.spot_map) as cells
        from single_class c join class_type y using (class_type_id) join location l using (location_id) left join room m on m.room_id = c.room_id
        where c."cancelledAt" is null and c.capacity >= 1 order by c.starts_at, c.single_class_id`,
  },
  {
    file: 'lugares',
    about: 'Lugares en las clases del horario que no se cancelaron',
    headers: [
      'ID reservación',
      'ID cliente',
      'Cliente',
      'Correo',
      'Teléfono',
      'ID clase',
      'Clase',
      'Estudio',
      'Fecha',
      'Hora',
      'Lugar',
      'Invitado',
      'Lugar del invitado',
      'Asistencia',
      'Paquete',
      'Vencimiento',
    ],
    rows: (now, zone) =>
      sql`select jsonb_build_array(r.class_reservation_id, r.customer_id, trim(concat_ws(' ', p.name, p.last_name)), p.email, p.phone, c.single_class_id,
          y.name, l.name, ${wall(zone, 'YYYY-MM-DD')}, ${wall(zone, 'HH24:MI')}, r.spot, g.guest, g.spot,
          case when r.attend then 'Asistió' when r.attend = false then 'No asistió' end, case when c.ends_at > ${now.toISOString()}::timestamptz then a.title end,
          case when c.ends_at > ${now.toISOString()}::timestamptz then to_char(a.expires_at at time zone ${zone}::text, 'YYYY-MM-DD') end) as cells
        from class_reservation r join single_class c using (single_class_id) join class_type y using (class_type_id) join location l using (location_id)
          join customer p using (customer_id) left join available_class a on a.available_class_id = r.available_class_id
          left join class_reservation g on g.host_reservation_id = r.class_reservation_id and g."deletedAt" is null
        where r."deletedAt" is null and r.host_reservation_id is null and c."cancelledAt" is null and c.capacity >= 1 and p."deletedAt" is null and not p.is_anonymous
        order by c.starts_at, r.class_reservation_id`,
  },
  {
    file: 'notas-y-etiquetas',
    about: 'Notas del equipo y etiquetas de cada cliente',
    headers: ['ID nota', 'ID cliente', 'Cliente', 'Correo', 'Teléfono', 'Fecha', 'Nota', 'Etiquetas'],
    rows: (_now, zone) =>
      sql`with tagged as (select k.customer_id, string_agg(t.name, ' | ' order by t.name) as names from customer_tag k join tag t using (tag_id) group by 1),
          line as (
            select n.customer_id, n.customer_note_id, to_char(n."createdAt" at time zone ${zone}::text, 'YYYY-MM-DD') as day, n.text, null as names from customer_note n
            union all select customer_id, null, null, null, names from tagged)
        select jsonb_build_array(line.customer_note_id, line.customer_id, trim(concat_ws(' ', p.name, p.last_name)), p.email, p.phone, line.day, line.text, line.names) as cells
        from line join customer p using (customer_id) where p."deletedAt" is null and not p.is_anonymous order by line.customer_id, line.customer_note_id nulls last`,
  },
  {
    file: 'historial-de-compras',
    about: 'Lo que pagó cada cliente, aquí y en el sistema anterior, menos lo devuelto',
    headers: ['ID compra', 'ID cliente', 'Cliente', 'Correo', 'Teléfono', 'Fecha', 'Paquete', 'Monto', 'Forma de pago'],
    rows: (_now, zone) =>
      sql`with line as (
            select 'A' || h.past_purchase_id as ref, h.customer_id, h.bought_on::text as day, h.title, h.total_centavos, h.way from past_purchase h
            union all select 'C' || i.invoice_id, coalesce(s.customer_id, i.customer_id), to_char(coalesce(i."paidAt", i."createdAt") at time zone ${zone}::text, 'YYYY-MM-DD'),
              b.title, i.total_centavos - i.refunded_centavos - case when i.status = 'lost' then i.disputed_centavos else 0 end, coalesce(m.name, i.label) from invoice i join purchase b using (purchase_id)
              left join sale s on s.sale_id = b.sale_id left join payment_method m on m.payment_method_id = i.payment_method_id
              where i.status in ('paid', 'partially_refunded', 'disputed') or i.status = 'lost' and i.refunded_centavos + i.disputed_centavos < i.total_centavos)
        select jsonb_build_array(line.ref, line.customer_id, trim(concat_ws(' ', p.name, p.last_name)), p.email, p.phone, line.day, line.title,
          to_char(line.total_centavos / 100.0, 'FM9999990.00'), line.way) as cells
        from line join customer p using (customer_id) where p."deletedAt" is null and not p.is_anonymous order by line.customer_id, line.day, line.ref`,
  },
  {
    file: 'suscripciones-por-activar',
    about: 'Suscripciones que esperan que su cliente ponga su tarjeta; hace falta un paquete con el mismo nombre',
    headers: ['ID suscripción', 'ID cliente', 'Cliente', 'Correo', 'Teléfono', 'Paquete', 'Próximo cobro', 'Monto'],
    rows: () =>
      sql`select jsonb_build_array(h.pending_subscription_id, h.customer_id, trim(concat_ws(' ', p.name, p.last_name)), p.email, p.phone, k.title,
          h.next_charge_on::text, to_char(h.price_centavos / 100.0, 'FM9999990.00')) as cells
        from pending_subscription h join customer p using (customer_id) join class_package k using (class_package_id)
        where h.purchase_id is null and h."cancelledAt" is null and p."deletedAt" is null and not p.is_anonymous order by h.pending_subscription_id`,
  },
]

/** Pictures and documents, which go with the export; videos are too large. */
export const listFilesToExport = (on: Reader): Promise<{ file_id: number; key: string; place: 'server' | 's3' }[]> =>
  on
    .select({ file_id: file.file_id, key: file.key, place: file.place })
    .from(file)
    .where(sql`${file.status} = 'ready' and ${file.deletedAt} is null and ${file.kind} <> 'video'`)
    .orderBy(file.file_id)

export type StudioExportRow = typeof studioExport.$inferSelect

export const insertExport = async (tx: Tx, values: typeof studioExport.$inferInsert): Promise<StudioExportRow> =>
  singleRow(await tx.insert(studioExport).values(values).returning())

export async function updateExport(tx: Tx, studio_export_id: number, change: Partial<typeof studioExport.$inferInsert>): Promise<void> {
  await tx.update(studioExport).set(change).where(eq(studioExport.studio_export_id, studio_export_id))
}

/** Marks an attempt as failed, unless the export was finished meanwhile. */
export async function failExport(tx: Tx, studio_export_id: number): Promise<void> {
  const isUnfinished = and(eq(studioExport.studio_export_id, studio_export_id), ne(studioExport.state, 'done'))
  await tx.update(studioExport).set({ state: 'failed' }).where(isUnfinished)
}

/** Exports with their requesters, newest first. */
export async function listExports(on: Reader, studio_export_id?: number): Promise<(StudioExportRow & { created_by: string | null })[]> {
  const rows = await on
    .select({ row: studioExport, created_by: staff.name })
    .from(studioExport)
    .leftJoin(staff, eq(staff.staff_id, studioExport.staff_id))
    .where(studio_export_id === undefined ? undefined : eq(studioExport.studio_export_id, studio_export_id))
    .orderBy(desc(studioExport.studio_export_id))
    .limit(50)
  return rows.map(({ row, created_by }) => ({ ...row, created_by }))
}

/** Exports are begun and claimed one at a time, behind this lock. */
export async function lockExports(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('studio_export'))`)
}

/** How many people's data were erased so far. */
export async function countErasures(on: Reader): Promise<number> {
  const { rows } = await on.execute<{ n: number }>(sql`select count(*)::int as n from customer_erasure where outcome = 'erased'`)
  return singleRow(rows).n
}

/** An export that is being made, except one; those without progress since an instant are not. */
export async function findUnfinishedExport(tx: Tx, since: Date, except = 0): Promise<StudioExportRow | null> {
  const [row] = await tx
    .select()
    .from(studioExport)
    .where(
      and(
        inArray(studioExport.state, ['waiting', 'running']),
        ne(studioExport.studio_export_id, except),
        sql`coalesce(${studioExport.progressAt}, ${studioExport.createdAt}) >= ${since.toISOString()}::timestamptz`,
      ),
    )
    .limit(1)
  return row ?? null
}

/** Exports whose time is over, and those that were begun before an instant and are not done. */
export const listEndedExports = (on: Reader, now: Date, begunBefore: Date): Promise<StudioExportRow[]> =>
  on
    .select()
    .from(studioExport)
    .where(or(lt(studioExport.expiresAt, now), sql`${studioExport.state} <> 'done' and ${lt(studioExport.createdAt, begunBefore)}`))

export async function deleteExport(tx: Tx, studio_export_id: number): Promise<void> {
  await tx.delete(studioExport).where(eq(studioExport.studio_export_id, studio_export_id))
}
