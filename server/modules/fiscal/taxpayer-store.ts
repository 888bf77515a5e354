/** Queries of issuers and receivers of invoices: certificates of digital seal, and the tax data that customers used. */
import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { fiscalCertificate, fiscalProfile } from './tables.ts'

export type ProfileRow = typeof fiscalProfile.$inferSelect
export type CertificateRow = typeof fiscalCertificate.$inferSelect

export async function findCertificate(on: Reader): Promise<CertificateRow | null> {
  const [row] = await on.select().from(fiscalCertificate).orderBy(desc(fiscalCertificate.createdAt)).limit(1)
  return row ?? null
}

export async function upsertCertificate(tx: Tx, row: typeof fiscalCertificate.$inferInsert): Promise<void> {
  const { number: _, ...set } = row
  await tx.insert(fiscalCertificate).values(row).onConflictDoUpdate({ target: fiscalCertificate.number, set })
}

export async function lastProfile(on: Reader, customer_id: number): Promise<ProfileRow | null> {
  const [row] = await on
    .select()
    .from(fiscalProfile)
    .where(eq(fiscalProfile.customer_id, customer_id))
    .orderBy(desc(fiscalProfile.usedAt))
    .limit(1)
  return row ?? null
}

/** Keeps the data that a customer used, one row per RFC. */
export async function saveProfile(
  tx: Tx,
  customer_id: number,
  { now, ...data }: Pick<ProfileRow, 'rfc' | 'name' | 'postal_code' | 'regime' | 'use'> & { now: Date },
): Promise<void> {
  const updated = await tx
    .update(fiscalProfile)
    .set({ ...data, usedAt: now })
    .where(and(eq(fiscalProfile.customer_id, customer_id), eq(fiscalProfile.rfc, data.rfc)))
    .returning({ id: fiscalProfile.fiscal_profile_id })
  if (updated.length === 0) await tx.insert(fiscalProfile).values({ ...data, customer_id, createdAt: now, usedAt: now })
}
