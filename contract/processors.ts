/**
 * Processors of money by name: what the wire, the pages and the server share. A new one is named here first; the type checker then names every
 * list that lacks it (docs/adding-a-processor.md).
 */

/** Processors that can draw the fields of a card on our page. */
export const CARD_PROCESSORS = ['sandbox', 'stripe', 'conekta'] as const
export type CardProcessor = (typeof CARD_PROCESSORS)[number]

/** Processors with a wallet: a button of their own, or a page where the customer approves. */
export const WALLET_PROCESSORS = ['sandbox', 'paypal'] as const
export type WalletProcessor = (typeof WALLET_PROCESSORS)[number]

/** Processors whose own script runs on the pages with a card form. */
export type ScriptedProcessor = 'stripe' | 'paypal' | 'conekta'

/** Origin of each processor's script, without a final slash. */
export type ProviderSites = Readonly<Record<ScriptedProcessor, string>>
