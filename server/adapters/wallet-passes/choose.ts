import { WALLET_KEYS, type WalletKeyName } from '#contract/wallet-passes.ts'
import { appleWallet, readAppleKeys } from './apple.ts'
import { googleWallet, readGoogleKeys } from './google.ts'
import type { WalletKeys, WalletPasses } from './port.ts'

const NAMES = Object.values(WALLET_KEYS).flatMap((keys) => Object.keys(keys) as WalletKeyName[])

/** The wallets with complete keys. Incomplete keys never stop the program: their wallet is not offered, and the screen shows why. */
export function chooseWalletPasses(keys: WalletKeys): WalletPasses {
  const apple = readAppleKeys(keys)
  const google = readGoogleKeys(keys)
  return {
    apple: apple.identity && appleWallet(apple.identity),
    google: google.account && googleWallet(google.account),
    problems: { apple: apple.problems, google: google.problems },
  }
}

/** The wallets' keys among these values, with those of `first` in place of the others. */
export const mergeWalletKeys = (first: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>>): WalletKeys =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = first[name] ?? others[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
