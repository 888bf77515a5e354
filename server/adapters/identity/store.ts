/** Every query of the embedded identity service. */
import { and, desc, eq, gte, lt, ne, notInArray, or } from 'drizzle-orm'
import { pgError, type Reader, type Tx } from '#server/platform/db.ts'
import { identityAccount, identityCode, identitySession } from './tables.ts'

export type Account = typeof identityAccount.$inferSelect
export type Session = typeof identitySession.$inferSelect
export type Code = typeof identityCode.$inferSelect

/** Devices that one account may be signed in on; the least recently used one gives way. */
const MAX_SESSIONS = 50
const DAY = 86_400_000
/** A refresh token that nobody used for this long is dead. */
export const IDLE_DAYS = 90
/** Expired codes stay for a while, so that a late click hears "expired" and not "invalid". */
const EXPIRED_CODES_DAYS = 14

async function one(query: Promise<Account[]>): Promise<Account | null> {
  return (await query)[0] ?? null
}

export const findAccount = (from: Reader, uid: string) => one(from.select().from(identityAccount).where(eq(identityAccount.uid, uid)))

export const findAccountByEmail = (from: Reader, email: string) =>
  one(from.select().from(identityAccount).where(eq(identityAccount.email, email)))

/** The gate to an account: whoever changes credentials or opens a session holds its row. */
export const lockAccount = (tx: Tx, uid: string) => one(tx.select().from(identityAccount).where(eq(identityAccount.uid, uid)).for('update'))

export const lockAccountByEmail = (tx: Tx, email: string) =>
  one(tx.select().from(identityAccount).where(eq(identityAccount.email, email)).for('update'))

/** Null when the e-mail is taken: of two sign-ups at once the database lets one through. */
export async function insertAccount(tx: Tx, account: typeof identityAccount.$inferInsert): Promise<Account | null> {
  const [made] = await tx.insert(identityAccount).values(account).onConflictDoNothing({ target: identityAccount.email }).returning()
  return made ?? null
}

/** Whether a change failed because another account has that e-mail. */
export const isEmailTaken = (error: unknown) => pgError(error)?.constraint === 'identity_account_email'

export async function updateAccount(tx: Tx, uid: string, change: Partial<typeof identityAccount.$inferInsert>): Promise<Account> {
  const [changed] = await tx.update(identityAccount).set(change).where(eq(identityAccount.uid, uid)).returning()
  if (!changed) throw new Error('An account vanished while its row was locked.')
  return changed
}

export async function deleteAccount(tx: Tx, uid: string): Promise<boolean> {
  return (await tx.delete(identityAccount).where(eq(identityAccount.uid, uid)).returning({ uid: identityAccount.uid })).length > 0
}

export async function insertSession(tx: Tx, session: typeof identitySession.$inferInsert): Promise<Session> {
  const [made] = await tx.insert(identitySession).values(session).returning()
  if (!made) throw new Error('A session was not stored.')
  const kept = tx
    .select({ id: identitySession.session_id })
    .from(identitySession)
    .where(eq(identitySession.uid, session.uid))
    .orderBy(desc(identitySession.lastUsedAt), desc(identitySession.session_id))
    .limit(MAX_SESSIONS)
  await tx.delete(identitySession).where(and(eq(identitySession.uid, session.uid), notInArray(identitySession.session_id, kept)))
  return made
}

export async function findSession(from: Reader, tokenHash: string): Promise<{ session: Session; account: Account } | null> {
  const [found] = await from
    .select({ session: identitySession, account: identityAccount })
    .from(identitySession)
    .innerJoin(identityAccount, eq(identityAccount.uid, identitySession.uid))
    .where(eq(identitySession.token_hash, tokenHash))
  return found ?? null
}

export async function touchSession(tx: Tx, session: Session, now: Date): Promise<void> {
  await tx.update(identitySession).set({ lastUsedAt: now }).where(eq(identitySession.session_id, session.session_id))
  await tx.update(identityAccount).set({ lastRefreshAt: now }).where(eq(identityAccount.uid, session.uid))
}

/** Ends every session of an account. */
export async function deleteSessions(tx: Tx, uid: string): Promise<void> {
  await tx.delete(identitySession).where(eq(identitySession.uid, uid))
}

export async function insertCode(tx: Tx, code: typeof identityCode.$inferInsert): Promise<void> {
  await tx.insert(identityCode).values(code)
}

export async function findCode(from: Reader, codeHash: string): Promise<Code | null> {
  const [found] = await from.select().from(identityCode).where(eq(identityCode.code_hash, codeHash))
  return found ?? null
}

/** Uses a code up. False when somebody else was faster. */
export async function takeCode(tx: Tx, codeHash: string): Promise<boolean> {
  return (await tx.delete(identityCode).where(eq(identityCode.code_hash, codeHash)).returning({ kind: identityCode.kind })).length > 0
}

/** Voids the links that a change of credentials overtakes. The way back to an old address always survives. */
export async function voidCodes(tx: Tx, account: Pick<Account, 'uid' | 'email'>): Promise<void> {
  const mine = or(eq(identityCode.uid, account.uid), and(eq(identityCode.kind, 'EMAIL_SIGNIN'), eq(identityCode.email, account.email)))
  await tx.delete(identityCode).where(and(mine, ne(identityCode.kind, 'RECOVER_EMAIL')))
}

/** Who goes back to an address closes the ways back to addresses that came after it: the first owner wins. */
export async function deleteNewerWaysBack(tx: Tx, used: Code): Promise<void> {
  await tx
    .delete(identityCode)
    .where(and(eq(identityCode.uid, used.uid ?? ''), eq(identityCode.kind, 'RECOVER_EMAIL'), gte(identityCode.createdAt, used.createdAt)))
}

/** Removes what has expired. */
export async function sweepIdentity(tx: Tx, now: Date): Promise<void> {
  await tx
    .delete(identitySession)
    .where(or(lt(identitySession.expiresAt, now), lt(identitySession.lastUsedAt, new Date(now.getTime() - IDLE_DAYS * DAY))))
  await tx.delete(identityCode).where(lt(identityCode.expiresAt, new Date(now.getTime() - EXPIRED_CODES_DAYS * DAY)))
}
