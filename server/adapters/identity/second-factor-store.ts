/** Queries about second factors: authenticator apps, recovery codes, and challenges that await a code. */
import { and, eq, gte, inArray, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { identityChallenge, identityRecoveryCode, identitySecondFactor } from './tables.ts'

export type SecondFactor = typeof identitySecondFactor.$inferSelect
export type Challenge = typeof identityChallenge.$inferSelect
export type RecoveryCode = typeof identityRecoveryCode.$inferSelect

export async function findSecondFactor(from: Reader, uid: string): Promise<SecondFactor | null> {
  const [found] = await from.select().from(identitySecondFactor).where(eq(identitySecondFactor.uid, uid))
  return found ?? null
}

/** Which of these accounts have a second factor. */
export async function listWithSecondFactor(from: Reader, uids: readonly string[]): Promise<string[]> {
  const rows = await from
    .select({ uid: identitySecondFactor.uid })
    .from(identitySecondFactor)
    .where(inArray(identitySecondFactor.uid, [...uids]))
  return rows.map(({ uid }) => uid)
}

export async function insertSecondFactor(tx: Tx, factor: typeof identitySecondFactor.$inferInsert): Promise<void> {
  await tx.insert(identitySecondFactor).values(factor)
}

/** Stores the time step of an accepted code; call it with the account locked. */
export async function noteStep(tx: Tx, factor: SecondFactor, last_step: number): Promise<void> {
  await tx.update(identitySecondFactor).set({ last_step }).where(eq(identitySecondFactor.factor_id, factor.factor_id))
}

/** Deletes an account's factor with its recovery codes. `enrolledSince`: only if it was enrolled then or later. */
export async function deleteSecondFactor(tx: Tx, uid: string, enrolledSince?: Date): Promise<boolean> {
  const mine = eq(identitySecondFactor.uid, uid)
  const deleted = await tx
    .delete(identitySecondFactor)
    .where(enrolledSince ? and(mine, gte(identitySecondFactor.enrolledAt, enrolledSince)) : mine)
    .returning({ id: identitySecondFactor.factor_id })
  if (deleted.length) await tx.delete(identityRecoveryCode).where(eq(identityRecoveryCode.uid, uid))
  return deleted.length > 0
}

export async function insertChallenge(tx: Tx, challenge: typeof identityChallenge.$inferInsert): Promise<void> {
  await tx.insert(identityChallenge).values(challenge)
}

export async function findChallenge(from: Reader, challengeHash: string, kind: Challenge['kind'], now: Date): Promise<Challenge | null> {
  const [found] = await from
    .select()
    .from(identityChallenge)
    .where(and(eq(identityChallenge.challenge_hash, challengeHash), eq(identityChallenge.kind, kind)))
  return found && found.expiresAt > now ? found : null
}

/** Consumes a challenge. False when another request was first, or the account's credentials have changed since. */
export async function takeChallenge(tx: Tx, challengeHash: string): Promise<boolean> {
  const deletion = tx.delete(identityChallenge).where(eq(identityChallenge.challenge_hash, challengeHash))
  return (await deletion.returning({ uid: identityChallenge.uid })).length > 0
}

/** Replaces all recovery codes of an account. */
export async function replaceRecoveryCodes(
  tx: Tx,
  uid: string,
  codes: readonly (typeof identityRecoveryCode.$inferInsert)[],
): Promise<void> {
  await tx.delete(identityRecoveryCode).where(eq(identityRecoveryCode.uid, uid))
  await tx.insert(identityRecoveryCode).values([...codes])
}

export async function findRecoveryCode(from: Reader, uid: string, label: string): Promise<RecoveryCode | null> {
  const [found] = await from
    .select()
    .from(identityRecoveryCode)
    .where(and(eq(identityRecoveryCode.uid, uid), eq(identityRecoveryCode.label, label)))
  return found ?? null
}

/** Number of unused recovery codes of an account. */
export async function countRecoveryCodes(from: Reader, uid: string): Promise<number> {
  return from.$count(identityRecoveryCode, eq(identityRecoveryCode.uid, uid))
}

/** Consumes a recovery code. False when it was used before. */
export async function takeRecoveryCode(tx: Tx, { recovery_code_id }: RecoveryCode): Promise<boolean> {
  const deletion = tx.delete(identityRecoveryCode).where(eq(identityRecoveryCode.recovery_code_id, recovery_code_id))
  return (await deletion.returning({ uid: identityRecoveryCode.uid })).length > 0
}

export async function sweepChallenges(tx: Tx, now: Date): Promise<void> {
  await tx.delete(identityChallenge).where(lt(identityChallenge.expiresAt, now))
}
