/** Queries of card links (links in emails that change a subscription's card); the only writes to them. */
import { createHash } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { cardLink } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Only the hash of the token is stored: a copy of the database cannot be used to change cards. */
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

/** Marks the link as used: the card was changed. */
export async function useCardLink(tx: Tx, token: string, now: Date): Promise<void> {
  await tx
    .update(cardLink)
    .set({ usedAt: now })
    .where(and(eq(cardLink.token_hash, hashOf(token)), isNull(cardLink.usedAt)))
}

export async function forgetCardLinks(tx: Tx, before: Date): Promise<void> {
  await tx.delete(cardLink).where(lt(cardLink.expiresAt, before))
}
