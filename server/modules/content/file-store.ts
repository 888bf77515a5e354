/** Queries of files. */
import { and, desc, eq, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { customer, staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { file } from './tables.ts'

export type FileRow = typeof file.$inferSelect

/** Owner uid of private files that belong to the studio: the person who uploaded one may leave (U8). */
export const STUDIO_UID = ''

/** SQL: uploaded completely and not deleted. */
const there = and(eq(file.status, 'ready'), isNull(file.deletedAt))

export async function findFile(db: Reader, file_id: number): Promise<FileRow | null> {
  const [found] = await db
    .select()
    .from(file)
    .where(and(eq(file.file_id, file_id), there))
  return found ?? null
}

export async function listFilesById(db: Reader, file_ids: readonly number[]): Promise<FileRow[]> {
  if (file_ids.length === 0) return []
  return db
    .select()
    .from(file)
    .where(and(inArray(file.file_id, [...file_ids]), there))
}

/** The file, or the thumbnail's image, with this name. */
export async function findFileByKey(db: Reader, key: string): Promise<FileRow | null> {
  const [found] = await db
    .select()
    .from(file)
    .where(and(or(eq(file.key, key), eq(file.thumbnail_key, key)), there))
  return found ?? null
}

/** An account and its customer, as the owner of files (U2). */
interface Owner {
  uid: string
  customer_id: number | null
}

interface Only {
  kind?: FileRow['kind'] | undefined
  customer_id?: number | undefined
  /** Only files of this owner. */
  owner?: Owner
}

const ownedBy = ({ uid, customer_id }: Owner): SQL | undefined => {
  const sent = and(eq(file.uid, uid), isNull(file.customer_id))
  return customer_id === null ? sent : or(sent, eq(file.customer_id, customer_id))
}

const fits = (only: Only): SQL | undefined =>
  and(
    there,
    only.kind === undefined ? undefined : eq(file.kind, only.kind),
    only.customer_id === undefined ? undefined : eq(file.customer_id, only.customer_id),
    only.owner && ownedBy(only.owner),
  )

/** Newest first, paged. */
export async function listFiles(db: Reader, only: Only, stretch: { limit: number; offset: number }): Promise<FileRow[]> {
  return db.select().from(file).where(fits(only)).orderBy(desc(file.file_id)).limit(stretch.limit).offset(stretch.offset)
}

export async function countFiles(db: Reader, only: Only): Promise<number> {
  return db.$count(file, fits(only))
}

/** Locks an account's uploads, so that they are counted and written one at a time. */
export async function lockUploads(tx: Tx, uid: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`file:${uid}`}, 0))`)
}

/** Number and bytes of the files of an account or its customer, including uploads in progress. */
export async function sumFiles(db: Reader, owner: Owner): Promise<{ files: number; bytes: number }> {
  const [sum] = await db
    .select({ files: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${file.size}), 0)::float8` })
    .from(file)
    .where(and(isNull(file.deletedAt), ownedBy(owner)))
  return sum ?? { files: 0, bytes: 0 }
}

export async function insertFile(tx: Tx, values: typeof file.$inferInsert): Promise<FileRow> {
  return singleRow(await tx.insert(file).values(values).returning())
}

export async function updateFile(tx: Tx, file_id: number, values: Partial<typeof file.$inferInsert>): Promise<FileRow> {
  return singleRow(await tx.update(file).set(values).where(eq(file.file_id, file_id)).returning())
}

export async function lockFiles(tx: Tx, file_ids: readonly number[]): Promise<FileRow[]> {
  if (file_ids.length === 0) return []
  return tx
    .select()
    .from(file)
    .where(and(inArray(file.file_id, [...file_ids]), there))
    .orderBy(file.file_id)
    .for('update')
}

/** Files whose bytes have to be deleted: deleted ones, unfinished uploads, and those of accounts that never became a customer. */
export async function listLeftovers(db: Reader, before: { begun: Date; lost: Date }): Promise<FileRow[]> {
  const isUnowned = sql`not exists (select 1 from ${customer} c where c.uid = ${file.uid}) and not exists (select 1 from ${staff} s where s.uid = ${file.uid})`
  return db
    .select()
    .from(file)
    .where(
      or(
        isNotNull(file.deletedAt),
        and(eq(file.status, 'pending'), lt(file.createdAt, before.begun)),
        and(isNull(file.customer_id), eq(file.is_public, false), ne(file.uid, STUDIO_UID), lt(file.createdAt, before.lost), isUnowned),
      ),
    )
    .limit(200)
}

export async function eraseFile(tx: Tx, file_id: number): Promise<void> {
  await tx.delete(file).where(eq(file.file_id, file_id))
}
