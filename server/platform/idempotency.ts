/**
 * Idempotency keys: a repeated request has one effect and one answer. The answer is stored in the transaction that has the effect, so that
 * a crash leaves either both or neither.
 */
import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import { pgError, prepared, type Tx } from './db.ts'
import { idempotency } from './tables.ts'

/** Hash of the request, independent of the order of its keys. */
export function requestHash(operation: string, input: unknown): string {
  const stable = (value: unknown): unknown =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, stable(inner)]),
        )
      : Array.isArray(value)
        ? value.map(stable)
        : value
  return createHash('sha256')
    .update(JSON.stringify([operation, stable(input)]))
    .digest('base64url')
}

const takeStatement = prepared('idempotency.take', (on: Tx) =>
  on
    .insert(idempotency)
    .values({
      actor: sql.placeholder('actor'),
      key: sql.placeholder('key'),
      request_hash: sql.placeholder('hash'),
      createdAt: sql`${sql.placeholder('now')}`,
    })
    .onConflictDoNothing()
    .returning({ key: idempotency.key }),
)

const answered = prepared('idempotency.answer', (on: Tx) =>
  on
    .update(idempotency)
    .set({ answer: sql`${sql.placeholder('answer')}::jsonb` })
    .where(and(eq(idempotency.actor, sql.placeholder('actor')), eq(idempotency.key, sql.placeholder('key')))),
)

/**
 * Runs `work` once per (actor, key). A simultaneous request with the same key waits for the first one's commit and gets its answer; the
 * same key with another request is refused. Without a key `work` just runs. When `work` throws, nothing is stored. The statements of
 * `first` leave together with that of the key; they may only read and lock.
 */
export async function runOnce<T, First>(
  tx: Tx,
  input: { actor: string; key: string | null; operation: string; input: unknown; now: Date },
  work: (first: First) => Promise<T>,
  first: () => Promise<First>,
): Promise<T> {
  if (!input.key) return work(await first())
  const hash = requestHash(input.operation, input.input)
  const [mine, found] = await Promise.all([
    takeStatement(tx).execute({ actor: input.actor, key: input.key, hash, now: input.now.toISOString() }),
    // Settled, not awaited: what it refuses is no answer to a repeated request.
    Promise.allSettled([first()]),
  ])
  const [result] = found
  const isAborted = result.status === 'rejected' && pgError(result.reason) !== null
  if (mine.length === 0 && !isAborted) {
    const [stored] = await tx
      .select()
      .from(idempotency)
      .where(and(eq(idempotency.actor, input.actor), eq(idempotency.key, input.key)))
    if (!stored || stored.request_hash !== hash) throw refuse('IDEMPOTENCY_KEY_REUSED')
    return stored.answer as T
  }
  if (result.status === 'rejected') throw result.reason
  const answer = await work(result.value)
  tx.fireAndForget(answered(tx).execute({ actor: input.actor, key: input.key, answer: JSON.stringify(answer ?? null) }))
  return answer
}
