/** What is built from keys that the environment or the owner gives: gateways of payments, wallet passes, certification of invoices. */
import { isDeepStrictEqual } from 'node:util'
import { choosePacs, mergeFiscalKeys, type Pacs } from '#server/adapters/pac/choose.ts'
import { choosePayments } from '#server/adapters/payments/choose.ts'
import { chooseWalletPasses, mergeWalletKeys } from '#server/adapters/wallet-passes/choose.ts'
import type { Config } from '#server/config.ts'
import { readStoredKeys } from '#server/modules/settings/processor-keys.ts'
import type { Db } from '#server/platform/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'

interface ProviderDeps {
  db: Db
  config: Config
  log: Log
  publicUrl: string
  now: () => Date
  secrets: SecretBox
}

export interface Providers {
  readonly payments: ReturnType<typeof choosePayments>
  readonly passes: ReturnType<typeof chooseWalletPasses>
  readonly pacs: Pacs
  /** The stored keys that these were built with. */
  readonly keys: Awaited<ReturnType<typeof readStoredKeys>>
  /** Builds them again when the stored keys have changed; one call after the other, so that older keys never replace newer ones. */
  refresh(): Promise<void>
}

export async function openProviders({ db, config, log, publicUrl, now, secrets }: ProviderDeps): Promise<Providers> {
  const ofPayments = { db, config, log, publicUrl, now }
  const pacsWith = (stored: Providers['keys'], before?: Pacs) =>
    choosePacs({
      db,
      now,
      maySandbox: config.maySandbox,
      bases: config,
      keys: mergeFiscalKeys(config, stored),
      ...(before ? { before } : {}),
    })
  let keys = await readStoredKeys(db.read, secrets)
  let payments = choosePayments({ ...ofPayments, stored: keys })
  let passes = chooseWalletPasses(mergeWalletKeys(config, keys))
  let pacs = pacsWith(keys)
  let refreshing: Promise<void> = Promise.resolve()

  async function readKeys() {
    const stored = await readStoredKeys(db.read, secrets)
    if (isDeepStrictEqual(stored, keys)) return
    payments = choosePayments({ ...ofPayments, stored, sandbox: payments.sandbox })
    passes = chooseWalletPasses(mergeWalletKeys(config, stored))
    pacs = pacsWith(stored, pacs)
    keys = stored
  }

  return {
    get payments() {
      return payments
    },
    get passes() {
      return passes
    },
    get pacs() {
      return pacs
    },
    get keys() {
      return keys
    },
    refresh() {
      const mine = refreshing.then(readKeys)
      refreshing = mine.catch(() => {})
      return mine
    },
  }
}
