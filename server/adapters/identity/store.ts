/** Queries of the embedded identity service. */
import { and, desc, eq, gt, gte, inArray, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { pgError, type Reader, type Tx } from '#server/platform/db.ts'
import { identityAccount, identityChallenge, identityCode, identitySession } from './tables.ts'

export type Account = typeof identityAccount.$inferSelect
export type Session = typeof identitySession.$inferSelect
export type Code = typeof identityCode.$inferSelect

/** Sessions per account; beyond that the least recently used one is deleted. */
const MAX_SESSIONS = 50
const DAY = 86_400_000
/** A refresh token expires after this many days without use. */
export const IDLE_DAYS = 90
/** Expired codes are stored for a while, so that a late click reports "expired" and not "invalid". */
const EXPIRED_CODES_DAYS = 14

/** Sessions last used before this instant have expired. */
const idleSince = (now: Date) => new Date(now.getTime() - IDLE_DAYS * DAY)

async function firstAccount(query: Promise<Account[]>): Promise<Account | null> {
  return (await query)[0] ?? null
}

export const findAccount = (from: Reader, uid: string) =>
  firstAccount(from.select().from(identityAccount).where(eq(identityAccount.uid, uid)))

export const findAccountByEmail = (from: Reader, email: string) =>
  firstAccount(from.select().from(identityAccount).where(eq(identityAccount.email, email)))

/** An account with the ids of its sessions. */
export async function findSignedIn(from: Reader, uid: string): Promise<{ account: Account; sessions: ReadonlySet<string> } | null> {
  const [found] = await from
    .select({
      account: identityAccount,
      sessions: sql<string[]>`array(select s.session_id::text from identity_session s where s.uid = identity_account.uid)`,
    })
    .from(identityAccount)
    .where(eq(identityAccount.uid, uid))
  return found ? { account: found.account, sessions: new Set(found.sessions) } : null
}

/** Locks an account's row; required before changing credentials or opening a session. */
export const lockAccount = (tx: Tx, uid: string) =>
  firstAccount(tx.select().from(identityAccount).where(eq(identityAccount.uid, uid)).for('update'))

export const lockAccountByEmail = (tx: Tx, email: string) =>
  firstAccount(tx.select().from(identityAccount).where(eq(identityAccount.email, email)).for('update'))

/** Null when the e-mail is taken: of two simultaneous sign-ups one fails on the unique index. */
export async function insertAccount(tx: Tx, account: typeof identityAccount.$inferInsert): Promise<Account | null> {
  const [inserted] = await tx.insert(identityAccount).values(account).onConflictDoNothing({ target: identityAccount.email }).returning()
  return inserted ?? null
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
  const [inserted] = await tx.insert(identitySession).values(session).returning()
  if (!inserted) throw new Error('A session was not stored.')
  const newestSessions = tx
    .select({ id: identitySession.session_id })
    .from(identitySession)
    .where(eq(identitySession.uid, session.uid))
    .orderBy(desc(identitySession.lastUsedAt), desc(identitySession.session_id))
    .limit(MAX_SESSIONS)
  await tx.delete(identitySession).where(and(eq(identitySession.uid, session.uid), notInArray(identitySession.session_id, newestSessions)))
  return inserted
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

const isSession = (uid: string, session: string) => and(eq(identitySession.uid, uid), eq(sql`${identitySession.session_id}::text`, session))

export async function hasSession(from: Reader, uid: string, session: string): Promise<boolean> {
  return (await from.select({ id: identitySession.session_id }).from(identitySession).where(isSession(uid, session))).length > 0
}

/** The sessions that can still be refreshed, last used first. */
export async function listSessions(from: Reader, uid: string, now: Date): Promise<Session[]> {
  return from
    .select()
    .from(identitySession)
    .where(and(eq(identitySession.uid, uid), gt(identitySession.expiresAt, now), gt(identitySession.lastUsedAt, idleSince(now))))
    .orderBy(desc(identitySession.lastUsedAt), desc(identitySession.session_id))
}

/** Ends one session. */
export async function deleteSession(tx: Tx, uid: string, session: string): Promise<boolean> {
  return (await tx.delete(identitySession).where(isSession(uid, session)).returning({ id: identitySession.session_id })).length > 0
}

/** Ends every session except one. Returns how many. */
export async function deleteOtherSessions(tx: Tx, uid: string, currentSession: string): Promise<number> {
  const others = and(eq(identitySession.uid, uid), ne(sql`${identitySession.session_id}::text`, currentSession))
  return (await tx.delete(identitySession).where(others).returning({ id: identitySession.session_id })).length
}

/** Ends every session of an account and its pending sign-ins. */
export async function deleteSessions(tx: Tx, uid: string): Promise<void> {
  await tx.delete(identityChallenge).where(eq(identityChallenge.uid, uid))
  await tx.delete(identitySession).where(eq(identitySession.uid, uid))
}

export async function insertCode(tx: Tx, code: typeof identityCode.$inferInsert): Promise<void> {
  await tx.insert(identityCode).values(code)
}

export async function findCode(from: Reader, codeHash: string): Promise<Code | null> {
  const [found] = await from.select().from(identityCode).where(eq(identityCode.code_hash, codeHash))
  return found ?? null
}

/** Consumes a code. False when another request was first. */
export async function takeCode(tx: Tx, codeHash: string): Promise<boolean> {
  return (await tx.delete(identityCode).where(eq(identityCode.code_hash, codeHash)).returning({ kind: identityCode.kind })).length > 0
}

/** Voids the links that a change of credentials makes obsolete. The link to revert to an old address always stays valid. */
export async function voidCodes(tx: Tx, account: Pick<Account, 'uid' | 'email'>): Promise<void> {
  const mine = or(eq(identityCode.uid, account.uid), and(eq(identityCode.kind, 'EMAIL_SIGNIN'), eq(identityCode.email, account.email)))
  await tx.delete(identityCode).where(and(mine, ne(identityCode.kind, 'RECOVER_EMAIL')))
}

/** Reverting to an address deletes the links to revert to later ones, so that the first owner wins. */
export async function deleteNewerRecoveries(tx: Tx, used: Code): Promise<void> {
  await tx
    .delete(identityCode)
    .where(and(eq(identityCode.uid, used.uid ?? ''), eq(identityCode.kind, 'RECOVER_EMAIL'), gte(identityCode.createdAt, used.createdAt)))
}

/** Removes what has expired. */
export async function sweepIdentity(tx: Tx, now: Date): Promise<void> {
  await tx.delete(identitySession).where(or(lt(identitySession.expiresAt, now), lt(identitySession.lastUsedAt, idleSince(now))))
  await tx.delete(identityCode).where(lt(identityCode.expiresAt, new Date(now.getTime() - EXPIRED_CODES_DAYS * DAY)))
}

/** When accounts last signed in or renewed their session; accounts that never did are left out. */
export async function listLastSignIns(from: Reader, uids: readonly string[]): Promise<[uid: string, at: Date][]> {
  const { uid, createdAt, lastLoginAt, lastRefreshAt } = identityAccount
  const rows = await from
    .select({ uid, createdAt, lastLoginAt, lastRefreshAt })
    .from(identityAccount)
    .where(inArray(uid, [...uids]))
  return rows.flatMap((row) => {
    const last = row.lastRefreshAt > row.lastLoginAt ? row.lastRefreshAt : row.lastLoginAt
    return last > row.createdAt ? [[row.uid, last] as [string, Date]] : []
  })
}
