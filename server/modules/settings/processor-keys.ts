/**
 * Keys of processors, wallets and the stamping provider that the owner types (G11, G12, FA17): encrypted with the master key, bound to
 * their name, used at once by every process, never sent back. What the environment sets wins.
 */
import { eq } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import { FISCAL_KEYS, type FiscalKeyName } from '#contract/fiscal-provider.ts'
import { PROCESSOR_KEYS, PROCESSOR_NAMES, type ProcessorId, type ProcessorKeyName } from '#contract/processor-states.ts'
import type { WalletKeyName } from '#contract/wallet-passes.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import type { SealedColumn, SecretBox } from '#server/platform/secret-box.ts'
import { processorKey } from './tables.ts'

export const PROCESSOR_KEY_SECRETS: SealedColumn = { table: 'processor_key', column: 'sealed_value', id: 'name' }

/** The keys as the gateways and wallets need them. Never log, send or keep these elsewhere. */
export type StoredKeys = Partial<Record<ProcessorKeyName | WalletKeyName | FiscalKeyName, string>>

const ENDING = 4
/** Keys that are too short for their ending to be shown without giving away the rest. */
const SHORT = 12

/** What a person chose, such as a password: its ending helps to guess the rest. */
const isChosen = (name: string): boolean => {
  const known: Readonly<Record<string, { label: string; isShown?: boolean }>> = FISCAL_KEYS
  return Object.hasOwn(known, name) && known[name]?.isShown === false
}

/** The last characters of a key; empty for a password, a short one, and for a certificate or a file, whose ending is the same for all. */
export const keyEnding = (name: string, key: string): string =>
  isChosen(name) || key.length < SHORT || /[-}]$/.test(key.trim()) ? '' : key.slice(-ENDING)

/** Reads and decrypts the stored keys. */
export async function readStoredKeys(on: Reader, secrets: SecretBox): Promise<StoredKeys> {
  const rows = await on.select().from(processorKey)
  return Object.fromEntries(rows.map(({ name, sealed_value }) => [name, secrets.open(sealed_value, PROCESSOR_KEY_SECRETS, name)]))
}

/** When each stored key was typed. */
export async function listStoredKeys(on: Reader): Promise<ReadonlyMap<string, { ending: string; updatedAt: Date }>> {
  const rows = await on
    .select({ name: processorKey.name, ending: processorKey.ending, updatedAt: processorKey.updatedAt })
    .from(processorKey)
  return new Map(rows.map(({ name, ...rest }) => [name, rest]))
}

/** PUT /admin/processors/{processor}/keys. RECENT_SIGN_IN_REQUIRED, PROTECTED, INVALID_INPUT by key; a message never contains the value. */
export async function saveProcessorKeys(
  ctx: Ctx,
  { processor, keys }: { processor: ProcessorId; keys: Record<string, string | null> },
): Promise<void> {
  ctx.requireRecentSignIn()
  const known: Readonly<Record<string, { label: string; pattern: RegExp; like: string }>> = PROCESSOR_KEYS[processor]
  const issues = Object.entries(keys).flatMap(([name, value]) => {
    const key = Object.hasOwn(known, name) ? known[name] : undefined
    if (!key) return [{ path: name.replace(/[^A-Z_]/g, ''), message: 'Esa llave no existe.' }]
    return value === null || key.pattern.test(value) ? [] : [{ path: name, message: `Debe verse como ${key.like}.` }]
  })
  if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
  await storeKeys(ctx, keys, (name) => ({ processor: PROCESSOR_NAMES[processor], key: known[name]?.label }))
}

/**
 * Stores valid keys, null takes one away, and has every process use them. PROTECTED. `trailOf`: the audit value of a key, without any part
 * of the key.
 */
export async function storeKeys(
  ctx: Ctx,
  keys: Readonly<Record<string, string | null>>,
  trailOf: (name: string) => { processor: string; key: string | undefined },
): Promise<void> {
  const fixed = Object.keys(keys).find((name) => ctx.ports.keysOfEnvironment.has(name))
  if (fixed) throw refuse('PROTECTED', { key: fixed })
  await ctx.tx(async (tx) => {
    const before = await listStoredKeys(tx)
    for (const [name, value] of Object.entries(keys)) {
      if (value === null) await tx.delete(processorKey).where(eq(processorKey.name, name))
      else {
        const row = { sealed_value: ctx.studio.sealProcessorKey(name, value), ending: keyEnding(name, value), updatedAt: ctx.now }
        await tx
          .insert(processorKey)
          .values({ name, ...row })
          .onConflictDoUpdate({ target: processorKey.name, set: row })
      }
      // The audit entry has the name, author and time, and no part of the key.
      await ctx.audit(tx, {
        action: value === null ? 'processor_key.remove' : before.has(name) ? 'processor_key.rotate' : 'processor_key.add',
        entity: 'processor_key',
        entity_id: name,
        after: trailOf(name),
      })
    }
    tx.notify({ topic: 'processors' })
  })
  await ctx.studio.refreshProcessors()
}
