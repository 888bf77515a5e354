/** The wallets of phones: the state of their keys, and the keys that the owner types (G12). */
import { refuse } from '#contract/errors.ts'
import { WALLET_KEYS, WALLET_NAMES, type WalletId, type WalletKeyName, type WalletState } from '#contract/wallet-passes.ts'
import { chooseWalletPasses } from '#server/adapters/wallet-passes/choose.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listStoredKeys, storeKeys } from './processor-keys.ts'

/** GET /admin/wallets. */
export async function walletStates(ctx: Ctx): Promise<{ wallets: WalletState[] }> {
  const stored = await listStoredKeys(ctx.db)
  const { passes, keysOfEnvironment } = ctx.ports
  const wallets = (Object.keys(WALLET_NAMES) as WalletId[]).map((wallet): WalletState => {
    const keys = Object.entries(WALLET_KEYS[wallet]).map(([name, { label }]) => {
      const typed = stored.get(name)
      const ofEnvironment = keysOfEnvironment.get(name)
      const source = ofEnvironment === undefined ? (typed ? ('stored' as const) : null) : ('environment' as const)
      return { name, label, source, ending: ofEnvironment ?? typed?.ending ?? null, changed_at: typed?.updatedAt.toISOString() ?? null }
    })
    const [problem] = Object.entries(passes.problems[wallet])
    const label = keys.find(({ name }) => name === problem?.[0])?.label
    const validUntil = wallet === 'apple' ? (passes.apple?.validUntil ?? null) : null
    const has = keys.filter(({ source }) => source !== null).length
    return {
      wallet,
      state:
        has === 0
          ? 'missing'
          : problem
            ? 'invalid'
            : has < keys.length
              ? 'partial'
              : validUntil && validUntil <= ctx.now
                ? 'expired'
                : 'ready',
      problem: problem ? `${label}: ${problem[1]}` : null,
      identifier: passes[wallet]?.identifier ?? null,
      valid_until: validUntil?.toISOString() ?? null,
      keys,
    }
  })
  return { wallets }
}

/** PUT /admin/wallets/{wallet}/keys. RECENT_SIGN_IN_REQUIRED, PROTECTED, INVALID_INPUT by key; a message never contains the value. */
export async function saveWalletKeys(ctx: Ctx, { wallet, keys }: { wallet: WalletId; keys: Record<string, string | null> }): Promise<void> {
  ctx.requireRecentSignIn()
  const known: Readonly<Record<string, { label: string }>> = WALLET_KEYS[wallet]
  const unknown = Object.keys(keys).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0)
    throw refuse('INVALID_INPUT', {
      issues: unknown.map((name) => ({ path: name.replace(/[^A-Z_]/g, ''), message: 'Esa llave no existe.' })),
    })
  // A key is checked together with those that stay: a certificate and its private key belong together.
  const merged: Record<string, string | null | undefined> = { ...ctx.studio.walletKeys(), ...keys }
  const whole = Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value ? [[name as WalletKeyName, value]] : [])))
  const problems = Object.entries(chooseWalletPasses(whole).problems[wallet])
  const isTaken = Object.values(keys).every((value) => value === null)
  if (problems.length > 0 && !isTaken) throw refuse('INVALID_INPUT', { issues: problems.map(([path, message]) => ({ path, message })) })
  await storeKeys(ctx, keys, (name) => ({ processor: WALLET_NAMES[wallet], key: known[name]?.label }))
}
