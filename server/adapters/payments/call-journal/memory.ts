/**
 * The call journal of an external processor's adapter: each call is recorded before it is made, so that a lost response or a killed process
 * never leads to a second charge.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { and, asc, eq, gte, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type GatewayId, type Key, PaymentError, type Ref } from '#server/adapters/payments/port.ts'
import type { Db } from '#server/platform/db.ts'
import { processorCall, processorObject } from './tables.ts'

/** A recorded call under a key of the port. `M`: the adapter's own notes. */
export interface Call<M> {
  key: Key
  ref: Ref | null
  buyer: string | null
  phase: string | null
  phaseAt: Date | null
  memo: Partial<M>
  createdAt: Date
}

type Row = typeof processorCall.$inferSelect

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz'

/** Random letters without digits, so that an id is never mistaken for a card number. */
export function randomLetters(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

export class CallJournal<M extends object> {
  readonly #gateway: GatewayId
  readonly #db: Db
  readonly #now: () => Date
  #installation: string | null = null

  constructor(gateway: GatewayId, deps: { db: Db; now: () => Date }) {
    this.#gateway = gateway
    this.#db = deps.db
    this.#now = deps.now
  }

  /** Records a call before it is made. `mine`: this caller recorded it first. IDEMPOTENCY_KEY_REUSED when the key has another request. */
  async open(key: Key, hash: string, memo: Partial<M>): Promise<{ call: Call<M>; mine: boolean }> {
    const purchase = await this.#db.tx((tx) =>
      tx
        .insert(processorCall)
        .values({
          gateway: this.#gateway,
          purchase_id: key.purchase,
          step: key.step,
          n: key.n,
          request_hash: hash,
          memo: { ...memo },
          createdAt: this.#now(),
        })
        .onConflictDoNothing()
        .returning(),
    )
    const row = purchase[0] ?? (await this.#row(this.#is(key)))
    if (!row) throw new Error('A call to a processor was not written down.')
    if (row.request_hash !== hash)
      throw new PaymentError({
        kind: 'invalid',
        code: 'IDEMPOTENCY_KEY_REUSED',
        retry: 'never',
        message: 'The same key with another request.',
      })
    return { call: this.#call(row), mine: purchase.length === 1 }
  }

  async get(key: Key): Promise<Call<M> | null> {
    const row = await this.#row(this.#is(key))
    return row ? this.#call(row) : null
  }

  /** The call that created an object of the processor. */
  async madeBy(id: string): Promise<Call<M> | null> {
    const row = await this.#row(and(eq(processorCall.gateway, this.#gateway), eq(processorCall.ref_id, id)))
    return row ? this.#call(row) : null
  }

  /** Adds results to a recorded call. Notes are merged, one level deep. */
  async keep(key: Key, learnt: { ref?: Ref; buyer?: string; memo?: Partial<M> }): Promise<Call<M>> {
    const [row] = await this.#db.tx((tx) =>
      tx
        .update(processorCall)
        .set({
          ...(learnt.ref ? { ref_kind: learnt.ref.kind, ref_id: learnt.ref.id } : {}),
          ...(learnt.buyer ? { buyer: learnt.buyer } : {}),
          memo: sql`${processorCall.memo} || ${JSON.stringify(learnt.memo ?? {})}::jsonb`,
        })
        .where(this.#is(key))
        .returning(),
    )
    if (!row) throw new Error('A call to a processor was forgotten.')
    return this.#call(row)
  }

  /** Adds one entry to a note that is a record; safe when several processes add at once. */
  async note<N extends keyof M & string>(
    key: Key,
    name: N,
    member: string,
    value: M[N] extends Record<string, infer V> ? V : never,
  ): Promise<Call<M>> {
    const added = sql`jsonb_build_object(${member}::text, ${JSON.stringify(value)}::jsonb)`
    const [row] = await this.#db.tx((tx) =>
      tx
        .update(processorCall)
        .set({
          memo: sql`${processorCall.memo} || jsonb_build_object(${name}::text, coalesce(${processorCall.memo}->${name}::text, '{}'::jsonb) || ${added})`,
        })
        .where(this.#is(key))
        .returning(),
    )
    if (!row) throw new Error('A call to a processor was forgotten.')
    return this.#call(row)
  }

  /**
   * Sets the phase of a call; null when its present phase forbids it. `unless`: the phases that do, and for how long each counts, in
   * milliseconds (the process that set it may have died).
   */
  async enter(key: Key, phase: string, unless: Readonly<Record<string, number>>): Promise<Call<M> | null> {
    const now = this.#now()
    const over = Object.entries(unless).map(([name, forMs]) =>
      Number.isFinite(forMs) ? and(eq(processorCall.phase, name), lte(processorCall.phaseAt, new Date(now.getTime() - forMs))) : undefined,
    )
    const free = or(isNull(processorCall.phase), notInArray(processorCall.phase, ['', ...Object.keys(unless)]), ...over)
    const [row] = await this.#db.tx((tx) =>
      tx
        .update(processorCall)
        .set({ phase, phaseAt: now })
        .where(and(this.#is(key), free))
        .returning(),
    )
    return row ? this.#call(row) : null
  }

  /** Clears the phase, if the call is still in it. */
  async leave(key: Key, phase: string): Promise<void> {
    await this.#db.tx((tx) =>
      tx
        .update(processorCall)
        .set({ phase: null, phaseAt: null })
        .where(and(this.#is(key), eq(processorCall.phase, phase))),
    )
  }

  /** Waits until another process that makes this call has stored its object's id; null after a timeout or when the call failed. */
  async awaitRef(key: Key, phase: string): Promise<Ref | null> {
    for (let round = 0; round < 100; round++) {
      const call = await this.get(key)
      if (call?.ref || call?.phase !== phase) return call?.ref ?? null
      await wait(50 + round)
    }
    return null
  }

  /** Waits some seconds until the call is in none of these phases; returns the call as it is then. */
  async awaitLeave(key: Key, phases: readonly string[]): Promise<Call<M> | null> {
    let call = await this.get(key)
    for (let round = 0; round < 100 && call?.phase && phases.includes(call.phase); round++) {
      await wait(50 + round)
      call = await this.get(key)
    }
    return call
  }

  /** References of payments and subscriptions started since an instant, oldest first. */
  async begunSince(from: Date): Promise<Ref[]> {
    const rows = await this.#db.read
      .select()
      .from(processorCall)
      .where(and(eq(processorCall.gateway, this.#gateway), gte(processorCall.createdAt, from)))
      .orderBy(asc(processorCall.createdAt))
    return rows.flatMap((row) => this.#call(row).ref ?? [])
  }

  /** The id of an object created once, such as a plan. `make` may run twice, so it must be an idempotent call of the processor. */
  async once(name: string, make: () => Promise<string>): Promise<string> {
    const known = await this.known(name)
    if (known) return known
    const id = await make()
    await this.#db.tx((tx) =>
      tx.insert(processorObject).values({ gateway: this.#gateway, name, id, createdAt: this.#now() }).onConflictDoNothing(),
    )
    return (await this.known(name)) ?? id
  }

  async known(name: string): Promise<string | null> {
    const [row] = await this.#db.read
      .select({ id: processorObject.id })
      .from(processorObject)
      .where(and(eq(processorObject.gateway, this.#gateway), eq(processorObject.name, name)))
    return row?.id ?? null
  }

  /**
   * Random id of this installation (database). Part of every key and of every object's metadata, so that two databases on one processor
   * account (production and a copy, or a reset one) never mistake each other's purchase 1001 for their own.
   */
  async installation(): Promise<string> {
    this.#installation ??= await this.once('installation', async () => `estudio-${randomLetters(10)}`)
    return this.#installation
  }

  #is(key: Key): SQL | undefined {
    return and(
      eq(processorCall.gateway, this.#gateway),
      eq(processorCall.purchase_id, key.purchase),
      eq(processorCall.step, key.step),
      eq(processorCall.n, key.n),
    )
  }

  async #row(where: SQL | undefined): Promise<Row | null> {
    const [row] = await this.#db.read.select().from(processorCall).where(where).limit(1)
    return row ?? null
  }

  #call(row: Row): Call<M> {
    return {
      key: { purchase: row.purchase_id, step: row.step, n: row.n },
      ref: row.ref_id !== null && row.ref_kind !== null ? { gateway: this.#gateway, kind: row.ref_kind, id: row.ref_id } : null,
      buyer: row.buyer,
      phase: row.phase,
      phaseAt: row.phaseAt,
      memo: row.memo as Partial<M>,
      createdAt: row.createdAt,
    }
  }
}
