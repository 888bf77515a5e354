/**
 * Names of the payment processors, shared by contract, pages and server. Add a new one here first; the type checker then reports every list
 * that lacks it (docs/adding-a-processor.md).
 */

/** Processors with card fields on our page. */
export const CARD_PROCESSORS = ['sandbox', 'stripe', 'conekta'] as const
export type CardProcessor = (typeof CARD_PROCESSORS)[number]
export const isCardProcessor = (id: string): id is CardProcessor => (CARD_PROCESSORS as readonly string[]).includes(id)
/** Those of them whose script draws the buttons of the browser's wallets (Apple Pay, Google Pay, Link). */
export const EXPRESS_PROCESSORS: readonly CardProcessor[] = ['stripe']
/** Those of them that move real money. */
export type RealCardProcessor = Exclude<CardProcessor, 'sandbox'>

/** Processors with a wallet: a button, or a page where the customer approves. */
export const WALLET_PROCESSORS = ['sandbox', 'paypal'] as const
export type WalletProcessor = (typeof WALLET_PROCESSORS)[number]
export const isWalletProcessor = (id: string): id is WalletProcessor => (WALLET_PROCESSORS as readonly string[]).includes(id)
/** The wallet among the payment options, whichever processor it is. */
export const WALLET_OPTION = 'paypal'
/** All that move real money. */
export type RealProcessor = Exclude<CardProcessor | WalletProcessor, 'sandbox'>

/** Processors whose own script runs on pages with a card form. */
export type ScriptedProcessor = 'stripe' | 'paypal' | 'conekta'

/** Origin of each processor's script, without a final slash. */
export type ProviderSites = Readonly<Record<ScriptedProcessor, string>>
