/**
 * Passes for the wallets of phones: a file that Apple Wallet opens, a link that Google's saves. Nothing is sent anywhere: both are
 * only signed.
 */
import type { Hex } from '#contract/color.ts'
import type { Language } from '#contract/language.ts'
import type { WalletId, WalletKeyName } from '#contract/wallet-passes.ts'

/** The contents of a pass of a reservation, in Spanish; the wallets translate their labels to `language`. */
export interface PassFacts {
  class_reservation_id: number
  single_class_id: number
  studio: {
    name: string
    /** Address of the site, without a final slash. */
    url: string
  }
  /** Name of the class. */
  title: string
  coach: string
  /** Day and hour on the clocks of the class: "vie 20 nov", "18:00". */
  day: string
  hour: string
  starts_at: Date
  ends_at: Date
  location: { name: string; address: string }
  seat: string | null
  guest: string | null
  holder: string
  language: Language
  /** What the QR code contains. */
  code: string
  colours: { ground: Hex; ink: Hex; label: Hex }
}

/** PNG files by their name in a pass. */
export type PassPictures = ReadonlyMap<string, Uint8Array>

/** Signs passes for Apple Wallet. */
export interface AppleWallet {
  /** The pass type of the certificate. */
  readonly identifier: string
  readonly validUntil: Date
  /** The bytes of a `.pkpass`. `pictures` contain the icon in its three sizes (Apple refuses a pass without), and may contain the logo. */
  pass(facts: PassFacts, pictures: PassPictures, now: Date): Promise<Uint8Array>
}

/** Signs links that save a pass in Google's wallet. */
export interface GoogleWallet {
  /** The service account that signs. */
  readonly identifier: string
  link(facts: PassFacts, now: Date): string
}

export type WalletKeys = Partial<Record<WalletKeyName, string>>

/** What is wrong with the keys of a wallet, by key, in sentences that contain no part of them. */
export type KeyProblems = Partial<Record<WalletKeyName, string>>

export interface WalletPasses {
  apple: AppleWallet | null
  google: GoogleWallet | null
  problems: Readonly<Record<WalletId, KeyProblems>>
}
