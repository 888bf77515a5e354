/** What the export of a studio reads: tables by name, and the customers as an import takes them. */
import { sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'

export interface ExportedTable {
  /** Name of the CSV file. */
  file: string
  about: string
  table: string
  /** Columns that stay here: log-ins, hashes, ids of processors. */
  without: readonly string[]
  /** The rows that are exported; all of them otherwise. */
  where?: string
}

/** The tables of the export, in the order of its README. Cards, passwords, keys and sessions are in none of them. */
export const EXPORTED: readonly ExportedTable[] = [
  {
    file: 'personas',
    about: 'Clientes, también los borrados sin sus datos',
    table: 'customer',
    without: ['uid', 'photo_file_id', 'id_file_id'],
    where: 'not is_anonymous',
  },
  { file: 'notas', about: 'Notas de los clientes', table: 'customer_note', without: [] },
  { file: 'etiquetas-de-clientes', about: 'Qué etiquetas tiene cada cliente', table: 'customer_tag', without: [] },
  { file: 'creditos', about: 'Clases por usar, por compra o cortesía', table: 'available_class', without: [] },
  { file: 'movimientos-de-creditos', about: 'Cada cambio de las clases por usar', table: 'credit_movement', without: [] },
  { file: 'clases', about: 'Clases del horario', table: 'single_class', without: [] },
  { file: 'coaches-de-clases', about: 'Quién da cada clase', table: 'class_instructor', without: [] },
  { file: 'reservaciones', about: 'Lugares en las clases, también los cancelados', table: 'class_reservation', without: [] },
  { file: 'lista-de-espera', about: 'Quién espera un lugar', table: 'waitlist', without: [] },
  { file: 'compras', about: 'Compras', table: 'purchase', without: ['request_hash', 'idempotency_key', 'subscription_id'] },
  { file: 'cargos', about: 'Cargos y pagos recibidos', table: 'invoice', without: ['provider_payment'] },
  { file: 'devoluciones', about: 'Devoluciones', table: 'refund', without: ['idempotency_key', 'error'] },
  { file: 'paquetes', about: 'Paquetes', table: 'class_package', without: [] },
  { file: 'descuentos', about: 'Descuentos', table: 'discount', without: [] },
  { file: 'productos', about: 'Productos', table: 'product', without: [] },
  { file: 'tipos-de-clase', about: 'Tipos de clase', table: 'class_type', without: [] },
  { file: 'categorias', about: 'Categorías', table: 'class_category', without: [] },
  { file: 'etiquetas', about: 'Etiquetas', table: 'tag', without: [] },
  { file: 'estudios', about: 'Estudios (sucursales)', table: 'location', without: [] },
  { file: 'salas', about: 'Salas', table: 'room', without: [] },
  { file: 'coaches', about: 'Coaches', table: 'instructor', without: [] },
  { file: 'formas-de-pago', about: 'Formas de pago', table: 'payment_method', without: [] },
  { file: 'equipo', about: 'Quién trabaja aquí', table: 'staff', without: ['uid', 'preferences', 'chosen_location_id'] },
  { file: 'paginas', about: 'Páginas y documentos', table: 'page', without: [] },
  { file: 'avisos', about: 'Avisos', table: 'announcement', without: [] },
  { file: 'formularios', about: 'Formularios', table: 'form', without: [] },
  { file: 'respuestas', about: 'Respuestas a los formularios', table: 'form_answer', without: ['uid'] },
  { file: 'videos', about: 'Videos', table: 'video', without: [] },
  { file: 'archivos', about: 'Archivos del estudio, sin su contenido', table: 'file', without: ['uid', 'key', 'thumbnail_key'] },
  { file: 'bitacora', about: 'Quién hizo qué', table: 'audit', without: ['request_id'] },
]

/** Columns of a table in its order, without those that stay. */
export async function columnsOf(on: Reader, { table, without }: ExportedTable): Promise<{ name: string; type: string }[]> {
  const { rows } = await on.execute<{ name: string; type: string }>(sql`
    select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = ${table} order by ordinal_position`)
  return rows.filter(({ name }) => !without.includes(name))
}

/** Rows of a table as texts, in the order of its first column. Instants are ISO 8601 in UTC. */
export async function rowsOf(
  on: Reader,
  { table, where }: ExportedTable,
  columns: readonly { name: string; type: string }[],
): Promise<(string | null)[][]> {
  const cells = columns.map(({ name, type }) =>
    type.startsWith('timestamp with')
      ? sql`to_char(${sql.identifier(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : sql`${sql.identifier(name)}::text`,
  )
  const { rows } = await on.execute<{ cells: (string | null)[] }>(sql`
    select array[${sql.join(cells, sql`, `)}]::text[] as cells from ${sql.identifier(table)} ${where ? sql`where ${sql.raw(where)}` : sql``} order by 1`)
  return rows.map((row) => row.cells)
}

export interface ExportedCustomer extends Record<string, unknown> {
  customer_id: number
  name: string
  last_name: string
  email: string | null
  phone: string | null
  birthdate: string | null
  package: string | null
  /** -1: unlimited. */
  credits: number | null
  /** The last day, in the studio's zone. */
  expires_on: string | null
}

/**
 * Living customers with their usable credits, a row for each package and last day: equal lots are one row, because an import gives the same
 * credits once.
 */
export async function listCustomersToMove(on: Reader, now: Date, zone: string): Promise<ExportedCustomer[]> {
  const { rows } = await on.execute<ExportedCustomer>(sql`
    with lot as (
      select customer_id, title, unlimited, balance, to_char(expires_at at time zone ${zone}::text, 'YYYY-MM-DD') as day from available_class
      where "revokedAt" is null and "frozenAt" is null and expires_at > ${now.toISOString()}::timestamptz and (unlimited or balance > 0))
    select c.customer_id, c.name, c.last_name, c.email, c.phone, c.birthdate::text as birthdate, l.title as package,
      case when l.unlimited then -1 else sum(l.balance)::integer end as credits, l.day as expires_on
    from customer c left join lot l using (customer_id) where c."deletedAt" is null and not c.is_anonymous
    group by c.customer_id, l.title, l.unlimited, l.day order by c.customer_id, l.day, l.title`)
  return rows
}
