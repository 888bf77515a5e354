/** Queries of the links with which a card is changed; the only writes to them. */
import { createHash } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { cardLink } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Only the hash is kept: whoever reads the database cannot use the link. */
export async function insertCardLink(tx: Tx, link: { token: string; purchase_id: number; expiresAt: Date; now: Date }): Promise<void> {
  await tx
    .insert(cardLink)
    .values({ token_hash: hashOf(link.token), purchase_id: link.purchase_id, expiresAt: link.expiresAt, createdAt: link.now })
    .onConflictDoNothing()
}

export async function findCardLink(db: Reader, token: string) {
  const [row] = await db
    .select()
    .from(cardLink)
    .where(eq(cardLink.token_hash, hashOf(token)))
  return row ?? null
}

/** A card was changed with it. */
export async function useCardLink(tx: Tx, token: string, now: Date): Promise<void> {
  await tx
    .update(cardLink)
    .set({ usedAt: now })
    .where(and(eq(cardLink.token_hash, hashOf(token)), isNull(cardLink.usedAt)))
}

export async function forgetCardLinks(tx: Tx, before: Date): Promise<void> {
  await tx.delete(cardLink).where(lt(cardLink.expiresAt, before))
}
